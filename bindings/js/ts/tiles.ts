// Heights from tiles of web maps.
import { finite, invalid, number, options, whole, word } from "./check.js";
import { groundWidth, latitudeOf, longitudeOf, MAX_LATITUDE, worldX, worldY } from "./mercator.js";
import { decodePng, isPng, type Pixels } from "./png.js";

/** How colours are heights: `terrarium` of Tilezen and AWS, `terrain-rgb` of Mapbox and MapTiler. */
export type Encoding = "terrarium" | "terrain-rgb";

export interface TileSourceOptions {
  /** The address of a tile with `{z}`, `{x}` and `{y}`. */
  url: string;
  /** How colours are heights; by default `terrarium`. */
  encoding?: Encoding;
  /** Pixels of a side of a tile, by default 256. */
  tileSize?: number;
  /** The first and the last zoom that there is, by default 0 and 14. */
  minZoom?: number;
  maxZoom?: number;
  /** The most tiles that are fetched at the same time, by default 6. */
  concurrency?: number;
  /** The most tiles that are kept, by default 128: those of 256 pixels take 32 MB. */
  cacheTiles?: number;
  /** Whom a map has to name: a layer for MapLibre or Leaflet adds it to the attribution of the map. */
  attribution?: string;
  /** Fetches instead of the function of the browser, for instance with a key in a header. */
  fetch?: (address: string, request: { signal: AbortSignal }) => Promise<Response>;
}

export interface HeightRequest {
  longitude: number;
  latitude: number;
  /** The range around the place in metres. */
  radius: number;
  /** The side of a cell on the ground in metres; by default a 800th of the radius, at least 5 m. */
  cellSize?: number;
  /**
   * The distance in metres up to which tiles have the resolution of the cells, by default a quarter of the radius. Each doubling
   * beyond it takes tiles of half the resolution. `Infinity` takes the same everywhere.
   */
  fullDetail?: number;
  /** Ends the request. */
  signal?: AbortSignal;
  /** Hears how many of the tiles have arrived. */
  onProgress?: (loaded: number, total: number) => void;
}

/**
 * Heights around a place, in square cells of Web Mercator: row by row from the north, NaN where a tile is missing. The cell size on the
 * ground is that at the place. At a distance it differs by the stretch of the projection: by 0.3 % at 10 km and 60° of latitude.
 */
export interface Heights {
  values: Float32Array;
  width: number;
  height: number;
  /** Metres on the ground. */
  cellSize: number;
  /** The cell of the place. */
  x: number;
  y: number;
  /** The north-western corner, and the side of a cell, in widths of the world. */
  worldX: number;
  worldY: number;
  worldCell: number;
  /** The zoom of the nearest tiles. */
  zoom: number;
  /** The addresses of the tiles that the server does not have. */
  missing: string[];
  /** The number of tiles. */
  tiles: number;
}

interface Tile {
  heights: Promise<Float32Array | undefined>;
  abort: AbortController;
  waiting: number;
}

interface Level {
  zoom: number;
  /** The first tile, and the columns and rows of tiles. */
  left: number;
  top: number;
  columns: number;
  rows: number;
  values: Float32Array;
}

const MAX_CELLS = 2 ** 26;
const ABORTED = "the request was aborted";

/**
 * Tiles of heights from a server. They are fetched only by `heights`, and kept for the next request.
 *
 * ```js
 * const tiles = new TileSource({ url: "https://example.org/{z}/{x}/{y}.png", encoding: "terrarium" });
 * const { values, width, height, cellSize, x, y } = await tiles.heights({ longitude: 10.98, latitude: 47.42, radius: 10_000 });
 * ```
 */
export class TileSource {
  readonly url: string;
  readonly encoding: Encoding;
  readonly tileSize: number;
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly attribution: string;
  readonly #concurrency: number;
  readonly #cacheTiles: number;
  readonly #fetch: (address: string, request: { signal: AbortSignal }) => Promise<Response>;
  readonly #tiles = new Map<string, Tile>();
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(given: TileSourceOptions) {
    const {
      url, encoding = "terrarium", tileSize = 256, minZoom = 0, maxZoom = 14, concurrency = 6, cacheTiles = 128, attribution = "",
      fetch = (address, request) => globalThis.fetch(address, request),
    } = options<TileSourceOptions>("tiles", given, [
      "url", "encoding", "tileSize", "minZoom", "maxZoom", "concurrency", "cacheTiles", "attribution", "fetch",
    ]);
    if (typeof url !== "string" || !["{z}", "{x}", "{y}"].every((part) => url.includes(part))) {
      throw invalid("url", url, "an address with {z}, {x} and {y}");
    }
    if (typeof fetch !== "function") throw invalid("fetch", fetch, "a function");
    this.url = url;
    this.encoding = word("encoding", encoding, ["terrarium", "terrain-rgb"]);
    this.tileSize = whole("tileSize", tileSize, 1, 4096);
    this.minZoom = whole("minZoom", minZoom, 0, 24);
    this.maxZoom = whole("maxZoom", maxZoom, this.minZoom, 24);
    this.attribution = attribution;
    this.#concurrency = whole("concurrency", concurrency, 1, 64);
    this.#cacheTiles = whole("cacheTiles", cacheTiles, 0, 1e6);
    this.#fetch = fetch;
  }

  /**
   * Loads the heights around a place.
   *
   * @throws Error for an answer that is no tile, for a server that other pages may not read (CORS), and if no tile has the place; the
   * reason of `signal` if it is aborted. Tiles that the server does not have (404) are NaN and listed.
   */
  async heights(given: HeightRequest): Promise<Heights> {
    const request = options<HeightRequest>("heights", given, [
      "longitude", "latitude", "radius", "cellSize", "fullDetail", "signal", "onProgress",
    ]);
    const longitude = finite("longitude", request.longitude);
    const latitude = number("latitude", request.latitude, -MAX_LATITUDE, MAX_LATITUDE);
    const radius = number("radius", request.radius, 1, 500_000);
    const cellSize = number("cellSize", request.cellSize ?? Math.max(radius / 800, 5), 0.1, 100_000);
    const fullDetail = number("fullDetail", request.fullDetail ?? radius / 4, cellSize);
    const { signal, onProgress } = request;
    signal?.throwIfAborted();
    const half = Math.ceil(radius / cellSize);
    const side = 2 * half + 1;
    if (side * side > MAX_CELLS) {
      throw new Error(`${side}x${side} cells of ${cellSize} m are not accepted: expected ${MAX_CELLS} cells at most`);
    }
    const ground = groundWidth(latitude);
    const worldCell = cellSize / ground;
    const [eyeX, eyeY] = [worldX(longitude), worldY(latitude)];
    const best = Math.round(Math.log2(ground / (this.tileSize * cellSize)));
    const zoom = Math.min(Math.max(best, this.minZoom), this.maxZoom);

    // Boxes around the place, each of twice the size and half the resolution of the one before.
    const boxes: { zoom: number; half: number }[] = [];
    for (let reach = Math.min(fullDetail, radius), i = 0; ; reach *= 2, i++) {
      const last = reach >= radius || zoom - i <= this.minZoom;
      boxes.push({ zoom: zoom - i, half: (last ? radius + cellSize : reach) / ground });
      if (last) break;
    }
    const missing: string[] = [];
    let [loaded, total] = [0, 0];
    const jobs: (() => Promise<void>)[] = [];
    const levels = boxes.map((box, i): Level => {
      const scale = 2 ** box.zoom;
      const margin = 1.5 / (scale * this.tileSize);
      const range = (centre: number) =>
        [Math.floor((centre - box.half - margin) * scale), Math.floor((centre + box.half + margin) * scale)] as const;
      const [[left, right], [top, bottom]] = [range(eyeX), range(eyeY)];
      const level = {
        zoom: box.zoom, left, top, columns: right - left + 1, rows: bottom - top + 1,
        values: new Float32Array((right - left + 1) * (bottom - top + 1) * this.tileSize ** 2).fill(NaN),
      };
      const inner = i > 0 ? boxes[i - 1]!.half - margin : 0;
      const isInside = (tile: number, centre: number) => tile / scale > centre - inner && (tile + 1) / scale < centre + inner;
      for (let y = Math.max(top, 0); y <= Math.min(bottom, scale - 1); y++) {
        for (let x = left; x <= right; x++) {
          if (isInside(x, eyeX) && isInside(y, eyeY)) continue; // the finer level has it
          total += 1;
          jobs.push(async () => {
            const address = this.#address(box.zoom, ((x % scale) + scale) % scale, y);
            const heights = await this.#tile(address, signal);
            if (heights) this.#place(level, x, y, heights);
            else missing.push(address);
            onProgress?.(++loaded, total);
          });
        }
      }
      return level;
    });
    await Promise.all(jobs.map((job) => job()));
    signal?.throwIfAborted();

    const [cornerX, cornerY] = [eyeX - (half + 0.5) * worldCell, eyeY - (half + 0.5) * worldCell];
    const values = new Float32Array(side * side);
    const reach = boxes.map((box) => box.half * ground / cellSize);
    for (let i = 0; i < levels.length; i++) {
      const outer = Math.min(Math.floor(reach[i]!), half);
      const inner = i > 0 ? Math.min(Math.floor(reach[i - 1]!), half) : -1;
      this.#resample(levels[i]!, values, side, half, inner, i === levels.length - 1 ? half : outer, cornerX, cornerY, worldCell);
    }
    if (Number.isNaN(values[half * side + half])) {
      const among = missing.length > 0 ? `: the server lacks ${missing.length} of ${total} tiles, such as ${missing[0]}` : "";
      throw new Error(`no height at longitude ${longitude}, latitude ${latitude}${among}`);
    }
    return {
      values, width: side, height: side, cellSize, x: half, y: half, worldX: cornerX, worldY: cornerY, worldCell, zoom, missing,
      tiles: total,
    };
  }

  #address(z: number, x: number, y: number): string {
    return this.url.replaceAll("{z}", String(z)).replaceAll("{x}", String(x)).replaceAll("{y}", String(y));
  }

  /** Copies a tile into the mosaic of its level. */
  #place(level: Level, x: number, y: number, heights: Float32Array): void {
    const size = this.tileSize;
    const stride = level.columns * size;
    let to = (y - level.top) * size * stride + (x - level.left) * size;
    for (let row = 0; row < size; row++, to += stride) level.values.set(heights.subarray(row * size, (row + 1) * size), to);
  }

  /** Interpolates the cells beyond `inner` and up to `outer` rings around the middle, bilinearly between the centres of pixels. */
  #resample(
    level: Level, out: Float32Array, side: number, half: number, inner: number, outer: number, cornerX: number, cornerY: number,
    worldCell: number,
  ): void {
    const scale = 2 ** level.zoom * this.tileSize;
    const [stride, rows] = [level.columns * this.tileSize, level.rows * this.tileSize];
    const [left, top] = [level.left * this.tileSize, level.top * this.tileSize];
    const { values } = level;
    for (let y = half - outer; y <= half + outer; y++) {
      const py = (cornerY + (y + 0.5) * worldCell) * scale - 0.5 - top;
      const y0 = Math.min(Math.max(Math.floor(py), 0), rows - 1);
      const y1 = Math.min(y0 + 1, rows - 1);
      const ty = Math.min(Math.max(py - y0, 0), 1);
      const isMiddle = Math.abs(y - half) <= inner;
      for (let x = half - outer; x <= half + outer; x++) {
        if (isMiddle && x === half - inner) x = half + inner + 1;
        if (x > half + outer) break;
        const px = (cornerX + (x + 0.5) * worldCell) * scale - 0.5 - left;
        const x0 = Math.min(Math.max(Math.floor(px), 0), stride - 1);
        const x1 = Math.min(x0 + 1, stride - 1);
        const tx = Math.min(Math.max(px - x0, 0), 1);
        const [a, b] = [values[y0 * stride + x0]!, values[y0 * stride + x1]!];
        const [c, d] = [values[y1 * stride + x0]!, values[y1 * stride + x1]!];
        const value = (a * (1 - tx) + b * tx) * (1 - ty) + (c * (1 - tx) + d * tx) * ty;
        // Next to nodata the nearest pixel counts.
        out[y * side + x] = Number.isNaN(value) ? (ty < 0.5 ? (tx < 0.5 ? a : b) : tx < 0.5 ? c : d) : value;
      }
    }
  }

  /** Returns the heights of a tile, `undefined` if the server does not have it. */
  async #tile(address: string, signal: AbortSignal | undefined): Promise<Float32Array | undefined> {
    let tile = this.#tiles.get(address);
    if (tile) {
      this.#tiles.delete(address); // the last one used is the last one to go
    } else {
      const abort = new AbortController();
      tile = { abort, waiting: 0, heights: this.#queued(() => this.#load(address, abort.signal), abort.signal) };
      tile.heights.catch(() => this.#forget(address, tile!));
    }
    this.#tiles.set(address, tile);
    for (const [oldest, { waiting }] of this.#tiles) {
      if (this.#tiles.size <= Math.max(this.#cacheTiles, 1)) break;
      if (waiting === 0 && oldest !== address) this.#tiles.delete(oldest);
    }
    tile.waiting += 1;
    const mine = tile;
    let stop: (() => void) | undefined;
    try {
      if (!signal) return await tile.heights;
      const stopped = new Promise<never>((_, reject) => {
        stop = () => reject(signal.reason ?? new Error(ABORTED));
        signal.addEventListener("abort", stop, { once: true });
      });
      return await Promise.race([tile.heights, stopped]);
    } finally {
      if (stop) signal!.removeEventListener("abort", stop);
      mine.waiting -= 1;
      // Nobody waits for it any more.
      if (mine.waiting === 0 && signal?.aborted) {
        mine.abort.abort(signal.reason);
        this.#forget(address, mine);
      }
      if (this.#cacheTiles === 0 && mine.waiting === 0) this.#forget(address, mine);
    }
  }

  #forget(address: string, tile: Tile): void {
    if (this.#tiles.get(address) === tile) this.#tiles.delete(address);
  }

  /** Runs a job when fewer than `concurrency` run. */
  async #queued<T>(job: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#running >= this.#concurrency) await new Promise<void>((start) => this.#queue.push(start));
    else this.#running += 1;
    try {
      signal.throwIfAborted();
      return await job();
    } finally {
      const next = this.#queue.shift();
      if (next) next(); // takes the place of this one
      else this.#running -= 1;
    }
  }

  async #load(address: string, signal: AbortSignal): Promise<Float32Array | undefined> {
    let response: Response;
    try {
      response = await this.#fetch(address, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw new Error(`tile ${address}: no answer (${error}): expected a server that lets this page read it (CORS)`);
    }
    if (response.status === 404 || response.status === 204) return undefined;
    if (!response.ok) throw new Error(`tile ${address}: the server answered ${response.status}: expected 200, or 404 for no tile`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    let pixels: Pixels;
    try {
      pixels = isPng(bytes) ? await decodePng(bytes) : await decodeByBrowser(bytes);
    } catch (error) {
      const type = response.headers.get("content-type") ?? "no type";
      throw new Error(`tile ${address}: ${bytes.length} bytes (${type}) are no tile: expected PNG or WebP (${(error as Error).message})`);
    }
    if (pixels.width !== this.tileSize || pixels.height !== this.tileSize) {
      throw new Error(`tile ${address}: ${pixels.width}x${pixels.height} pixels are not accepted: expected tileSize ${this.tileSize}`);
    }
    return heightsOf(pixels, this.encoding);
  }
}

/** Decodes WebP and other pictures where there is a canvas. */
async function decodeByBrowser(bytes: Uint8Array): Promise<Pixels> {
  if (typeof createImageBitmap === "undefined" || typeof OffscreenCanvas === "undefined") throw new Error("not PNG");
  const bitmap = await createImageBitmap(new Blob([bytes as BlobPart]), { colorSpaceConversion: "none", premultiplyAlpha: "none" });
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("no canvas");
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return { width, height, rgba: new Uint8Array(context.getImageData(0, 0, width, height).data.buffer) };
}

/** Returns heights in metres; NaN for transparent pixels and for black, the lowest number of both encodings. */
export function heightsOf({ rgba, width, height }: Pixels, encoding: Encoding): Float32Array {
  const heights = new Float32Array(width * height);
  for (let i = 0, at = 0; i < heights.length; i++, at += 4) {
    const [r, g, b] = [rgba[at]!, rgba[at + 1]!, rgba[at + 2]!];
    if (rgba[at + 3] === 0 || (r | g | b) === 0) heights[i] = NaN;
    else heights[i] = encoding === "terrarium" ? r * 256 + g + b / 256 - 32768 : -10000 + (r * 65536 + g * 256 + b) * 0.1;
  }
  return heights;
}

/** Returns the place of the centre of a cell. */
export function placeOf(heights: Heights, x: number, y: number): { longitude: number; latitude: number } {
  return {
    longitude: longitudeOf(heights.worldX + (x + 0.5) * heights.worldCell),
    latitude: latitudeOf(heights.worldY + (y + 0.5) * heights.worldCell),
  };
}

/** Returns the cell of a place, which may be off the map. */
export function cellOf(heights: Heights, longitude: number, latitude: number): { x: number; y: number } {
  return {
    x: Math.floor((worldX(longitude) - heights.worldX) / heights.worldCell),
    y: Math.floor((worldY(latitude) - heights.worldY) / heights.worldCell),
  };
}
