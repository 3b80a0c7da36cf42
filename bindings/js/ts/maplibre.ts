// A view from a place on a map of MapLibre GL, without importing it.
import type { TerrainView, TerrainViewState } from "./terrain-view.js";

/** What the layer needs of `maplibregl.Map`. */
export interface MapLibreMap {
  addSource(id: string, source: any): unknown;
  addLayer(layer: any, beforeId?: string): unknown;
  getSource(id: string): any;
  getLayer(id: string): unknown;
  removeLayer(id: string): unknown;
  removeSource(id: string): unknown;
  project(place: [number, number]): { x: number; y: number };
  getCanvas(): HTMLCanvasElement;
  dragPan: { enable(): void; disable(): void };
  on(type: any, listener: (event: any) => void): unknown;
  off(type: any, listener: (event: any) => void): unknown;
}

export interface MapLibreOptions {
  /** The id of the layer and of its source, by default `farsight`. */
  id?: string;
  /** The layer below which it is; by default it is the uppermost. */
  beforeId?: string;
  /** How the eye moves: `drag` (the default) by dragging it or by a click, `pointer` follows the mouse, `none` only by `moveTo`. */
  follow?: "drag" | "pointer" | "none";
  /** Whether a click moves the eye, by default it does; `false` leaves clicks to you, for instance to explain. */
  click?: boolean;
  /** Hears errors, such as tiles without an answer; by default they are written to the console. */
  onError?: (error: Error) => void;
}

/** A view on a map: the layer and source `farsight`, and those of the eye, `farsight-eye`; or another `id`. */
export interface TerrainViewLayer {
  /** Changes how the eye moves. It is drawn in any case. */
  setFollow(follow: "drag" | "pointer" | "none"): void;
  /** Removes layers, sources and listeners. The view stays. */
  remove(): void;
}

/** The distance from the eye in pixels at which a press drags it: a finger is wider than a mouse. */
const NEAR_PX = { mouse: 16, touch: 30 };

/**
 * Shows a view on a map whose style is loaded, as a canvas source and a raster layer, with the eye as a dot, and names the source of
 * the tiles in the attribution of the map.
 *
 * ```js
 * map.on("load", async () => {
 *   const layer = addTerrainView(map, view);
 *   await view.moveTo(10.98, 47.42);
 * });
 * ```
 */
export function addTerrainView(map: MapLibreMap, view: TerrainView, options: MapLibreOptions = {}): TerrainViewLayer {
  let { follow = "drag" } = options;
  const { id = "farsight", beforeId, click: clickMoves = true, onError = (error) => console.error(error) } = options;
  const eyeId = `${id}-eye`;
  map.addSource(id, { type: "canvas", canvas: view.canvas, coordinates: view.corners(), animate: false });
  map.addSource(eyeId, { type: "geojson", data: pointOf(view.state), attribution: view.tiles.attribution });
  map.addLayer({ id, type: "raster", source: id, paint: { "raster-fade-duration": 0, "raster-resampling": "linear" } }, beforeId);
  map.addLayer({
    id: eyeId, type: "circle", source: eyeId,
    paint: { "circle-radius": 7, "circle-color": "#e8412f", "circle-stroke-color": "#ffffff", "circle-stroke-width": 2 },
  });

  const show = (state: TerrainViewState) => {
    const source = map.getSource(id);
    source?.setCoordinates(view.corners());
    // A canvas that is not animated is read again when it starts to play.
    source?.play();
    source?.pause();
    map.getSource(eyeId)?.setData(pointOf(state));
  };
  const stopListening = view.onChange(show);
  if (view.state) show(view.state);

  // One move at a time: while a view is computed, only the last place counts.
  let [isBusy, wanted] = [false, undefined as { longitude: number; latitude: number; dragging: boolean } | undefined];
  const move = async (longitude: number, latitude: number, dragging: boolean) => {
    wanted = { longitude, latitude, dragging };
    if (isBusy) return;
    isBusy = true;
    while (wanted) {
      const next: { longitude: number; latitude: number; dragging: boolean } = wanted;
      wanted = undefined;
      // Tiles may take long: a later place does not wait for them.
      view.moveTo(next.longitude, next.latitude, { dragging: next.dragging }).catch(onError);
      await new Promise((done) => requestAnimationFrame(done));
    }
    isBusy = false;
  };
  const isAtEye = (event: any, near: number) => {
    if (!view.state) return false;
    const at = map.project([view.state.longitude, view.state.latitude]);
    return Math.hypot(at.x - event.point.x, at.y - event.point.y) <= near;
  };
  let isDragging = false;
  const press = (near: number) => (event: any) => {
    if (event.originalEvent?.button > 0) return; // the right button rotates the map
    if (follow === "none" || (event.points?.length ?? 1) > 1 || !isAtEye(event, near)) return;
    event.preventDefault();
    isDragging = true;
    map.dragPan.disable();
  };
  const pointerMoves = (event: any) => {
    if (isDragging || follow === "pointer") void move(event.lngLat.lng, event.lngLat.lat, true);
    else map.getCanvas().style.cursor = follow === "drag" && isAtEye(event, NEAR_PX.mouse) ? "grab" : "";
  };
  const release = (event: any) => {
    if (!isDragging) return;
    isDragging = false;
    map.dragPan.enable();
    void move(event.lngLat.lng, event.lngLat.lat, false);
  };
  const click = (event: any) => {
    if (clickMoves && follow !== "none") void move(event.lngLat.lng, event.lngLat.lat, false);
  };
  const listeners: [string, (event: any) => void][] = [
    ["mousedown", press(NEAR_PX.mouse)], ["touchstart", press(NEAR_PX.touch)], ["mousemove", pointerMoves],
    ["touchmove", pointerMoves], ["mouseup", release], ["touchend", release], ["click", click],
  ];
  for (const [type, listener] of listeners) map.on(type, listener);

  return {
    setFollow(next) {
      follow = next;
    },
    remove() {
      stopListening();
      for (const [type, listener] of listeners) map.off(type, listener);
      for (const each of [id, eyeId]) {
        if (map.getLayer(each)) map.removeLayer(each);
        if (map.getSource(each)) map.removeSource(each);
      }
    },
  };
}

function pointOf(state: TerrainViewState | undefined) {
  const features = state === undefined ? [] : [{
    type: "Feature", properties: {}, geometry: { type: "Point", coordinates: [state.longitude, state.latitude] },
  }];
  return { type: "FeatureCollection", features };
}
