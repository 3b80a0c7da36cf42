/// <reference lib="esnext.disposable" preserve="true" />
// Viewsheds, horizons and panoramas over heights.
import type * as Raw from "./wasm/terrain.js";
import { coordinate, finite, floats, invalid, number, options, side, whole, word, type Numbers } from "./check.js";
import { ensureMemory, Handle, memoryReader, ready, rethrow } from "./module.js";

/** The height of a standing person's eye in metres. */
export const EYE_HEIGHT_M = 1.7;

/** The curvature of light by the air, as a part of that of the Earth: the 1/7 of GDAL and of surveyors. */
export const STANDARD_REFRACTION = 0.14286;

/** An eye over the ground, and what it looks at. Heights and distances are in metres. */
export interface EyeOptions {
  /** The column of the eye. */
  x: number;
  /** The row of the eye. */
  y: number;
  /** The height of the eye over its ground, 0 or more; by default 1.7 m. */
  eyeHeight?: number;
  /** The height of a target over its ground, 0 or more; by default 0. */
  targetHeight?: number;
  /** The range, above 0; by default to the edge of the ground. */
  maxDistance?: number;
  /** The curvature of light as a part of that of the Earth; by default 0.14286. */
  refraction?: number;
  /** Whether the Earth is round: by default it is, and `false` is a flat one. */
  earth?: boolean;
  /** `exact` (the default) traces a line to each cell; `two-parent` interpolates as GDAL does, and is 10 to 25 times as fast. */
  method?: "exact" | "two-parent";
  /** The depth below the horizon at which a target is fully hidden; by default 0, a hard edge. */
  softness?: number;
}

const EYE_KEYS = [
  "x", "y", "eyeHeight", "targetHeight", "maxDistance", "refraction", "earth", "method", "softness",
] as const;

/** Returns the options as the module reads them: flat, with checked types. */
function eyeOf(given: EyeOptions) {
  const {
    x, y, eyeHeight = EYE_HEIGHT_M, targetHeight = 0, maxDistance = Infinity, refraction = STANDARD_REFRACTION, earth = true,
    method = "exact", softness = 0,
  } = given;
  if (typeof earth !== "boolean") throw invalid("earth", earth, "true or false");
  if (typeof maxDistance !== "number" || !(maxDistance > 0)) throw invalid("maxDistance", maxDistance, "more than 0 m");
  return {
    x: coordinate("x", x), y: coordinate("y", y), eye: number("eyeHeight", eyeHeight, 0, 1e6),
    target: number("targetHeight", targetHeight, 0, 1e6), maxDistance,
    curvature: earth ? 1 - number("refraction", refraction, -1, 1) : 0,
    method: word("method", method, ["exact", "two-parent"]), softness: number("softness", softness, 0, 1e6),
  };
}

/** The part of the ground in range, with the visibility of each cell from 0 to 1, row by row. */
export interface Viewshed {
  /** The map cell of the first value. */
  left: number;
  top: number;
  width: number;
  height: number;
  values: Float32Array;
}

/** The skyline, from north over east. NaN and -1 are for directions without data. */
export interface Skyline {
  /** Degrees clockwise from the top of the map. */
  azimuth: Float64Array;
  /** Degrees over the level of the eye. */
  elevation: Float64Array;
  /** Metres from the eye. */
  distance: Float64Array;
  /** Metres over the sea. */
  height: Float64Array;
  x: Int32Array;
  y: Int32Array;
}

/** The directions of a panorama in degrees: by default all around from north, from 10 below the level of the eye to 10 above. */
export interface PanoramaOptions {
  /** Columns of pixels. */
  width: number;
  /** Rows of pixels. */
  height: number;
  /** The azimuth of the left edge. */
  left?: number;
  /** The field from the left to the right edge, at most 360. */
  field?: number;
  /** The elevation of the upper edge. */
  top?: number;
  /** The elevation of the lower edge. */
  bottom?: number;
}

/** Why a cell is in sight or hidden. Distances and heights are in metres. */
export interface Reason {
  /** From 0 to 1. */
  visibility: number;
  /** The distance of the cell. */
  distance: number;
  /** The height of its ground over the sea, NaN without data. */
  height: number;
  /** The height of the target over the line from the eye over the horizon: below 0 it is hidden. `undefined` without a horizon. */
  clearance: number | undefined;
  /** The point that is the horizon on the way: it hides a hidden cell. `undefined` without data. */
  horizon: { distance: number; height: number; x: number; y: number } | undefined;
}

/** Columns, rows and cells of a ground. */
export interface GroundOptions {
  width: number;
  height: number;
  /** The side of a cell in metres, or its width and height. */
  cellSize: number | readonly [number, number];
}

/** Bytes for a cell of ground: its height, the copy that comes in, and the buffers of a viewshed. */
const BYTES_PER_CELL = 24;
/** Bytes for a pixel of a panorama: its distance in columns and in rows. */
const BYTES_PER_PIXEL = 8;

/**
 * The heights of the ground, row by row from the north, and what is seen over them. NaN is nodata.
 *
 * ```js
 * using ground = new Ground(heights, { width: 200, height: 100, cellSize: 30 });
 * const seen = ground.viewshed({ x: 50, y: 50, eyeHeight: 10, maxDistance: 2000 });
 * ```
 *
 * @throws Error for another number of values, for heights beyond 20 km and for sides of cells out of range.
 */
export class Ground extends Handle<Raw.Ground> {
  readonly width: number;
  readonly height: number;
  readonly cellSize: readonly [number, number];
  readonly #frame: Raw.Frame;
  readonly #floatsAt = memoryReader();

  constructor(heights: Numbers, given: GroundOptions) {
    const { width, height, cellSize } = options<GroundOptions>("ground", given, ["width", "height", "cellSize"]);
    const count = side("width", width) * side("height", height);
    const sides: unknown[] = Array.isArray(cellSize) ? cellSize : [cellSize, cellSize];
    if (sides.length !== 2) throw invalid("cellSize", cellSize, "metres, or a pair of them");
    const [x, y] = [number("cellSize", sides[0], 1e-3, 1e6), number("cellSize", sides[1], 1e-3, 1e6)];
    ensureMemory(count * BYTES_PER_CELL, `${width}x${height} heights`);
    const copy = floats("heights", heights, count, `${width} columns times ${height} rows`);
    const { Ground: RawGround } = ready();
    if (!RawGround) throw new Error("this module has no viewsheds: expected init from farsight-fov/terrain");
    const raw = new RawGround(copy, width, height, x, y);
    super("Ground", raw);
    [this.width, this.height, this.cellSize] = [width, height, [x, y]];
    this.#frame = raw.frame();
  }

  override dispose(): void {
    if (!this.disposed) this.#frame.free();
    super.dispose();
  }

  /** Computes the visibility of the ground in range. Without `out`, or if its length differs, the values are new. */
  viewshed(eye: EyeOptions, out?: Float32Array): Viewshed {
    const flat = eyeOf(options<EyeOptions>("eye", eye, EYE_KEYS));
    try {
      this.raw.viewshed(flat);
    } catch (error) {
      rethrow(error);
    }
    const frame = this.#frame;
    const [width, height] = [frame.width(), frame.height()];
    const values = out instanceof Float32Array && out.length === width * height ? out : new Float32Array(width * height);
    values.set(this.#floatsAt(frame.address(), width * height));
    return { left: frame.left(), top: frame.top(), width, height, values };
  }

  /** Computes the skyline; `convergence` is the azimuth of the top of the map from true north in degrees. */
  horizon(given: EyeOptions & { azimuths?: number; convergence?: number }): Skyline {
    const { azimuths = 360, convergence = 0, ...eye } =
      options<EyeOptions & { azimuths?: number; convergence?: number }>("eye", given, [...EYE_KEYS, "azimuths", "convergence"]);
    const count = whole("azimuths", azimuths, 1, 2 ** 20);
    const flat = this.raw.horizon(eyeOf(eye), count, finite("convergence", convergence));
    const column = (i: number) => Float64Array.from({ length: count }, (_, row) => flat[5 * row + i]!);
    const cell = (i: number) => Int32Array.from(column(i), (value) => Number.isNaN(value) ? -1 : value);
    return {
      azimuth: Float64Array.from({ length: count }, (_, row) => (360 * row) / count),
      elevation: column(0), distance: column(1), height: column(2), x: cell(3), y: cell(4),
    };
  }

  /** Computes the distance of the ground in each pixel of a panorama in metres, row by row; `Infinity` is the sky. */
  panorama(given: EyeOptions & { pixels: PanoramaOptions }): Float32Array {
    const { pixels, ...eye } = options<EyeOptions & { pixels: PanoramaOptions }>("eye", given, [...EYE_KEYS, "pixels"]);
    const { width, height, left = 0, field = 360, top = 10, bottom = -10 } =
      options<PanoramaOptions>("pixels", pixels, ["width", "height", "left", "field", "top", "bottom"]);
    const [columns, rows] = [whole("width", width, 1, 2 ** 16), whole("height", height, 1, 2 ** 16)];
    ensureMemory(columns * rows * BYTES_PER_PIXEL, `${columns}x${rows} pixels`);
    const directions = [finite("left", left), finite("field", field), finite("top", top), finite("bottom", bottom)];
    return this.raw.panorama(eyeOf(eye), columns, rows, Float64Array.from(directions));
  }

  /** Returns why a cell is in sight or hidden. */
  explain(eye: EyeOptions, x: number, y: number): Reason {
    const found = this.raw.explain(eyeOf(options<EyeOptions>("eye", eye, EYE_KEYS)), coordinate("x", x), coordinate("y", y));
    const [visibility, distance, clearance, ridge, ridgeHeight, ridgeX, ridgeY, height] = found as unknown as number[];
    return {
      visibility: visibility!, distance: distance!, height: height!,
      clearance: Number.isNaN(clearance) ? undefined : clearance,
      horizon: Number.isNaN(ridge) ? undefined : { distance: ridge!, height: ridgeHeight!, x: ridgeX!, y: ridgeY! },
    };
  }
}

/** Computes the viewshed of heights that are used once; see `Ground`. */
export function viewshed(heights: Numbers, given: GroundOptions & EyeOptions): Viewshed {
  const { width, height, cellSize, ...eye } =
    options<GroundOptions & EyeOptions>("viewshed", given, ["width", "height", "cellSize", ...EYE_KEYS]);
  const ground = new Ground(heights, { width, height, cellSize });
  try {
    return ground.viewshed(eye);
  } finally {
    ground.dispose();
  }
}
