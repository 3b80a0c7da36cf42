// A view from a place for the BitmapLayer of deck.gl, without importing it.
import type { TerrainView } from "./terrain-view.js";

/**
 * Returns the properties of a `BitmapLayer` that shows the present view. Create the layer again on each change.
 *
 * ```js
 * view.onChange(() => deck.setProps({ layers: [new BitmapLayer(bitmapProps(view))] }));
 * ```
 */
export function bitmapProps(view: TerrainView, id = "farsight"): {
  id: string;
  image: ImageData;
  bounds: [number, number, number, number];
} {
  const { west, south, east, north } = view.bounds();
  const { width, height } = view.canvas;
  // Another object each time, so that deck.gl reads it again.
  const image = view.canvas.getContext("2d")!.getImageData(0, 0, width, height);
  return { id, image, bounds: [west, south, east, north] };
}
