// The interface of rot.js's field of view, so that a game changes one line.
import { invalid, whole } from "./check.js";
import type { SightOptions } from "./options.js";
import { FieldOfView } from "./sight.js";

/** Whether light passes a cell. Instead of `true` and `false` it may return the opacity of the cell: 0.4 is a hedge. */
export type LightPassesCallback = (x: number, y: number) => boolean | number;

/** A visible cell: its ring around the viewer, and its visibility, which is 1 for methods that answer yes or no. */
export type VisibilityCallback = (x: number, y: number, r: number, visibility: number) => void;

/** The neighbours of a cell: 8 is a square around the viewer, 4 a diamond. */
export interface RotOptions {
  topology?: 4 | 8;
}

/** The directions of rot.js: 0 is the top of the map, and the numbers go clockwise in steps of 45 degrees. */
const STEP_DEG = 45;

/** A field of view with the interface of rot.js. */
export class RotFov {
  readonly #lightPasses: LightPassesCallback;
  readonly #topology: 4 | 8;
  readonly #options: SightOptions;
  #fov: { radius: number; facing: number; span: number; fov: FieldOfView } | undefined;

  /** `options` choose another method, a decay, or a path rule; radius and sector are those of each call. */
  constructor(lightPasses: LightPassesCallback, { topology = 8 }: RotOptions = {}, options: SightOptions = {}) {
    if (typeof lightPasses !== "function") throw invalid("lightPassesCallback", lightPasses, "a function of x and y");
    if (topology !== 8 && topology !== 4) throw invalid("topology", topology, "8 or 4: cells of hexagons have no field of view here");
    this.#lightPasses = lightPasses;
    this.#topology = topology;
    this.#options = options;
  }

  /** Calls a function for each visible cell within a radius, the viewer's own first. */
  compute(x: number, y: number, R: number, callback: VisibilityCallback): void {
    this.#look(x, y, R, 0, 360, callback);
  }

  /** Computes the half turn around a direction of rot.js, 0 to 7. */
  compute180(x: number, y: number, R: number, dir: number, callback: VisibilityCallback): void {
    this.#look(x, y, R, whole("dir", dir, 0, 7) * STEP_DEG, 180, callback);
  }

  /** Computes the quarter turn around a direction of rot.js, 0 to 7. */
  compute90(x: number, y: number, R: number, dir: number, callback: VisibilityCallback): void {
    this.#look(x, y, R, whole("dir", dir, 0, 7) * STEP_DEG, 90, callback);
  }

  #look(x: number, y: number, R: number, facing: number, span: number, callback: VisibilityCallback): void {
    const range = whole("R", R, 0, 2048);
    // Methods that answer yes or no see a circle: the one around the square has its corners.
    const radius = this.#topology === 8 ? Math.ceil(range * Math.SQRT2) : range;
    if (this.#fov?.radius !== radius || this.#fov.facing !== facing || this.#fov.span !== span) {
      this.#fov ??= { radius, facing, span, fov: new FieldOfView() };
      this.#fov.fov.configure({ method: "symmetric-shadowcast", ...this.#options, radius, sector: { facing, span } });
      Object.assign(this.#fov, { radius, facing, span });
    }
    const lightPasses = this.#lightPasses;
    const opacity = (cx: number, cy: number) => {
      const passes = lightPasses(cx, cy);
      return typeof passes === "number" ? passes : passes ? 0 : 1;
    };
    const view = this.#fov.fov.computeSquare(opacity, x, y, range);
    callback(x, y, 0, 1);
    view.forEach((cx, cy, visibility) => {
      const [dx, dy] = [Math.abs(cx - x), Math.abs(cy - y)];
      const ring = this.#topology === 8 ? Math.max(dx, dy) : dx + dy;
      if (ring > 0 && ring <= range) callback(cx, cy, ring, visibility);
    });
  }
}
