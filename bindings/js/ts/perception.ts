/// <reference lib="esnext.disposable" preserve="true" />
// The memory of a viewer, and the shared view of a team.
import type * as Raw from "./wasm/terrain.js";
import { coordinate, invalid, number, options, side, whole } from "./check.js";
import { ensureMemory, Handle, ready } from "./module.js";
import { View } from "./sight.js";

/** The state of a cell: never seen, seen before and now out of sight, or in sight. */
export type CellState = "hidden" | "seen" | "visible";

/** The states in the order of their numbers in `states()`: 0, 1, 2. */
export const CELL_STATES: readonly CellState[] = ["hidden", "seen", "visible"];

/** The cells that an update changed: pairs x, y, one after the other. `discovered` is the part of `newlySeen` that was hidden. */
export interface MemoryChanges {
  newlySeen: Int32Array;
  discovered: Int32Array;
  newlyHidden: Int32Array;
}

function taken(raw: Raw.Changes): MemoryChanges {
  const changes = { newlySeen: raw.newly_seen(), discovered: raw.discovered(), newlyHidden: raw.newly_hidden() };
  raw.free();
  return changes;
}

function viewOf(view: unknown): Raw.Frame {
  if (!(view instanceof View)) throw invalid("view", view, "a View, which compute returns");
  return view.raw();
}

/** Columns and rows of a map, such as an `OpacityMap`. */
export interface MapSize {
  width: number;
  height: number;
}

/** Bytes for a cell: its state, and the time at which it went out of sight. */
const BYTES_PER_CELL = 12;

function sizeOf(map: MapSize): [number, number] {
  if (typeof map !== "object" || map === null) throw invalid("map", map, "an object with width and height");
  const size: [number, number] = [side("width", map.width), side("height", map.height)];
  ensureMemory(size[0] * size[1] * BYTES_PER_CELL, `${size[0]}x${size[1]} cells`);
  return size;
}

/**
 * The map as a viewer remembers it (fog of war).
 *
 * ```js
 * const memory = new Memory(map);
 * const { discovered } = memory.update(fov.compute(map, 3, 0), { threshold: 0.25 });
 * ```
 */
export class Memory extends Handle<Raw.MapMemory> {
  readonly #count: number;

  /** `fading` is the number of updates out of sight after which a cell is forgotten; without it, never. */
  constructor(map: MapSize, given?: { fading?: number }) {
    const [width, height] = sizeOf(map);
    const { fading } = options<{ fading?: number }>("memory", given, ["fading"]);
    const updates = fading === undefined ? undefined : whole("fading", fading, 0, 2 ** 32 - 1);
    super("Memory", new (ready().MapMemory)(width, height, updates));
    this.#count = width * height;
  }

  /** Sets what is in sight: the cells with a visibility above 0 and at least `threshold`. With `forget`, other cells are hidden. */
  update(view: View, given?: { threshold?: number; forget?: boolean }): MemoryChanges {
    const { threshold = 0, forget = false } = options<{ threshold?: number; forget?: boolean }>("update", given, ["threshold", "forget"]);
    return taken(this.raw.update(viewOf(view), number("threshold", threshold), forget));
  }

  /** Returns the state of a cell; `hidden` off the map. */
  get(x: number, y: number): CellState {
    return CELL_STATES[this.raw.get(coordinate("x", x), coordinate("y", y))]!;
  }

  /** Returns how well a cell is remembered: 1 in sight, falling with every update if the memory fades, 0 if it is hidden. */
  strength(x: number, y: number): number {
    return this.raw.strength(coordinate("x", x), coordinate("y", y));
  }

  /** Returns the numbers of the states of all cells, row by row: to draw, or to save. */
  states(): Uint8Array {
    return this.raw.states();
  }

  /** Restores saved states of the same map. */
  restore(states: Uint8Array): void {
    if (!(states instanceof Uint8Array)) throw invalid("states", states, "a Uint8Array");
    if (states.length !== this.#count) {
      throw new Error(`states: ${states.length} values are not accepted: expected ${this.#count}, one for each cell`);
    }
    this.raw.restore(states);
  }

  /** Forgets all cells that are not in sight. */
  forget(): void {
    this.raw.forget();
  }
}

/** The union of the views of a team. A unit is a whole number that you choose. */
export class TeamView extends Handle<Raw.Team> {
  /** `threshold` is the least visibility at which a unit sees a cell; by default any above 0. */
  constructor(map: MapSize, given?: { threshold?: number }) {
    const [width, height] = sizeOf(map);
    const { threshold = 0 } = options<{ threshold?: number }>("team", given, ["threshold"]);
    super("TeamView", new (ready().Team)(width, height, number("threshold", threshold)));
  }

  /** Replaces the view of a unit. */
  set(unit: number, view: View): void {
    this.raw.set(whole("unit", unit, 0, 2 ** 32 - 1), viewOf(view));
  }

  /** Removes a unit. Returns `false` if there is no such unit. */
  remove(unit: number): boolean {
    return this.raw.remove(whole("unit", unit, 0, 2 ** 32 - 1));
  }

  /** Applies the views of all units, and returns what changed since the last update. */
  update(): MemoryChanges {
    return taken(this.raw.update());
  }

  /** Returns the number of units that see a cell now. */
  count(x: number, y: number): number {
    return this.raw.count(coordinate("x", x), coordinate("y", y));
  }

  /** Returns the state of a cell at the last update; `hidden` off the map. */
  get(x: number, y: number): CellState {
    return CELL_STATES[this.raw.get(coordinate("x", x), coordinate("y", y))]!;
  }

  /** Returns the numbers of the states of all cells, row by row. */
  states(): Uint8Array {
    return this.raw.states();
  }

  /** Returns the units that see a cell or a neighbour: those that need a new view when its opacity changes. */
  unitsNear(x: number, y: number): number[] {
    return Array.from(this.raw.units_near(coordinate("x", x), coordinate("y", y)));
  }
}

