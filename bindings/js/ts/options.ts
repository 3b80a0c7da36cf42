// The options of a field of view.
import { invalid, number, options, text, whole, word } from "./check.js";

/**
 * The algorithm.
 *
 * - `two-parent`, the default and the fastest: soft shadows; symmetric with linear weights, the default. A value is a brightness, not
 *   a decision.
 * - `beam`: sharp shadows with fractions at their edges; not symmetric. `beams` is from 0.5 to 4, by default 1.
 * - `exact`: the slow reference; not symmetric. `samples` is from 1 to 32, by default 7.
 * - `symmetric-shadowcast`: yes or no, and symmetric between floor cells. For roguelikes and tactics.
 * - `shadowcast`, `raycast-border`, `raycast-circle`: older yes-or-no methods, to compare; not symmetric.
 *
 * `wallAt` is the least opacity of a wall for the methods that answer yes or no, from 0.001 to 1, by default 0.5: a hedge of 0.4 is
 * clear for them.
 */
export type Method =
  | MethodName
  | { name: "two-parent"; weights?: "linear" | "projection" }
  | { name: "beam"; beams?: number }
  | { name: "exact"; samples?: number }
  | { name: "symmetric-shadowcast" | "shadowcast"; wallAt?: number }
  | { name: "raycast-border"; wallAt?: number; repair?: boolean }
  | { name: "raycast-circle"; wallAt?: number; rays?: number };

/** The name of a method, which then has its default parameters. */
export type MethodName = (typeof METHODS)[number];

/** The names of all methods. */
export const METHODS = [
  "two-parent", "beam", "exact", "symmetric-shadowcast", "shadowcast", "raycast-border", "raycast-circle",
] as const;

/**
 * The decay of visibility with distance: a factor that is 1 at the viewer and never rises. Distances are in cells. At `reach` the factor
 * is 0, by default at radius + 1. At `half` it is ½, by default at half the radius. `near` is the distance up to which it is 1.
 * `points` are pairs of distance and factor.
 */
export type Decay =
  | "none" | "linear" | "smooth" | "inverse-square" | "exponential" | "lamp" | "fuzzy"
  | { kind: "none" }
  | { kind: "linear" | "smooth"; reach?: number }
  | { kind: "inverse-square" | "exponential"; half?: number }
  | { kind: "lamp"; reach?: number; half?: number }
  | { kind: "fuzzy"; near?: number; half?: number }
  | { kind: "points"; points: readonly (readonly [number, number])[] };

/** A cone of vision in degrees: `facing` is its middle, 0 at the top of the map and 90 at the right; `span` is 1 to 360. */
export interface Sector {
  facing: number;
  span: number;
}

/** The options of a field of view. */
export interface SightOptions {
  /** The range in cells, by default 32. `Infinity` reaches the edge of the map, at most 4096 cells from the viewer. */
  radius?: number;
  /** The shape of the cells in range, by default a circle, which is the only one for methods that answer yes or no. */
  shape?: "circle" | "square" | "diamond";
  /** The algorithm, by default `two-parent`. */
  method?: Method;
  /** Whether opacity counts once per cell (the default) or per cell width of the line: for areas of haze, fog and wood. */
  path?: "per-cell" | "per-length";
  /** The decay with distance, by default none. */
  decay?: Decay;
  /** The directions of the view, by default all. */
  sector?: Sector;
  /**
   * Whether a wall is at least as visible as the floor in front of it: what a game draws and remembers. By default `false`; use it in
   * every dungeon. Methods that answer yes or no need it not.
   */
  walls?: boolean;
}

const KEYS = ["radius", "shape", "method", "path", "decay", "sector", "walls"] as const;
const MAX_U32 = 2 ** 32 - 1;

/** Returns the facing and the span of a sector. The module checks their ranges. */
export function sectorOf(value: unknown): Sector {
  if (value === undefined) return { facing: 0, span: 360 };
  const sector = options<Sector>("sector", value, ["facing", "span"]);
  return { facing: number("facing", sector.facing), span: number("span", sector.span) };
}

function ofKind(name: string, value: unknown, key: string): Record<string, unknown> {
  if (typeof value === "string") return { [key]: value };
  if (typeof value !== "object" || value === null || typeof (value as Record<string, unknown>)[key] !== "string") {
    throw invalid(name, value, `a name, or an object with "${key}"`);
  }
  return value as Record<string, unknown>;
}

const SHAPES = ["circle", "square", "diamond"] as const;
const PARAMETERS: Record<string, readonly string[]> = {
  "two-parent": ["weights"], beam: ["beams"], exact: ["samples"], "symmetric-shadowcast": ["wallAt"], shadowcast: ["wallAt"],
  "raycast-border": ["wallAt", "repair"], "raycast-circle": ["wallAt", "rays"],
};
const LENGTHS: Record<string, readonly string[]> = {
  none: [], linear: ["reach"], smooth: ["reach"], "inverse-square": ["half"], exponential: ["half"], lamp: ["reach", "half"],
  fuzzy: ["near", "half"], points: ["points"],
};

function refuseOthers(name: string, given: Record<string, unknown>, key: string, known: readonly string[]): void {
  for (const other of Object.keys(given)) {
    if (other !== key && !known.includes(other)) {
      const accepted = known.length > 0 ? known.join(", ") : "no other key";
      throw new Error(`${name}: "${other}" is not a parameter of ${text(given[key])}: expected ${accepted}`);
    }
  }
}

/** Returns whether a method has values between 0 and 1; the others answer yes or no. */
function hasFractions(method: MethodName): boolean {
  return method === "two-parent" || method === "beam" || method === "exact";
}

/** Returns the options as the module reads them: flat, with checked types. */
export function flatOptions(value: unknown) {
  const given = options<SightOptions>("field of view", value, KEYS);
  const { radius = 32, shape = "circle", path = "per-cell", walls = false } = given;
  const method = ofKind("method", given.method ?? "two-parent", "name");
  word("method", method["name"], METHODS);
  refuseOthers("method", method, "name", PARAMETERS[method["name"] as string]);
  word("shape", shape, SHAPES);
  if (shape !== "circle" && !hasFractions(method["name"] as MethodName)) {
    throw invalid("shape", shape, `"circle", which is the shape of the method "${method["name"]}"`);
  }
  const decay = ofKind("decay", given.decay ?? "none", "kind");
  word("decay", decay["kind"], Object.keys(LENGTHS));
  refuseOthers("decay", decay, "kind", LENGTHS[decay["kind"] as string]);
  if (typeof walls !== "boolean") throw invalid("walls", walls, "true or false");
  const numberOf = (from: Record<string, unknown>, key: string) => from[key] === undefined ? undefined : number(key, from[key]);
  const wholeOf = (key: string) => method[key] === undefined ? undefined : whole(key, method[key], 0, MAX_U32);
  const { repair, weights } = method;
  if (repair !== undefined && typeof repair !== "boolean") throw invalid("repair", repair, "true or false");
  let points: Float64Array | undefined;
  if (decay["kind"] === "points") {
    if (!Array.isArray(decay["points"])) throw invalid("points", decay["points"], "an array of pairs [distance, factor]");
    points = Float64Array.from(decay["points"].flatMap((pair, i) => {
      if (!Array.isArray(pair) || pair.length !== 2) throw invalid(`points[${i}]`, pair, "a pair [distance, factor]");
      return pair.map((part, j) => number(`points[${i}][${j}]`, part));
    }));
  }
  const flat = {
    radius: radius === Infinity ? MAX_U32 : whole("radius", radius, 0, MAX_U32),
    shape,
    path: word("path", path, ["per-cell", "per-length"]),
    method: method["name"] as string,
    weights: weights === undefined ? undefined : word("weights", weights, ["linear", "projection"]),
    beams: numberOf(method, "beams"), samples: wholeOf("samples"), wallAt: numberOf(method, "wallAt"), rays: wholeOf("rays"),
    repair: repair as boolean | undefined,
    decay: decay["kind"] as string, reach: numberOf(decay, "reach"), half: numberOf(decay, "half"), near: numberOf(decay, "near"),
    points, ...sectorOf(given.sector),
  };
  return { flat, walls };
}
