// Tiles from a server in this process.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { png } from "./png.mjs";
import { loadBoth } from "./bits.mjs";

const { terrain: { cellOf, Ground, placeOf, TileSource } } = await loadBoth();

// The height of a place is a plane over the world, so that every zoom has the same.
const plane = (worldX, worldY) => 1000 + (worldX - 0.53) * 2e6 - (worldY - 0.35) * 1e6;
let [open, most, requests] = [0, 0, []];
const server = createServer(async (request, answer) => {
  requests.push(request.url);
  most = Math.max(most, ++open);
  await new Promise((done) => setTimeout(done, 5));
  open -= 1;
  const [, kind, z, x, y] = request.url.match(/^\/(\w+)\/(\d+)\/(\d+)\/(\d+)/) ?? [];
  const scale = 2 ** z;
  const height = (px, py) => plane((Number(x) + (px + 0.5) / 64) / scale, (Number(y) + (py + 0.5) / 64) / scale);
  if (kind === "gone") answer.writeHead(404).end();
  else if (kind === "half" && x % 2) answer.writeHead(404).end();
  else if (kind === "secret") answer.writeHead(403).end();
  else if (kind === "text") answer.writeHead(200, { "content-type": "text/html" }).end("<p>no tile</p>");
  else if (kind === "cut") answer.writeHead(200).end(png(64, height).subarray(0, 150));
  else if (kind === "large") answer.writeHead(200).end(png(32, () => 0));
  else answer.writeHead(200, { "content-type": "image/png" }).end(png(64, height, kind === "rgb" ? "terrain-rgb" : "terrarium", (Number(x) + Number(y)) % 5));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
server.unref();
const address = (kind) => `http://127.0.0.1:${server.address().port}/${kind}/{z}/{x}/{y}.png`;
const place = { longitude: 10.98, latitude: 47.42, radius: 3000, cellSize: 20 };
const source = (kind, more) => new TileSource({ url: address(kind), tileSize: 64, maxZoom: 14, ...more });

test("heights are those of the server, in both encodings, with fewer tiles at a distance", async () => {
  for (const [kind, encoding, tolerance] of [["plain", "terrarium", 0.02], ["rgb", "terrain-rgb", 0.11]]) {
    const tiles = source(kind, { encoding });
    const heights = await tiles.heights(place);
    assert.deepEqual([heights.width, heights.height, heights.x, heights.y, heights.missing], [301, 301, 150, 150, []]);
    for (let y = 0; y < 301; y += 7) {
      for (let x = 0; x < 301; x += 7) {
        const expected = plane(heights.worldX + (x + 0.5) * heights.worldCell, heights.worldY + (y + 0.5) * heights.worldCell);
        assert.ok(Math.abs(heights.values[y * 301 + x] - expected) < tolerance, `${x},${y}: ${heights.values[y * 301 + x]} ${expected}`);
      }
    }
    const all = await source(kind, { encoding }).heights({ ...place, fullDetail: Infinity });
    assert.ok(all.tiles > 2 * heights.tiles, `${all.tiles} tiles of one zoom, ${heights.tiles} of several`);
  }
});

test("cells have their size on the ground, and places come back", async () => {
  const heights = await source("plain").heights(place);
  const { longitude, latitude } = placeOf(heights, heights.x, heights.y);
  assert.ok(Math.abs(longitude - place.longitude) < 1e-9 && Math.abs(latitude - place.latitude) < 1e-9);
  assert.deepEqual(cellOf(heights, longitude, latitude), { x: 150, y: 150 });
  // A degree of longitude is 111.32 km times the cosine of the latitude.
  const east = placeOf(heights, heights.x + 100, heights.y).longitude - longitude;
  assert.ok(Math.abs(east * 111_319.49 * Math.cos((47.42 * Math.PI) / 180) - 2000) < 0.01);
  const ground = new Ground(heights.values, { width: 301, height: 301, cellSize: heights.cellSize });
  assert.equal(ground.viewshed({ x: 150, y: 150, maxDistance: 3000, eyeHeight: 2 }).width, 301);
});

test("few tiles are fetched at the same time, and each once", async () => {
  const tiles = source("plain", { concurrency: 3 });
  [most, requests] = [0, []];
  const progress = [];
  await tiles.heights({ ...place, onProgress: (loaded, total) => progress.push([loaded, total]) });
  assert.ok(most <= 3 && most > 1, `${most} at the same time`);
  const first = requests.length;
  assert.equal(progress.length, first);
  assert.deepEqual(progress.at(-1), [first, first]);
  await Promise.all([tiles.heights(place), tiles.heights(place)]);
  assert.equal(requests.length, first, "the rest are kept");
  assert.equal(new Set(requests).size, first);
});

test("a request ends when it is aborted, and the next one succeeds", async () => {
  const tiles = source("plain", { concurrency: 1 });
  const reason = new Error("enough");
  const abort = new AbortController();
  requests = [];
  const running = tiles.heights({ ...place, signal: abort.signal });
  setTimeout(() => abort.abort(reason), 12);
  await assert.rejects(running, reason);
  const before = requests.length;
  await new Promise((done) => setTimeout(done, 60));
  assert.ok(requests.length <= before + 1, "nothing is fetched after that");
  assert.equal((await tiles.heights(place)).missing.length, 0);
  await assert.rejects(tiles.heights({ ...place, signal: AbortSignal.abort(reason) }), reason);
});

test("missing tiles are nodata, unless the place has none", async () => {
  const heights = await source("half", { maxZoom: 11 }).heights({ ...place, longitude: 10.95, radius: 20_000, cellSize: 100 }).catch((error) => error);
  const other = await source("half", { maxZoom: 11 }).heights({ ...place, longitude: 11.1, radius: 20_000, cellSize: 100 }).catch((error) => error);
  const found = [heights, other].find((each) => !(each instanceof Error));
  assert.ok(found.missing.length > 0 && found.values.some(Number.isNaN) && found.values.some((value) => value > 0));
  await assert.rejects(source("gone").heights(place), /no height at longitude 10.98, latitude 47.42: the server lacks \d+ of \d+ tiles, such as http/);
});

test("what is no tile is an error with the address", async () => {
  const fails = (kind, message) => assert.rejects(source(kind).heights(place), (error) => {
    assert.match(error.message, message);
    assert.match(error.message, /^tile http:\/\/127\.0\.0\.1:\d+\/\w+\/\d+\/\d+\/\d+\.png/);
    return true;
  });
  await fails("secret", /the server answered 403: expected 200, or 404/);
  await fails("text", /14 bytes \(text\/html\) are no tile: expected PNG or WebP/);
  await fails("cut", /are no tile/);
  await fails("large", /32x32 pixels are not accepted: expected tileSize 64/);
  const offline = new TileSource({ url: "http://127.0.0.1:9/{z}/{x}/{y}.png", tileSize: 64 });
  await assert.rejects(offline.heights(place), /no answer \(.*\): expected a server that lets this page read it \(CORS\)/);
});

test("invalid options are errors", async () => {
  assert.throws(() => new TileSource({ url: "https://example.org/{z}.png" }), /expected an address with \{z\}, \{x\} and \{y\}/);
  assert.throws(() => new TileSource({ url: address("plain"), encoding: "rgb" }), /encoding: "rgb" is not valid/);
  assert.throws(() => new TileSource({ url: address("plain"), maxZoom: 99 }), /maxZoom: 99/);
  const tiles = source("plain");
  await assert.rejects(tiles.heights({ ...place, latitude: 89 }), /latitude: 89 is not valid: expected -85.05/);
  await assert.rejects(tiles.heights({ ...place, longitude: NaN }), /longitude: NaN is not valid: expected a finite number/);
  await assert.rejects(tiles.heights({ ...place, cellSize: 0.2 }), /expected 67108864 cells at most/);
  await assert.rejects(tiles.heights({ ...place, reach: 3 }), /"reach" is not known/);
});
