// Writes tiles of heights, for servers of the tests.
import { deflateSync } from "node:zlib";

/** The checksum of PNG, bit by bit. */
function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let i = 0; i < 8; i++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

/** Returns a PNG of heights in the colours of an encoding, with a filter for each row. */
export function png(size, height, encoding = "terrarium", filter = 0) {
  const rows = Buffer.alloc((3 * size + 1) * size);
  const raw = Buffer.alloc(3 * size * size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const value = Math.round(encoding === "terrarium" ? (height(x, y) + 32768) * 256 : (height(x, y) + 10000) * 10);
      raw.writeUIntBE(value, 3 * (y * size + x), 3);
    }
  }
  for (let y = 0; y < size; y++) {
    rows[y * (3 * size + 1)] = filter;
    for (let i = 0; i < 3 * size; i++) {
      const at = y * 3 * size + i;
      const [left, up] = [i >= 3 ? raw[at - 3] : 0, y > 0 ? raw[at - 3 * size] : 0];
      const corner = i >= 3 && y > 0 ? raw[at - 3 * size - 3] : 0;
      const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
      const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
      rows[y * (3 * size + 1) + 1 + i] = raw[at] - [0, left, up, (left + up) >> 1, paeth][filter];
    }
  }
  const chunk = (kind, body) => {
    const out = Buffer.alloc(body.length + 12);
    out.writeUInt32BE(body.length);
    out.write(kind, 4, "latin1");
    body.copy(out, 8);
    out.writeUInt32BE(crc32(out.subarray(4, body.length + 8)), body.length + 8);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}
