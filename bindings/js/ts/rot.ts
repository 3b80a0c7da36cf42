// The interface of rot.js's field of view. Importing this loads the module, so that a game changes one line.
import { init } from "./index.js";
import { RotFov } from "./rot-fov.js";

export { RotFov, type LightPassesCallback, type RotOptions, type VisibilityCallback } from "./rot-fov.js";

await init();

/**
 * The names of rot.js, as classes and as types. Each is symmetric shadowcasting, which has neither the artefacts of the first nor those of the second.
 *
 * ```js
 * import { FOV } from "farsight-fov/rot"; // instead of: import { FOV } from "rot-js";
 * const fov = new FOV.PreciseShadowcasting((x, y) => level[y]?.[x] === ".");
 * fov.compute(5, 4, 10, (x, y, r, visibility) => draw(x, y, visibility));
 * ```
 */
export const FOV = {
  PreciseShadowcasting: RotFov,
  RecursiveShadowcasting: RotFov,
  DiscreteShadowcasting: RotFov,
};

export declare namespace FOV {
  type PreciseShadowcasting = RotFov;
  type RecursiveShadowcasting = RotFov;
  type DiscreteShadowcasting = RotFov;
}
