// The interface of rot.js's field of view, so that a game changes one line.
import { invalid, whole } from "./check.js";
import type { SightOptions } from "./options.js";
import { FieldOfView } from "./sight.js";

/**
 * Whether light passes a cell, as for rot.js: any truthy value lets it pass, also a number. It is not an opacity, of which 1 is a wall;
 * for opacities use `FieldOfView`.
 */
export type LightPassesCallback = (x: number, y: number) => unknown;

/** A visible cell: its ring around the viewer, and its visibility, which is always 1 unless `options` have another method or a decay. */
export type VisibilityCallback = (x: number, y: number, r: number, visibility: number) => void;

/** The neighbours of a cell: 8 is a square around the viewer, 4 a diamond. */
export interface RotOptions {
  topology?: 4 | 8;
}

/** The directions of rot.js: 0 is the top of the map, and the numbers go clockwise in steps of 45 degrees. */
const STEP_DEG = 45;

/** For each topology the first cell of the ring of radius 1, and the steps along the sides of a ring, as in rot.js. */
const RINGS = {
  4: { first: [0, 1], steps: [[-1, -1], [1, -1], [1, 1], [-1, 1]], stepsPerSide: 1 },
  8: { first: [-1, 1], steps: [[0, -1], [1, 0], [0, 1], [-1, 0]], stepsPerSide: 2 },
} as const;

/**
 * A field of view with the interface of rot.js, also for its `Lighting`. The range is a square for topology 8, where that of a
 * `FieldOfView` is a circle, and a diamond for topology 4.
 */
export class RotFov {
  /** Whether light passes a cell: the function of the constructor. */
  _lightPasses: (x: number, y: number) => boolean;
  /** The options of the constructor. */
  _options: { topology: 4 | 8 };
  readonly #options: SightOptions;
  #fov: { radius: number; facing: number; span: number; fov: FieldOfView } | undefined;

  /** `options` choose another method than `symmetric-shadowcast`, or a decay; radius and sector are those of each call. */
  constructor(lightPasses: LightPassesCallback, { topology = 8 }: RotOptions = {}, options: SightOptions = {}) {
    if (typeof lightPasses !== "function") throw invalid("lightPassesCallback", lightPasses, "a function of x and y");
    if (topology !== 8 && topology !== 4) throw invalid("topology", topology, "8 or 4: cells of hexagons have no field of view here");
    this._lightPasses = lightPasses as (x: number, y: number) => boolean; // what it returns is only tested
    this._options = { topology };
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

  /** Returns the cells of a ring around a cell, in the order of rot.js. */
  _getCircle(cx: number, cy: number, r: number): number[][] {
    const { first, steps, stepsPerSide } = RINGS[this._options.topology];
    const ring: number[][] = [];
    let [x, y] = [cx + first[0] * r, cy + first[1] * r];
    for (const [dx, dy] of steps) {
      for (let i = 0; i < r * stepsPerSide; i++, x += dx, y += dy) ring.push([x, y]);
    }
    return ring;
  }

  #look(x: number, y: number, R: number, facing: number, span: number, callback: VisibilityCallback): void {
    const range = whole("R", R, 0, 2048);
    // Methods that answer yes or no see a circle: the one around the square has its corners.
    const { topology } = this._options;
    const radius = topology === 8 ? Math.ceil(range * Math.SQRT2) : range;
    let last = this.#fov;
    this.#fov = undefined; // the functions may compute another view
    if (last?.radius !== radius || last.facing !== facing || last.span !== span) {
      const options: SightOptions = { method: "symmetric-shadowcast", ...this.#options, radius, sector: { facing, span } };
      last?.fov.configure(options);
      last = { radius, facing, span, fov: last?.fov ?? new FieldOfView(options) };
    }
    const opacity = (cx: number, cy: number) => (this._lightPasses(cx, cy) ? 0 : 1);
    const view = last.fov.computeSquare(opacity, x, y, range);
    callback(x, y, 0, 1);
    view.forEach((cx, cy, visibility) => {
      const [dx, dy] = [Math.abs(cx - x), Math.abs(cy - y)];
      const ring = topology === 8 ? Math.max(dx, dy) : dx + dy;
      if (ring > 0 && ring <= range) callback(cx, cy, ring, visibility);
    });
    this.#fov = last;
  }
}
