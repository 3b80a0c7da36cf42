// What is seen from a place of a web map, as a picture over it.
import { finite, invalid, number, options, word } from "./check.js";
import { EYE_HEIGHT_M, Ground, STANDARD_REFRACTION, type EyeOptions, type Reason, type Viewshed } from "./ground.js";
import { latitudeOf, longitudeOf } from "./mercator.js";
import { cellOf, placeOf, type Heights, TileSource } from "./tiles.js";

/** A colour: red, green, blue from 0 to 255, and opacity from 0 to 1. */
export type Colour = readonly [number, number, number, number];

/** What a view shows, and how. Heights and distances are in metres. */
export interface TerrainViewOptions {
  /** The range, by default 10 km. */
  maxDistance?: number;
  /** The side of a cell on the ground; by default a 700th of the range. */
  cellSize?: number;
  /** The height of the eye over the ground, by default 1.7 m. */
  eyeHeight?: number;
  /** The height of targets over the ground, by default 0. */
  targetHeight?: number;
  /** The curvature of light as a part of that of the Earth, by default 0.14286. */
  refraction?: number;
  /** Whether the Earth is round, by default it is. */
  earth?: boolean;
  /** The grade of a view at rest, by default `exact`. While the eye is dragged it is `two-parent`. */
  method?: "exact" | "two-parent";
  /** The colour of ground in sight, by default a light yellow of 45 %. */
  seenColour?: Colour;
  /** The colour of hidden ground in range, by default a dark blue of 45 %. */
  hiddenColour?: Colour;
  /** How much of the colour of ground in sight is lost at the end of the range, from 0 to 1; by default 0.8. */
  fade?: number;
}

/** The view of one place. */
export interface TerrainViewState {
  longitude: number;
  latitude: number;
  /** The height of the ground below the eye, over the sea. */
  groundHeight: number;
  /** The ground in sight in km². */
  seenKm2: number;
  /** Milliseconds of the last viewshed. */
  milliseconds: number;
  /** Whether heights for the whole range are loaded. While the eye is dragged beyond them, a view covers the loaded part only. */
  complete: boolean;
}

/** Why a place is in sight or hidden, with a sentence. */
export interface PlaceReason extends Reason {
  sentence: string;
  /** The place of the horizon on the way. */
  horizonPlace: { longitude: number; latitude: number } | undefined;
}

const KEYS = [
  "maxDistance", "cellSize", "eyeHeight", "targetHeight", "refraction", "earth", "method", "seenColour", "hiddenColour", "fade",
] as const;

/** The part of the range beyond it for which heights are loaded, so that the eye can move without a request. */
const MARGIN = 0.25;

function colour(name: string, value: Colour): Colour {
  if (!Array.isArray(value) || value.length !== 4) throw invalid(name, value, "red, green, blue and opacity");
  value.forEach((part, i) => number(`${name}[${i}]`, part, 0, i < 3 ? 255 : 1));
  return value;
}

/**
 * The ground that an eye sees, loaded from tiles and painted on a canvas of Web Mercator: what a layer of a web map shows.
 *
 * ```js
 * const view = new TerrainView(new TileSource({ url, encoding: "terrarium" }), { maxDistance: 12_000, eyeHeight: 10 });
 * view.onChange((state) => console.log(state.seenKm2));
 * await view.moveTo(10.98, 47.42);
 * ```
 */
export class TerrainView {
  /** The tiles. */
  readonly tiles: TileSource;
  /** The picture, whose corners are `corners()`. */
  readonly canvas: HTMLCanvasElement;
  #options: Required<TerrainViewOptions>;
  #listeners = new Set<(state: TerrainViewState) => void>();
  /** The place that was asked for, and that of the picture, which it becomes when its heights are loaded. */
  #eye: { longitude: number; latitude: number } | undefined;
  #shown: { longitude: number; latitude: number } | undefined;
  #heights: Heights | undefined;
  #ground: Ground | undefined;
  #loadedFor = "";
  #loading: AbortController | undefined;
  #state: TerrainViewState | undefined;
  #seen: Float32Array = new Float32Array(0);
  #disposed = false;

  constructor(tiles: TileSource, given?: TerrainViewOptions) {
    if (!(tiles instanceof TileSource)) throw invalid("tiles", tiles, "a TileSource");
    if (typeof document === "undefined") throw new Error("TerrainView paints on a canvas: expected a page with a document");
    this.tiles = tiles;
    this.canvas = document.createElement("canvas");
    this.canvas.width = this.canvas.height = 1;
    this.#options = TerrainView.#checked(given, undefined);
  }

  static #checked(given: TerrainViewOptions | undefined, old: Required<TerrainViewOptions> | undefined): Required<TerrainViewOptions> {
    const asked = options<TerrainViewOptions>("view", given, KEYS);
    const all = {
      maxDistance: 10_000, eyeHeight: EYE_HEIGHT_M, targetHeight: 0, refraction: STANDARD_REFRACTION, earth: true,
      method: "exact" as const, seenColour: [255, 226, 122, 0.45] as const, hiddenColour: [14, 18, 38, 0.45] as const, fade: 0.8,
      ...old, ...asked,
    };
    const maxDistance = number("maxDistance", all.maxDistance, 100, 200_000);
    const cellSize = asked.cellSize ?? (asked.maxDistance === undefined ? old?.cellSize : undefined) ?? maxDistance / 700;
    return {
      ...all, maxDistance, cellSize: number("cellSize", cellSize, 0.5, maxDistance / 2),
      eyeHeight: number("eyeHeight", all.eyeHeight, 0, 1e6), targetHeight: number("targetHeight", all.targetHeight, 0, 1e6),
      refraction: number("refraction", all.refraction, -1, 1), method: word("method", all.method, ["exact", "two-parent"]),
      seenColour: colour("seenColour", all.seenColour), hiddenColour: colour("hiddenColour", all.hiddenColour),
      fade: number("fade", all.fade, 0, 1),
    };
  }

  /** The present options. */
  get options(): Readonly<Required<TerrainViewOptions>> {
    return this.#options;
  }

  /** The present view, `undefined` before the first. */
  get state(): TerrainViewState | undefined {
    return this.#state;
  }

  /** Calls a function after each change of the picture. Returns a function that ends this. */
  onChange(listener: (state: TerrainViewState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Moves the eye. If its surroundings are loaded the picture is new at once; else it is when the tiles have arrived. A later call
   * replaces one that waits for tiles. With `dragging` the view has the fast grade.
   *
   * @throws Error as `TileSource.heights`.
   */
  async moveTo(longitude: number, latitude: number, { dragging = false } = {}): Promise<void> {
    this.#checkInUse();
    finite("longitude", longitude);
    finite("latitude", latitude);
    this.#eye = { longitude, latitude };
    if (this.#isLoaded("inside")) this.#compute(dragging);
    if (!this.#isLoaded("complete")) await this.#load(dragging);
  }

  /** Changes options. Only another range or cell size needs other heights. */
  async update(given: TerrainViewOptions): Promise<void> {
    this.#checkInUse();
    this.#options = TerrainView.#checked(given, this.#options);
    if (this.#eye) await this.moveTo(this.#eye.longitude, this.#eye.latitude);
  }

  /** Returns longitude and latitude of the corners of the picture, clockwise from the north-western one. */
  corners(): [[number, number], [number, number], [number, number], [number, number]] {
    const { west, south, east, north } = this.bounds();
    return [[west, north], [east, north], [east, south], [west, south]];
  }

  /** Returns the bounds of the picture in degrees. */
  bounds(): { west: number; south: number; east: number; north: number } {
    const heights = this.#heights;
    if (!heights || !this.#shown) return { west: -1, south: -1, east: 1, north: 1 }; // of an empty picture
    const { x, y } = cellOf(heights, this.#shown.longitude, this.#shown.latitude);
    const reach = (this.canvas.width - 1) / 2;
    const column = (cell: number) => longitudeOf(heights.worldX + cell * heights.worldCell);
    const row = (cell: number) => latitudeOf(heights.worldY + cell * heights.worldCell);
    return { west: column(x - reach), south: row(y + reach + 1), east: column(x + reach + 1), north: row(y - reach) };
  }

  /**
   * Returns why a place is in sight or hidden; a place beyond the loaded heights has no height.
   *
   * @throws Error before the first view.
   */
  explain(longitude: number, latitude: number): PlaceReason {
    this.#checkInUse();
    const [heights, ground] = [this.#heights, this.#ground];
    if (!heights || !ground || !this.#shown) throw new Error("explain: there is no view yet: expected await moveTo() before");
    const { x, y } = cellOf(heights, finite("longitude", longitude), finite("latitude", latitude));
    const eye = this.#eyeOptions(false);
    const isLoaded = x >= 0 && y >= 0 && x < heights.width && y < heights.height;
    const reason: Reason = isLoaded ? ground.explain(eye, x, y) : {
      visibility: 0, distance: Math.hypot(x - eye.x, y - eye.y) * heights.cellSize, height: NaN, clearance: undefined, horizon: undefined,
    };
    const horizonPlace = reason.horizon && placeOf(heights, reason.horizon.x, reason.horizon.y);
    return { ...reason, horizonPlace, sentence: this.#sentence(reason) };
  }

  #sentence({ visibility, distance, clearance, horizon, height }: Reason): string {
    const far = distanceText(distance);
    if (distance > this.#options.maxDistance) return `Out of range: ${far} away.`;
    if (Number.isNaN(height)) return `There are no heights for this place, ${far} away.`;
    if (visibility > 0) return `In sight, ${far} away.`;
    if (!horizon || clearance === undefined) return `Hidden, ${far} away.`;
    const by = Math.max(1, Math.round(-clearance));
    return `Hidden, ${far} away, by the ground ${distanceText(horizon.distance)} from the eye, which is ${Math.round(horizon.height)} m high. ` +
      `This place would have to be ${by} m higher to be seen.`;
  }

  /**
   * Draws the skyline on a canvas, all around from north: nearer ground is darker. Returns the elevations of the upper and the lower edge
   * in degrees.
   */
  drawSkyline(canvas: HTMLCanvasElement, near: Colour = [44, 56, 52, 1], far: Colour = [178, 196, 214, 1]): { top: number; bottom: number } {
    this.#checkInUse();
    const [ground, context] = [this.#ground, canvas.getContext("2d")];
    if (!ground || !this.#shown) throw new Error("drawSkyline: there is no view yet: expected await moveTo() before");
    if (!context) throw invalid("canvas", canvas, "a canvas for 2D drawing");
    const eye = this.#eyeOptions(false);
    const { elevation } = ground.horizon({ ...eye, azimuths: 180 });
    const known = elevation.filter((value) => !Number.isNaN(value));
    const [highest, lowest] = [Math.max(...known, -80), Math.min(...known, 80)];
    const [top, bottom] = [highest + 0.15 * (highest - lowest) + 0.6, lowest - 0.4 * (highest - lowest) - 2];
    const { width, height } = canvas;
    const metres = ground.panorama({ ...eye, pixels: { width, height, top, bottom } });
    const picture = context.createImageData(width, height);
    const range = Math.log1p(this.#options.maxDistance / 300);
    for (let i = 0, to = 0; i < metres.length; i++, to += 4) {
      const distance = metres[i]!;
      if (distance === Infinity) continue;
      const t = Math.min(Math.log1p(distance / 300) / range, 1);
      // A line where the ground above is much farther away.
      const above = i >= width ? metres[i - width]! : distance;
      const edge = above > distance * 1.12 + 30 ? 0.72 : 1;
      for (let part = 0; part < 3; part++) picture.data[to + part] = (near[part]! + (far[part]! - near[part]!) * t) * edge;
      picture.data[to + 3] = 255;
    }
    context.putImageData(picture, 0, 0);
    return { top, bottom };
  }

  /** Frees the memory, and ends a request that runs. */
  dispose(): void {
    this.#disposed = true;
    this.#loading?.abort();
    this.#ground?.dispose();
    this.#ground = this.#heights = undefined;
    this.#listeners.clear();
  }

  #checkInUse(): void {
    if (this.#disposed) throw new Error("this TerrainView is disposed: expected one that is in use");
  }

  #isLoaded(what: "inside" | "complete"): boolean {
    const heights = this.#heights;
    if (!heights || !this.#eye || this.#loadedFor !== this.#key()) return false;
    const { x, y } = cellOf(heights, this.#eye.longitude, this.#eye.latitude);
    const reach = what === "inside" ? 0 : Math.ceil(this.#options.maxDistance / heights.cellSize);
    const isInside = x >= reach && y >= reach && x < heights.width - reach && y < heights.height - reach;
    return isInside && !Number.isNaN(heights.values[y * heights.width + x]!);
  }

  #key(): string {
    return `${this.#options.maxDistance} ${this.#options.cellSize}`;
  }

  async #load(dragging: boolean): Promise<void> {
    this.#loading?.abort();
    const loading = (this.#loading = new AbortController());
    const { maxDistance, cellSize } = this.#options;
    const { longitude, latitude } = this.#eye!;
    let heights: Heights;
    try {
      heights = await this.tiles.heights({
        longitude, latitude, radius: maxDistance * (1 + MARGIN), cellSize, fullDetail: Math.max(maxDistance / 3, cellSize),
        signal: loading.signal,
      });
    } catch (error) {
      if (loading.signal.aborted) return; // a later call has the answer
      throw error;
    }
    if (loading.signal.aborted || this.#disposed) return;
    const ground = new Ground(heights.values, { width: heights.width, height: heights.height, cellSize: heights.cellSize });
    this.#ground?.dispose();
    [this.#heights, this.#ground, this.#loadedFor] = [heights, ground, this.#key()];
    this.#compute(dragging);
  }

  #eyeOptions(dragging: boolean): EyeOptions {
    const { maxDistance, eyeHeight, targetHeight, refraction, earth, method } = this.#options;
    const { x, y } = cellOf(this.#heights!, this.#shown!.longitude, this.#shown!.latitude);
    return { x, y, maxDistance, eyeHeight, targetHeight, refraction, earth, method: dragging ? "two-parent" : method };
  }

  #compute(dragging: boolean): void {
    const heights = this.#heights!;
    this.#shown = this.#eye;
    const eye = this.#eyeOptions(dragging);
    const start = performance.now();
    const seen = this.#ground!.viewshed(eye, this.#seen);
    const milliseconds = performance.now() - start;
    this.#seen = seen.values;
    const cells = this.#paint(seen, eye.x, eye.y);
    this.#state = {
      ...this.#shown!, groundHeight: heights.values[eye.y * heights.width + eye.x]!, seenKm2: (cells * heights.cellSize ** 2) / 1e6,
      milliseconds, complete: this.#isLoaded("complete"),
    };
    for (const listener of this.#listeners) listener(this.#state);
  }

  /** Paints the cells in range, and returns how many are in sight. */
  #paint(seen: Viewshed, x: number, y: number): number {
    const { maxDistance, seenColour, hiddenColour, fade } = this.#options;
    const radius = maxDistance / this.#heights!.cellSize;
    const reach = Math.ceil(radius);
    const side = 2 * reach + 1;
    if (this.canvas.width !== side) this.canvas.width = this.canvas.height = side;
    const context = this.canvas.getContext("2d");
    if (!context) throw new Error(`a canvas of ${side}x${side} pixels is not available: expected a larger cellSize`);
    const picture = context.createImageData(side, side);
    const pixels = new Uint32Array(picture.data.buffer);
    const rgb = ([r, g, b]: Colour) => r | (g << 8) | (b << 16);
    const [light, dark] = [rgb(seenColour), rgb(hiddenColour)];
    // Opacities by the squared distance, in a thousand steps.
    const STEPS = 1024;
    const rim = Math.max(radius * 0.02, 1);
    const opacities = (opacity: number, fades: number) => Uint32Array.from({ length: STEPS + 1 }, (_, i) => {
      const distance = Math.sqrt(i / STEPS);
      const soft = Math.min(((1 - distance) * radius) / rim, 1);
      return (Math.round(255 * opacity * (1 - fades * distance) * soft) << 24) >>> 0;
    });
    const [lights, darks] = [opacities(seenColour[3], fade), opacities(hiddenColour[3], 0)];
    const perSquare = STEPS / (radius * radius);
    let count = 0;
    for (let row = 0; row < seen.height; row++) {
      const dy = seen.top + row - y;
      const half = Math.floor(Math.sqrt(Math.max(radius * radius - dy * dy, 0)));
      const from = Math.max(x - half - seen.left, 0);
      const end = Math.min(x + half - seen.left, seen.width - 1);
      let to = (dy + reach) * side + (seen.left + from - x + reach);
      for (let column = from; column <= end; column++, to++) {
        const dx = seen.left + column - x;
        const at = ((dx * dx + dy * dy) * perSquare) | 0;
        const isSeen = seen.values[row * seen.width + column]! > 0;
        if (isSeen) count += 1;
        pixels[to] = isSeen ? light | lights[at]! : dark | darks[at]!;
      }
    }
    context.putImageData(picture, 0, 0);
    return count;
  }
}

function distanceText(metres: number): string {
  return metres < 1000 ? `${Math.round(metres)} m` : `${(metres / 1000).toFixed(metres < 10_000 ? 2 : 1)} km`;
}
