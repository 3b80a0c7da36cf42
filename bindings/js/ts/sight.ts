/// <reference lib="esnext.disposable" preserve="true" />
// Maps of opacities and fields of view.
import type * as Raw from "./wasm/terrain.js";
import { cells, coordinate, floats, invalid, number, side, whole, type Numbers } from "./check.js";
import { ensureMemory, Handle, memoryReader, ready, rethrow } from "./module.js";
import { flatOptions, sectorOf, type Sector, type SightOptions } from "./options.js";

/** Bytes for a cell of a map: its opacities, in rows and columns, and the copy that comes in. */
const BYTES_PER_CELL = 16;

/**
 * The opacity of every cell of a map, from 0 (clear) to 1 (a wall); 0.4 is a hedge. A cell is a column `x` and a row `y`, from 0.
 *
 * ```js
 * const map = OpacityMap.fromText("#..@..4\n.......");
 * map.set(2, 0, 1); // a wall
 * ```
 */
export class OpacityMap extends Handle<Raw.Opacities> {
  /** The number of columns. */
  readonly width: number;
  /** The number of rows. */
  readonly height: number;

  private constructor(raw: Raw.Opacities) {
    super("OpacityMap", raw);
    this.width = raw.width();
    this.height = raw.height();
  }

  private static sized(width: number, height: number): number {
    const count = side("width", width) * side("height", height);
    ensureMemory(count * BYTES_PER_CELL, `${width}x${height} cells`);
    return count;
  }

  /**
   * Copies opacities, row by row: `values[y * width + x]`.
   *
   * @throws Error for another number of values, and for the first value that is not from 0 to 1.
   */
  static fromValues(values: Numbers, width: number, height: number): OpacityMap {
    const count = OpacityMap.sized(width, height);
    const copy = floats("opacity", values, count, `${width} columns times ${height} rows`);
    return new OpacityMap(ready().Opacities.from_values(copy, width, height));
  }

  /** Creates a map of clear cells. */
  static clear(width: number, height: number): OpacityMap {
    OpacityMap.sized(width, height);
    return new OpacityMap(ready().Opacities.clear(width, height));
  }

  /** Asks a function for the opacity of every cell once; `true` is a wall and `false` is clear. */
  static fromCells(width: number, height: number, opacity: (x: number, y: number) => number | boolean): OpacityMap {
    const values = new Float32Array(OpacityMap.sized(width, height));
    if (typeof opacity !== "function") throw invalid("opacity", opacity, "a function of x and y");
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i++) values[i] = opacityOf(opacity(x, y), x, y);
    }
    return new OpacityMap(ready().Opacities.from_values(values, width, height));
  }

  /**
   * Reads a map drawn as text, or as an array of rows: `#` is a wall, `.` is clear, `1` to `9` are tenths, `+` and `'` are closed and
   * open doors, `@` is clear.
   *
   * @throws Error with line and column of the first character that is none of them.
   */
  static fromText(text: string | readonly string[]): OpacityMap {
    const drawn = Array.isArray(text) ? text.join("\n") : text;
    if (typeof drawn !== "string") throw invalid("text", text, "a string, or an array of rows");
    return new OpacityMap(ready().Opacities.from_text(drawn));
  }

  /** Returns a copy of all opacities, row by row. */
  values(): Float32Array {
    return this.raw.values();
  }

  /** Returns the opacity of a cell, `undefined` off the map. */
  get(x: number, y: number): number | undefined {
    return this.raw.get(coordinate("x", x), coordinate("y", y));
  }

  /** Changes the opacity of a cell: a tree falls. It takes constant time. */
  set(x: number, y: number, opacity: number): void {
    this.raw.set(coordinate("x", x), coordinate("y", y), number("opacity", opacity));
  }

  /** Changes many cells, all of them or, if one is invalid, none. */
  setMany(at: Int32Array | readonly (readonly [number, number])[], opacities: Numbers): void {
    const pairs = cells("cells", at);
    this.raw.set_many(pairs, floats("opacities", opacities, pairs.length / 2, "one for each cell"));
  }

  /** Marks a cell as a door, or removes the mark. Its opacity stays. */
  setDoor(x: number, y: number, isDoor = true): void {
    this.raw.set_door(coordinate("x", x), coordinate("y", y), isDoor);
  }

  /** Returns the state of a door, `undefined` without one. */
  door(x: number, y: number): "open" | "closed" | undefined {
    return doorState(this.raw.door(coordinate("x", x), coordinate("y", y)));
  }

  /**
   * Opens or closes a door, and returns its new state.
   *
   * @throws Error for a cell that is no door: `setDoor`, or `+` and `'` in a text, make it one.
   */
  toggleDoor(x: number, y: number): "open" | "closed" {
    const state = doorState(this.raw.toggle_door(coordinate("x", x), coordinate("y", y)));
    if (state === undefined) throw new Error(`toggleDoor: cell ${x},${y} is not a door: expected a cell that setDoor, or + or ' in a text, made one`);
    return state;
  }

  /** Returns the cells of the doors as pairs x, y, one after the other. */
  doors(): Int32Array {
    return this.raw.doors();
  }
}

function doorState(isOpen: boolean | undefined): "open" | "closed" | undefined {
  return isOpen === undefined ? undefined : isOpen ? "open" : "closed";
}

/**
 * A function for the opacity of a cell of an own map, which may have chunks and no edge. `true` is a wall, `false` is clear; `undefined`
 * and `null` are for a cell that does not exist: it is not visible and blocks the view.
 */
export type OpacityFunction = (x: number, y: number) => number | boolean | undefined | null;

/** Returns the opacity that a function returned, NaN for a cell that does not exist. */
function opacityOf(value: unknown, x: number, y: number): number {
  if (value === true) return 1;
  if (value === false) return 0;
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  if (value === undefined || value === null) return NaN;
  throw invalid(`opacity at ${x},${y}`, value, "a number from 0 (clear) to 1 (a wall), true, or false");
}

/**
 * The visibilities around a viewer, from 0 (hidden) to 1 (in plain view). A `FieldOfView` has one view, which its next `compute`
 * overwrites; `keep` copies it.
 */
export class View {
  /** The viewer's cell. */
  x = 0;
  y = 0;
  /** The map cell of the first value. */
  left = 0;
  top = 0;
  /** Columns and rows of the values: the part of the map in range. */
  width = 0;
  height = 0;
  /** The values of this part, row by row. The next `compute` reuses the buffer. */
  values: Float32Array = new Float32Array(0);
  #buffer = new Float32Array(0);
  /** @internal */
  readonly raw: () => Raw.Frame;
  readonly #floatsAt = memoryReader();

  /** @internal */
  constructor(raw: () => Raw.Frame) {
    this.raw = raw;
  }

  /** @internal Copies the values out of the module. */
  refresh(x: number, y: number): this {
    const raw = this.raw();
    [this.x, this.y, this.left, this.top] = [x, y, raw.left(), raw.top()];
    [this.width, this.height] = [raw.width(), raw.height()];
    const count = this.width * this.height;
    if (this.#buffer.length < count) this.#buffer = new Float32Array(count);
    if (this.values.length !== count || this.values.buffer !== this.#buffer.buffer) this.values = this.#buffer.subarray(0, count);
    this.values.set(this.#floatsAt(raw.address(), count));
    return this;
  }

  /** Returns the visibility of a cell of the map; 0 out of range. */
  get(x: number, y: number): number {
    const column = x - this.left;
    const row = y - this.top;
    if (!(column >= 0 && row >= 0 && column < this.width && row < this.height)) return 0;
    return this.values[row * this.width + column] ?? 0;
  }

  /**
   * Returns whether a cell is seen: its visibility is above 0. For decisions use the method `symmetric-shadowcast`; with `two-parent`
   * compare `get` with a threshold.
   */
  sees(x: number, y: number): boolean {
    return this.get(x, y) > 0;
  }

  /** Calls a function for each cell with at least a visibility, row by row; cells with 0 never count. */
  forEach(look: (x: number, y: number, visibility: number) => void, threshold = 0): void {
    const { left, top, width, height, values } = this;
    for (let row = 0, i = 0; row < height; row++) {
      for (let column = 0; column < width; column++, i++) {
        const value = values[i]!;
        if (value > 0 && value >= threshold) look(left + column, top + row, value);
      }
    }
  }

  /**
   * Writes the view into the values of a whole map, row by row, with 0 out of range, and returns them. Without `out` they are new.
   */
  toMap(width: number, height: number, out = new Float32Array(side("width", width) * side("height", height))): Float32Array {
    if (!(out instanceof Float32Array)) throw invalid("out", out, "a Float32Array");
    floats("out", out, side("width", width) * side("height", height), `${width} columns times ${height} rows`);
    out.fill(0);
    const [first, end] = [Math.max(this.left, 0), Math.min(this.left + this.width, width)];
    for (let y = Math.max(this.top, 0); y < Math.min(this.top + this.height, height) && first < end; y++) {
      const from = (y - this.top) * this.width - this.left;
      out.set(this.values.subarray(from + first, from + end), y * width + first);
    }
    return out;
  }

  /** Returns a copy that outlives the next `compute`. */
  keep(): KeptView {
    return new KeptView(ready().KeptView.of(this.raw()));
  }
}

/** The cells that changed between two views: pairs x, y, one after the other. */
export interface ViewChanges {
  newlySeen: Int32Array;
  newlyHidden: Int32Array;
}

/** A copy of a view. */
export class KeptView extends Handle<Raw.KeptView> {
  /** @internal */
  constructor(raw: Raw.KeptView) {
    super("KeptView", raw);
  }

  /** Returns the visibility of a cell of the map; 0 out of range. */
  get(x: number, y: number): number {
    return this.raw.get(coordinate("x", x), coordinate("y", y));
  }

  /** Returns the cells with at least a visibility as pairs x, y, row by row; cells with 0 never count. */
  atLeast(threshold = 0): Int32Array {
    return this.raw.at_least(number("threshold", threshold));
  }

  /** Returns the cells that changed since another view; a cell is seen if its visibility is above 0 and at least `threshold`. */
  changesSince(previous: KeptView, threshold = 0): ViewChanges {
    if (!(previous instanceof KeptView)) throw invalid("previous", previous, "a KeptView");
    const changes = this.raw.changes_since(previous.raw, number("threshold", threshold));
    const found = { newlySeen: changes.newly_seen(), newlyHidden: changes.newly_hidden() };
    changes.free();
    return found;
  }
}

/** The largest radius over a function: the square around the viewer takes 64 MB. */
const LARGEST_RADIUS = 2048;

/** Returns the cells that a view over a function may need: those in range, and the walls around them. */
function reachOf(flat: { radius: number; shape: string }, walls: boolean): { radius: number; isSquare: boolean } {
  const radius = flat.radius === 2 ** 32 - 1 ? Infinity : flat.radius + (walls ? 1 : 0);
  return { radius, isSquare: flat.shape === "square" };
}

/**
 * Computes the visibility of the cells around a viewer, with one configuration and reused buffers.
 *
 * ```js
 * const fov = new FieldOfView({ radius: 24, method: "beam" });
 * const view = fov.compute(map, 3, 0);
 * view.get(6, 0); // 1: the hedge itself is in plain view
 * ```
 *
 * @throws Error for an option that is unknown or out of range, with its value and what is accepted.
 */
export class FieldOfView extends Handle<Raw.Fov> {
  readonly #frame: Raw.Frame;
  readonly #view: View;
  #reach = { radius: 0, isSquare: false };
  #square: Float32Array | undefined;

  constructor(options?: SightOptions) {
    const { flat, walls } = flatOptions(options);
    const raw = new (ready().Fov)(flat, walls);
    super("FieldOfView", raw);
    this.#reach = reachOf(flat, walls);
    this.#frame = raw.frame();
    this.#view = new View(() => {
      this.raw; // throws if it is disposed
      return this.#frame;
    });
  }

  override dispose(): void {
    if (!this.disposed) this.#frame.free();
    super.dispose();
  }

  /** Replaces all options. Buffers that still fit are kept. */
  configure(options?: SightOptions): void {
    const { flat, walls } = flatOptions(options);
    this.raw.configure(flat, walls);
    this.#reach = reachOf(flat, walls);
  }

  /**
   * Computes what is seen from a cell, on a map or over a function for each cell, in a cone of vision if there is one. The cost
   * depends on the radius, not on the map. A function is asked once for each cell in range. The view is that of this object, and the next call
   * overwrites it.
   *
   * @throws Error for a viewer off the map, and what the function throws.
   */
  compute(map: OpacityMap | OpacityFunction, x: number, y: number, sector?: Sector): View {
    const [column, row] = [coordinate("x", x), coordinate("y", y)];
    if (map instanceof OpacityMap) {
      const cone = sector && sectorOf(sector);
      try {
        if (cone) this.raw.compute_sector(map.raw, column, row, cone.facing, cone.span);
        else this.raw.compute(map.raw, column, row);
      } catch (error) {
        rethrow(error);
      }
    } else if (typeof map === "function") {
      if (sector !== undefined) throw invalid("sector", sector, "undefined over a function: use the option of the field of view");
      this.#computeCells(map, column, row);
    } else {
      throw invalid("map", map, "an OpacityMap, or a function for the opacity of a cell");
    }
    return this.#view.refresh(column, row);
  }

  /** Asks a function for each cell that may be in range, and computes the view over them. */
  #computeCells(opacity: OpacityFunction, x: number, y: number, within = Infinity): void {
    const radius = Math.min(this.#reach.radius, within);
    const isSquare = this.#reach.isSquare || radius === within;
    if (radius > LARGEST_RADIUS) throw invalid("radius", radius === Infinity ? radius : radius - 1, `${LARGEST_RADIUS} at most over a function`);
    const side = 2 * radius + 1;
    this.raw; // throws if it is disposed
    const square = this.#square?.length === side * side ? this.#square : new Float32Array(side * side);
    this.#square = undefined; // the function may compute another view
    for (let dy = -radius, i = 0; dy <= radius; dy++, i += side) {
      const half = isSquare ? radius : Math.min(radius, Math.ceil(Math.sqrt((radius + 1) ** 2 - dy * dy)));
      for (let column = x - half, at = i + radius - half; column <= x + half; column++, at++) {
        const value = opacity(column, y + dy);
        square[at] = value === 0 ? 0 : opacityOf(value, column, y + dy); // most cells are clear
      }
    }
    this.raw.compute_square(square, x - radius, y - radius, side);
    this.#square = square;
  }

  /** @internal Computes a view of the cells up to `within` columns and rows from the viewer: no others are asked for. */
  computeSquare(opacity: OpacityFunction, x: number, y: number, within: number): View {
    const [column, row] = [coordinate("x", x), coordinate("y", y)];
    this.#computeCells(opacity, column, row, within);
    return this.#view.refresh(column, row);
  }

  /** Returns the visibility of a target from a viewer: the value of the view without `walls`, in less time. */
  lineOfSight(map: OpacityMap, x: number, y: number, targetX: number, targetY: number): number {
    if (!(map instanceof OpacityMap)) throw invalid("map", map, "an OpacityMap");
    const both = [x, y, targetX, targetY].map((value, i) => coordinate(["x", "y", "targetX", "targetY"][i]!, value));
    return this.raw.line_of_sight(map.raw, Int32Array.from(both));
  }

  /**
   * Returns who sees whom: the visibility of creature `j` from creature `i` is `[i * n + j]` of n creatures. `radii` is the range of
   * each, or of all. The values are those of the views of this object without `walls`: with its method, shape, sector and decay.
   * The two directions of a pair are equal for symmetric methods (see `Method`), the same range and no sector. Otherwise they differ,
   * and the minimum of `[i * n + j]` and `[j * n + i]` is what both see at least.
   */
  mutual(map: OpacityMap, at: Int32Array | readonly (readonly [number, number])[], radii: number | Numbers): Float32Array {
    if (!(map instanceof OpacityMap)) throw invalid("map", map, "an OpacityMap");
    const pairs = cells("cells", at);
    const count = pairs.length / 2;
    const each = typeof radii === "number" ? Array.from({ length: count }, () => radii) : Array.from(radii);
    if (each.length !== count) throw new Error(`radii: ${each.length} values are not accepted: expected ${count}, one for each cell`);
    const ranges = Uint32Array.from(each, (radius, i) => whole(`radii[${i}]`, radius, 0, 2 ** 32 - 1));
    return this.raw.mutual(map.raw, pairs, ranges);
  }
}
