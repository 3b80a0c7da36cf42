// Reads the pixels of PNG files without a canvas, which may change colours, and is not in Node and Deno.

/** Red, green, blue and opacity of each pixel, row by row. */
export interface Pixels {
  width: number;
  height: number;
  rgba: Uint8Array;
}

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
/** The largest side of a tile. */
const MAX_SIDE = 4096;

export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, i) => bytes[i] === byte);
}

async function inflate(parts: Uint8Array[], limit: number): Promise<Uint8Array> {
  const stream = new Blob(parts as BlobPart[]).stream().pipeThrough(new DecompressionStream("deflate"));
  const out = new Uint8Array(limit);
  let filled = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return out.subarray(0, filled);
    if (filled + value.length > limit) {
      void reader.cancel().catch(() => undefined);
      return out.fill(0, 0, 0); // more rows than the header says: the first ones count
    }
    out.set(value, filled);
    filled += value.length;
  }
}

/**
 * Decodes colours of 8 bits, with or without opacity, and palettes.
 *
 * @throws Error for other kinds of pixels, and for a file that is damaged.
 */
export async function decodePng(bytes: Uint8Array): Promise<Pixels> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const data: Uint8Array[] = [];
  let [width, height, depth, colour, interlace] = [0, 0, 0, 0, 0];
  let palette: Uint8Array | undefined;
  let opacities: Uint8Array | undefined;
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    const kind = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (body.length < length) throw new Error("it is cut off");
    if (kind === "IHDR" && length === 13) {
      [width, height, depth, colour, interlace] =
        [view.getUint32(at + 8), view.getUint32(at + 12), bytes[at + 16]!, bytes[at + 17]!, bytes[at + 20]!];
    } else if (kind === "PLTE") palette = body;
    else if (kind === "tRNS") opacities = body;
    else if (kind === "IDAT") data.push(body);
    else if (kind === "IEND") break;
    at += length + 12;
  }
  if (!(width >= 1 && width <= MAX_SIDE && height >= 1 && height <= MAX_SIDE)) {
    throw new Error(`${width}x${height} pixels are not accepted: expected sides of 1 to ${MAX_SIDE}`);
  }
  const channels = ({ 2: 3, 3: 1, 6: 4 } as Record<number, number>)[colour];
  if (depth !== 8 || channels === undefined || interlace !== 0 || (colour === 3 && !palette)) {
    throw new Error(`pixels of kind ${colour} with ${depth} bits are not accepted: expected colours of 8 bits, not interlaced`);
  }
  const stride = width * channels;
  const rows = await inflate(data, (stride + 1) * height);
  if (rows.length < (stride + 1) * height) throw new Error("it is cut off");
  unfilter(rows, stride, height, channels);
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, from = y * (stride + 1) + 1; x < width; x++, from += channels, to += 4) {
      if (palette) {
        const entry = rows[from]!;
        rgba.set(palette.subarray(3 * entry, 3 * entry + 3), to);
        rgba[to + 3] = opacities?.[entry] ?? 255;
      } else {
        rgba[to] = rows[from]!;
        rgba[to + 1] = rows[from + 1]!;
        rgba[to + 2] = rows[from + 2]!;
        rgba[to + 3] = channels === 4 ? rows[from + 3]! : 255;
      }
    }
  }
  return { width, height, rgba };
}

/** Reverses the filters of PNG in place (the specification's section 9). */
function unfilter(rows: Uint8Array, stride: number, height: number, channels: number): void {
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1) + 1;
    const above = start - stride - 1;
    const filter = rows[start - 1];
    for (let i = 0; i < stride; i++) {
      const left = i >= channels ? rows[start + i - channels]! : 0;
      const up = y > 0 ? rows[above + i]! : 0;
      let guess = 0;
      if (filter === 1) guess = left;
      else if (filter === 2) guess = up;
      else if (filter === 3) guess = (left + up) >> 1;
      else if (filter === 4) {
        const corner = y > 0 && i >= channels ? rows[above + i - channels]! : 0;
        const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
        guess = a <= b && a <= c ? left : b <= c ? up : corner;
      } else if (filter !== 0) throw new Error(`the filter ${filter} is not valid: expected 0 to 4`);
      rows[start + i] = (rows[start + i]! + guess) & 255;
    }
  }
}
