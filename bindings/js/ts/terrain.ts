// Everything: fields of view, viewsheds and the heights of web maps. Its module has both, so a page needs only one.
import * as bindings from "./wasm/terrain.js";
import { load, use, type ModuleSource } from "./module.js";

export type { ModuleSource } from "./module.js";
export type { Numbers } from "./check.js";
export { METHODS, type Decay, type Method, type MethodName, type Sector, type SightOptions } from "./options.js";
export { FieldOfView, KeptView, OpacityMap, View, type OpacityFunction, type ViewChanges } from "./sight.js";
export { CELL_STATES, Memory, TeamView, type CellState, type MapSize, type MemoryChanges } from "./perception.js";
export { RotFov, type LightPassesCallback, type RotOptions, type VisibilityCallback } from "./rot-fov.js";
export {
  EYE_HEIGHT_M, Ground, STANDARD_REFRACTION, viewshed, type EyeOptions, type GroundOptions, type PanoramaOptions, type Reason,
  type Skyline, type Viewshed,
} from "./ground.js";
export { cellOf, placeOf, TileSource, type Encoding, type HeightRequest, type Heights, type TileSourceOptions } from "./tiles.js";
export { TerrainView, type Colour, type PlaceReason, type TerrainViewOptions, type TerrainViewState } from "./terrain-view.js";

let loading: Promise<void> | undefined;

/**
 * Loads the WebAssembly module, once. Without a source it is the file next to this one.
 *
 * @throws Error if the file is missing or is not the module.
 */
export function init(source?: ModuleSource | Promise<ModuleSource>): Promise<void> {
  loading ??= load(bindings, source ?? new URL("./wasm/terrain_bg.wasm", import.meta.url)).catch((error) => {
    loading = undefined; // the next call tries again
    throw error;
  });
  return loading;
}

/** Takes the module from its bytes, without waiting: for workers and for pages that have loaded it. */
export function initSync(module: WebAssembly.Module | BufferSource): void {
  use(bindings, module);
  loading = Promise.resolve();
}
