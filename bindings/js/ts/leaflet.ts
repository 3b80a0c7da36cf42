// A view from a place as a grid layer of Leaflet, without importing it.
import { worldX, worldY } from "./mercator.js";
import type { TerrainView } from "./terrain-view.js";

/** What the layer needs of Leaflet's `L`. */
export interface Leaflet<Layer> {
  gridLayer(options?: any): Layer;
}

/** What it needs of a `L.GridLayer`. */
export interface LeafletLayer {
  redraw(): unknown;
  getTileSize(): { x: number; y: number };
  on(type: "remove", listener: () => void): unknown;
}

/**
 * Returns a grid layer that shows a view. Move the eye by `view.moveTo`, for instance on the map's `click`.
 *
 * ```js
 * terrainLayer(L, view).addTo(map);
 * map.on("click", ({ latlng }) => view.moveTo(latlng.lng, latlng.lat));
 * ```
 */
export function terrainLayer<Layer extends LeafletLayer>(L: Leaflet<Layer>, view: TerrainView, options?: object): Layer {
  const layer = L.gridLayer({ zIndex: 10, attribution: view.tiles.attribution, ...options });
  const createTile = (at: { x: number; y: number; z: number }): HTMLElement => {
    const { x: width, y: height } = layer.getTileSize();
    const tile = document.createElement("canvas");
    [tile.width, tile.height] = [width, height];
    if (!view.state) return tile;
    const scale = 2 ** at.z;
    const { west, north, east, south } = view.bounds();
    const [left, right] = [(worldX(west) * scale - at.x) * width, (worldX(east) * scale - at.x) * width];
    const [top, bottom] = [(worldY(north) * scale - at.y) * height, (worldY(south) * scale - at.y) * height];
    if (right > 0 && left < width && bottom > 0 && top < height) {
      // Only the part of the picture on this tile, since browsers limit how much a picture is enlarged.
      const [perX, perY] = [view.canvas.width / (right - left), view.canvas.height / (bottom - top)];
      const [x0, x1, y0, y1] = [Math.max(left, 0), Math.min(right, width), Math.max(top, 0), Math.min(bottom, height)];
      tile.getContext("2d")?.drawImage(
        view.canvas, (x0 - left) * perX, (y0 - top) * perY, (x1 - x0) * perX, (y1 - y0) * perY, x0, y0, x1 - x0, y1 - y0,
      );
    }
    return tile;
  };
  Object.assign(layer, { createTile });
  const stop = view.onChange(() => layer.redraw());
  layer.on("remove", stop);
  return layer;
}
