// Fields of view, without viewsheds.
import * as bindings from "./wasm/sight.js";
import { hasTerrain, load, use, type ModuleSource } from "./module.js";

export type { ModuleSource } from "./module.js";
export type { Numbers } from "./check.js";
export { METHODS, type Decay, type Method, type MethodName, type Sector, type SightOptions } from "./options.js";
export { FieldOfView, KeptView, OpacityMap, View, type OpacityFunction, type ViewChanges } from "./sight.js";
export { RotFov, type LightPassesCallback, type RotOptions, type VisibilityCallback } from "./rot-fov.js";
export { CELL_STATES, Memory, TeamView, type CellState, type MapSize, type MemoryChanges } from "./perception.js";

let loading: Promise<void> | undefined;

/**
 * Loads the WebAssembly module, once. Without a source it is the file next to this one; nothing else is ever fetched.
 *
 * @throws Error if the file is missing or is not the module.
 */
export function init(source?: ModuleSource | Promise<ModuleSource>): Promise<void> {
  if (hasTerrain()) return Promise.resolve(); // it has all of this
  loading ??= load(bindings, source ?? new URL("./wasm/sight_bg.wasm", import.meta.url)).catch((error) => {
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
