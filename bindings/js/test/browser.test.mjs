// The package in Chromium: its bits, the two pages of ../../../web/examples, and a Vite project with MapLibre, Leaflet and deck.gl.
// Screenshots go to target/js-pictures.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build } from "vite";
import { serve } from "./tile-server.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");
const built = process.env.PACKAGE ?? join(root, "target/js");
const pictures = join(root, "target/js-pictures");
mkdirSync(pictures, { recursive: true });

const folder = mkdtempSync(join(tmpdir(), "farsight-fov-pages-"));
execFileSync(join(root, "web/examples/build"), [folder]);
cpSync(join(here, "bits.mjs"), join(folder, "bits.mjs"));
cpSync(process.env.EXPECTED ?? join(root, "target/js-expected.txt"), join(folder, "expected.txt"));
writeFileSync(join(folder, "bits.html"), '<!doctype html><title>bits</title><link rel="icon" href="data:,">');
const { site, close } = await serve(folder);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--ignore-gpu-blocklist", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--disable-background-networking", "--disable-component-update", "--no-first-run"],
});
after(async () => {
  await browser.close();
  close();
});

const DESKTOP = { viewport: { width: 1360, height: 860 } };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const query = `tiles=${encodeURIComponent(`${site}/tiles/{z}/{x}/{y}.png`)}&maxzoom=12&attribution=invented`;

/** Opens a page; `faults` collects its errors. */
async function open(path, options = DESKTOP) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(`${error}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !/GPU stall|GL Driver/.test(message.text())) faults.push(message.text());
  });
  await page.goto(`${site}/${path}`);
  return { page, faults, close: () => context.close() };
}
const shot = (page, name) => page.screenshot({ path: join(pictures, `${name}.png`) });
const views = (page) => page.evaluate(() => Number(document.body.dataset.views ?? 0));
const seenAfter = (page, before) => page.waitForFunction((count) => Number(document.body.dataset.views ?? 0) > count, before, { timeout: 60_000 });

test("the bits of the library are those of the browser", async () => {
  const { page, faults, close } = await open("bits.html");
  const found = await page.evaluate(async () => {
    const { check } = await import("./bits.mjs");
    const expected = await (await fetch("./expected.txt")).text();
    const all = await import("./farsight-fov/terrain.js");
    await all.init();
    const results = [check(all, expected, "sight"), check(all, expected, "terrain")];
    const sight = await import("./farsight-fov/index.js");
    sight.initSync(await (await fetch("./farsight-fov/wasm/sight_bg.wasm")).arrayBuffer());
    return [...results, check(sight, expected, "sight")];
  });
  for (const { wrong, cases } of found) {
    assert.deepEqual(wrong, []);
    assert.ok(cases >= 300);
  }
  assert.deepEqual(faults, []);
  await close();
});

test("the eye is dragged over a map, sliders change the view, and why? answers", async () => {
  const { page, faults, close } = await open(`viewshed.html?${query}#11.05,47.5&eye=10&range=10`);
  await seenAfter(page, 0);
  await page.waitForTimeout(1500);
  await shot(page, "viewshed");
  const words = await page.textContent("#seen");
  assert.match(words, /km² are in sight, .* % of the ground in range\. The ground here is \d+ m high\. Computed in [\d.]+ ms\./);
  const eye = await page.evaluate(() => {
    const { map, view } = globalThis.farsight;
    return map.project([view.state.longitude, view.state.latitude]);
  });
  let before = await views(page);
  await page.mouse.move(eye.x, eye.y);
  await page.mouse.down();
  await page.mouse.move(eye.x + 60, eye.y + 30, { steps: 8 });
  await page.mouse.up();
  await seenAfter(page, before + 2);
  await page.waitForFunction(() => /^#(?!11\.05000,)[\d.]+,47\.4\d+&eye=10&target=0&range=10$/.test(location.hash), null, { timeout: 20_000 });
  assert.notEqual(await page.textContent("#seen"), words);
  const place = await page.evaluate(() => globalThis.farsight.view.state);
  assert.ok(place.longitude > 11.06 && place.latitude < 47.5, "the map stays, and the eye moves");
  before = await views(page);
  await page.locator("#eye").fill("100"); // 300 m
  await seenAfter(page, before);
  const high = await page.evaluate(() => globalThis.farsight.view.state.seenKm2);
  assert.ok(high > place.seenKm2, `${high} km² from 300 m, ${place.seenKm2} km² from 10 m`);
  await page.click("#why");
  await page.mouse.click(1000, 300);
  await page.waitForSelector(".maplibregl-popup");
  assert.match(await page.textContent(".maplibregl-popup"), /^(×)?(In sight|Hidden|Out of range)/);
  await page.waitForTimeout(600);
  await shot(page, "viewshed-why");
  const reasons = await page.evaluate(() => {
    const { view } = globalThis.farsight;
    const { longitude, latitude } = view.state;
    const around = Array.from({ length: 300 }, (_, i) => view.explain(longitude + 0.1 * Math.cos(i) * (i / 300), latitude + 0.07 * Math.sin(i) * (i / 300)));
    return { hidden: around.find(({ visibility, distance, clearance }) => visibility === 0 && distance < 10_000 && clearance < -3), far: view.explain(longitude + 3, latitude) };
  });
  const metres = Math.round(-reasons.hidden.clearance);
  assert.match(reasons.hidden.sentence, new RegExp(`^Hidden, .* away, by the ground .* from the eye, which is \\d+ m high\\. This place would have to be ${metres} m higher to be seen\\.$`));
  assert.match(reasons.far.sentence, /^Out of range: 22\d\.\d km away\.$/);
  // Only the layer below listens now: a click and the right button leave the eye where it is.
  assert.equal(await page.evaluate(async () => {
    const { addTerrainView } = await import("./farsight-fov/maplibre.js");
    const { map, view } = globalThis.farsight;
    addTerrainView(map, view, { id: "second", click: false });
    return map.getSource("second-eye").attribution;
  }), "invented");
  const placeNow = () => page.evaluate(() => {
    const { map, view } = globalThis.farsight;
    const { longitude, latitude } = view.state;
    return { longitude, latitude, ...map.project([longitude, latitude]) };
  });
  const start = await placeNow();
  const drag = async (button) => {
    await page.mouse.move(start.x, start.y);
    await page.mouse.down({ button });
    await page.mouse.move(start.x - 40, start.y - 20, { steps: 5 });
    await page.mouse.up({ button });
    await page.waitForTimeout(500);
  };
  await page.mouse.click(start.x + 80, start.y - 60);
  await drag("right");
  assert.deepEqual(await placeNow(), start);
  before = await views(page);
  await drag("left");
  await seenAfter(page, before);
  assert.ok((await placeNow()).longitude < start.longitude);
  assert.deepEqual(faults, []);
  await close();
});

test("a phone shows the map, and a tap moves the eye", async () => {
  const { page, faults, close } = await open(`viewshed.html?${query}#11.05,47.5&eye=10&range=10`, PHONE);
  await seenAfter(page, 0);
  const before = await views(page);
  await page.touchscreen.tap(250, 300);
  await seenAfter(page, before);
  await page.waitForTimeout(1200);
  await shot(page, "viewshed-phone");
  await page.tap("summary h1");
  await shot(page, "viewshed-phone-panel");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.deepEqual(faults, []);
  await close();
});

test("a server without tiles is named on the page", async () => {
  const { page, close } = await open(`viewshed.html?tiles=${encodeURIComponent(`${site}/missing/{z}/{x}/{y}.png`)}`);
  await page.waitForSelector("#seen.error");
  assert.match(await page.textContent("#seen"), /no height at longitude 11\.05\d+, latitude 47\.51\d+: the server lacks \d+ of \d+ tiles/);
  await close();
});

test("the laboratory measures eight methods on a map that is drawn", async () => {
  const { page, faults, close } = await open("laboratory.html?map=garden");
  const measured = () => page.waitForFunction(() => {
    const { measured } = document.body.dataset;
    if (!measured || measured === globalThis.lastMeasured) return false;
    globalThis.lastMeasured = measured;
    return true;
  }, null, { timeout: 60_000 });
  await measured();
  await shot(page, "laboratory");
  const numbers = () => page.evaluate(() => globalThis.farsight.panels.map(({ title, error, asymmetry, microseconds, seen }) =>
    ({ title, error, asymmetry, microseconds, lit: seen.filter((value) => value > 0).length })));
  const first = await numbers();
  console.log(first.map(({ title, error, asymmetry, microseconds }) => `${title}: error ${error.toFixed(3)}, asymmetry ${asymmetry.toFixed(3)}, ${microseconds.toFixed(1)} µs`).join("\n"));
  const of = (title) => first.find((panel) => panel.title === title);
  assert.equal(first.length, 8);
  assert.ok(of("Exact").error < 0.02 && of("Beams").error < of("Rays on a circle").error);
  assert.ok(of("Two parents").asymmetry < 1e-6 && of("Symmetric shadowcasting").asymmetry < 1e-6, "both are symmetric");
  assert.ok(of("Recursive shadowcasting").asymmetry > 0.001);
  // A wall next to the eye.
  await page.click("[data-tool=wall]");
  const box = await page.locator("#map").boundingBox();
  const at = (x, y) => [box.x + ((x + 0.5) / 53) * box.width, box.y + ((y + 0.5) / 37) * box.height];
  await page.mouse.move(...at(29, 10));
  await page.mouse.down();
  await page.mouse.move(...at(29, 26), { steps: 4 });
  await page.mouse.up();
  await measured();
  const second = await numbers();
  assert.ok(second.every((panel, i) => panel.lit < first[i].lit), "every method sees less");
  await page.click("[data-show=error]");
  await shot(page, "laboratory-error");
  await page.click("[data-show=asymmetry]");
  await page.click("text=rooms");
  await measured();
  await shot(page, "laboratory-asymmetry");
  assert.deepEqual(faults, []);
  await close();
  const phone = await open("laboratory.html?map=rooms", PHONE);
  await phone.page.waitForFunction(() => document.body.dataset.measured, null, { timeout: 60_000 });
  await phone.page.screenshot({ path: join(pictures, "laboratory-phone.png"), fullPage: true });
  assert.equal(await phone.page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.deepEqual(phone.faults, []);
  await phone.close();
});

test("a Vite project with MapLibre, Leaflet, deck.gl and a worker", async () => {
  const project = mkdtempSync(join(tmpdir(), "farsight-fov-vite-"));
  const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", "--silent", built], { cwd: project, encoding: "utf8" }));
  writeFileSync(join(project, "package.json"), '{ "name": "site", "private": true, "type": "module" }');
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "--silent", `./${packed.filename}`], { cwd: project });
  for (const name of ["maplibre-gl", "leaflet", "@deck.gl", "@luma.gl", "@loaders.gl", "@math.gl"]) {
    symlinkSync(join(here, "node_modules", name), join(project, "node_modules", name));
  }
  writeFileSync(join(project, "index.html"), `<!doctype html><link rel="icon" href="data:,"><style>body { margin: 0; display: flex } div { width: 33.3vw; height: 100vh; position: relative }</style>
    <div id="maplibre"></div><div id="leaflet"></div><div id="deck"></div><script type="module" src="main.js"></script>`);
  writeFileSync(join(project, "main.js"), readFileSync(join(here, "vite-main.js"), "utf8"));
  // The example of the README, with the tiles and a style of this server.
  const readme = readFileSync(join(built, "README.md"), "utf8");
  const [example, worker] = ["addTerrainView(map, view);", "setWorkerUrl(workerUrl)"].map((words) =>
    [...readme.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code).find((code) => code.includes(words)));
  const local = example
    .replace(/"https:\/\/s3[^"]*"/, `"${site}/tiles/{z}/{x}/{y}.png"`)
    .replace(/"https:\/\/demotiles[^"]*"/, '{ version: 8, sources: {}, layers: [{ id: "ground", type: "background" }] }');
  assert.ok(!local.includes("https://"), "the example asks no other server");
  writeFileSync(join(project, "readme.html"), '<!doctype html><link rel="icon" href="data:,"><div id="map" style="height: 95vh"></div><script type="module" src="readme.js"></script>');
  writeFileSync(join(project, "readme.js"), `${worker}\n${local}`);
  const input = ["index.html", "readme.html"].map((name) => join(project, name));
  await build({ root: project, logLevel: "error", base: "./", build: { target: "es2022", rollupOptions: { input } }, worker: { format: "es" } });
  cpSync(join(project, "dist"), join(folder, "vite"), { recursive: true });
  const { page, faults, close } = await open("vite/");
  await page.waitForFunction(() => document.body.dataset.done, null, { timeout: 90_000 });
  await page.waitForTimeout(1500);
  await shot(page, "vite");
  const found = await page.evaluate(() => globalThis.found);
  assert.deepEqual(found.errors, []);
  assert.equal(found.worker, found.main, "the worker has the values of the page");
  assert.match(found.disposed, /this GroundWorker is disposed/);
  assert.ok(found.leaflet > 1000, `${found.leaflet} pixels of the view on Leaflet's tiles`);
  assert.ok(found.maplibre > 1000, `${found.maplibre} pixels of the view on MapLibre's canvas`);
  assert.ok(found.deck > 1000, `${found.deck} pixels of the view on the canvas of deck.gl`);
  assert.deepEqual(faults, []);
  await close();
  const copied = await open("bits.html");
  const said = copied.page.waitForEvent("console", { predicate: (message) => /^\d+\.\d km² in sight$/.test(message.text()), timeout: 60_000 });
  await copied.page.goto(`${site}/vite/readme.html`);
  await said;
  await copied.page.waitForTimeout(1200);
  await shot(copied.page, "readme");
  assert.deepEqual(copied.faults, []);
  await copied.close();
});
