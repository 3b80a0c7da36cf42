// A server of tiles of an invented mountain range, of files, and of answers that are wrong.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { png } from "./png.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

const hash = (x, y) => {
  let h = Math.imul(x, 374761393) + Math.imul(y, 668265263);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
};
const smooth = (t) => t * t * t * (t * (t * 6 - 15) + 10);
function noise(x, y) {
  const [x0, y0] = [Math.floor(x), Math.floor(y)];
  const [tx, ty] = [smooth(x - x0), smooth(y - y0)];
  const row = (y1) => hash(x0, y1) + (hash(x0 + 1, y1) - hash(x0, y1)) * tx;
  return row(y0) + (row(y0 + 1) - row(y0)) * ty;
}

/** The height at a place of the world in metres: ridges with valleys between them. */
export function heightAt(worldX, worldY) {
  const [x, y] = [worldX * 3000, worldY * 3000];
  let [height, size, weight] = [0, 1, 1];
  for (let octave = 0; octave < 6; octave++) {
    const ridge = 1 - Math.abs(2 * noise(x * size + 17 * octave, y * size) - 1);
    height += ridge * ridge * weight * size ** -1.2;
    weight = Math.min(1, ridge * 1.6);
    size *= 2;
  }
  return 420 + 1500 * Math.max(height - 0.55, 0) + 120 * noise(x * 3, y * 3);
}

/** Serves `/tiles/z/x/y.png`, `/missing/…` and the files of a folder. Returns the address and the function that ends it. */
export async function serve(folder) {
  const kept = new Map();
  const server = createServer((request, answer) => {
    const { pathname } = new URL(request.url, "http://x");
    const [, kind, z, x, y] = pathname.match(/^\/(tiles|missing)\/(\d+)\/(\d+)\/(\d+)\.png$/) ?? [];
    if (kind === "missing") return answer.writeHead(404, { "access-control-allow-origin": "*" }).end();
    if (kind) {
      const scale = 2 ** z;
      const key = `${z}/${x}/${y}`;
      if (!kept.has(key)) kept.set(key, png(256, (px, py) => heightAt((Number(x) + (px + 0.5) / 256) / scale, (Number(y) + (py + 0.5) / 256) / scale)));
      return answer.writeHead(200, { "content-type": "image/png", "access-control-allow-origin": "*" }).end(kept.get(key));
    }
    const path = join(folder, normalize(decodeURIComponent(pathname)).replace(/\/$/, "/index.html"));
    if (!existsSync(path) || !statSync(path).isFile()) return answer.writeHead(404).end();
    answer.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
    createReadStream(path).pipe(answer);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { site: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
