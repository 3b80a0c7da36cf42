// Drives the page in Chromium: node page.mjs PAGE [PICTURES]
//
// PAGE is the folder that web/build.sh wrote; the screenshots go to PICTURES. With FARSIGHT=path/to/farsight, what the
// page exports is compared with what the command that it shows writes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { chromium } from "playwright-core";

const [folder, pictures = mkdtempSync(join(tmpdir(), "farsight-page-"))] = process.argv.slice(2);
mkdirSync(pictures, { recursive: true });

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const server = createServer((request, answer) => {
  const path = normalize(new URL(request.url, "http://x").pathname).replace(/\/$/, "/index.html");
  try {
    answer.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
    answer.end(readFileSync(join(folder, path)));
  } catch {
    answer.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const site = `http://127.0.0.1:${server.address().port}/`;

const GRAPHICS = ["--ignore-gpu-blocklist", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
  "--disable-default-apps", "--no-pings"];
const start = (graphics) => chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", ...graphics, ...QUIET],
});
const browser = await start(GRAPHICS);

const faults = [];
function watch(page) {
  page.on("pageerror", (error) => faults.push(`${error}`));
  page.on("console", (message) => {
    const words = message.text();
    if (["error", "warning"].includes(message.type()) || /panic/i.test(words)) faults.push(words);
  });
  return page;
}

// A page with a scene on it.
async function open(query, options = { viewport: { width: 1280, height: 760 } }) {
  const context = await browser.newContext({ acceptDownloads: true, ...options });
  // A visitor who has been here before, and has closed the panorama: the map has its place, and no introduction.
  await context.addInitScript(() => {
    localStorage["farsight:/:window.toml"] ??= "panorama = false\nintroduced = true\n";
  });
  const page = watch(await context.newPage());
  await page.goto(site + query);
  await page.waitForFunction(() => document.getElementById("command").textContent !== "", null, { timeout: 120_000 });
  await settled(page);
  return page;
}

const command = (page) => page.textContent("#command");

// Until nobody walks any more and the address is that of the scene: twenty frames and most of a second without a change.
async function settled(page) {
  await page.evaluate(() => new Promise((done) => {
    let [before, frames, since] = ["", 0, 0];
    const look = (now) => {
      const words = document.getElementById("command").textContent;
      if (words !== before) [before, frames, since] = [words, 0, now];
      frames += 1;
      frames > 20 && now - since > 900 ? done() : requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }));
}

async function changed(page, before) {
  await page.waitForFunction((b) => document.getElementById("command").textContent !== b, before, { timeout: 300_000 });
  await settled(page);
  return command(page);
}

async function downloaded(page, act) {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

const shot = (page, name) => page.screenshot({ path: join(pictures, `${name}.png`) });

async function step(name, work) {
  const before = Date.now();
  await work();
  assert.deepEqual(faults, [], name);
  console.log(`${name}: ${Date.now() - before} ms`);
}

let link;
let view;
await step("a stranger walks, thickens the fog and sends a link", async () => {
  const page = await open("");
  console.log(`first frame ${await page.evaluate(() => document.body.dataset.ready)} ms after the address`);
  await shot(page, "first");
  assert.equal(await page.evaluate(() => document.body.dataset.worlds), "2", "a preview, then the world");
  let said = await command(page);
  assert.match(said, /^farsight export --preset temperate --seed \d+ --at \d+,\d+ --cells \d+,\d+,\d+x\d+ --scale \d+ -o farsight-temperate-[\d-]+\.png$/);
  await page.click("#glcanvas", { position: { x: 560, y: 300 } }); // walk there
  said = await changed(page, said);
  await page.keyboard.press("w");
  said = await changed(page, said);
  // The slider of the fog, to its dense end.
  await page.mouse.move(1035, 67);
  await page.mouse.down();
  await page.mouse.move(1118, 67, { steps: 8 });
  await page.mouse.up();
  said = await changed(page, said);
  assert.match(said, /--set optics\.visual_range_m=\d+/);
  await shot(page, "fog");
  link = page.url();
  assert.match(link, /&optics\.visual_range_m=\d+/);
  view = said;
  await page.context().close();
});

await step("the link shows a friend the same view, and exports are downloads", async () => {
  const page = await open(new URL(link).search);
  // The part of the map on the screen depends on the walk before, the rest does not.
  const mine = view;
  view = await command(page);
  const scene = (words) => words.replace(/ --cells \S+| --crop map/, "").replace(/ --scale \d+/, "");
  assert.equal(scene(view), scene(mine));
  assert.equal(page.url(), link);
  await shot(page, "friend");
  const { name, bytes } = await downloaded(page, () => page.click("#export"));
  assert.ok(view.endsWith(` -o ${name}`), name);
  const screen = await downloaded(page, () => page.keyboard.press("p"));
  assert.match(screen.name, /-screen\.png$/);
  if (process.env.FARSIGHT) {
    const words = view.split(" ").slice(1, -1);
    const file = join(pictures, "by-command.png");
    execFileSync(process.env.FARSIGHT, [...words, file], { stdio: "inherit" });
    assert.ok(bytes.equals(readFileSync(file)), "the page and the command write the same bytes");
    console.log(`${name}: ${bytes.length} bytes, the same as by: ${view}`);
  }
  // The exported picture, chosen again, is the scene again.
  const before = await command(page);
  await page.keyboard.press("n");
  assert.notEqual(await changed(page, before), before);
  await page.setInputFiles("#file", { name, mimeType: "image/png", buffer: bytes });
  await page.waitForFunction((b) => document.getElementById("command").textContent === b, before, { timeout: 60_000 });
  await page.context().close();
});

await step("another preset, a preset of one's own, a map of one's own", async () => {
  const page = await open("?preset=fog&seed=3&world.width=256&world.height=256");
  await page.mouse.click(1076, 15); // the box of presets
  await page.waitForTimeout(300);
  await shot(page, "presets");
  await page.mouse.click(1050, 70);
  let said = await changed(page, await command(page).catch(() => ""));
  assert.doesNotMatch(said, /--preset fog/);
  const own = { name: "mine.toml", mimeType: "text/plain", buffer: Buffer.from('extends = "mist"\n[sight]\nradius = 40\n') };
  await page.setInputFiles("#file", own);
  said = await changed(page, said);
  assert.match(said, /--set sight\.radius=40/);
  // The button next to "preset to" saves it again, as a whole. How many lines are above it depends on the preset.
  let saved;
  for (let y = 270; y < 380 && !saved?.name.endsWith(".toml"); y += 10) {
    const download = page.waitForEvent("download", { timeout: 3000 }).catch(() => undefined);
    await page.mouse.click(1206, y);
    const file = await download;
    if (file) saved = { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
  }
  assert.equal(saved.name, "mine-mine.toml");
  assert.match(saved.text, /^radius = 40$/m);
  assert.match(saved.text, /^visual_range_m = /m);
  // Chosen again on another page, it is the same scene.
  const again = await open("?preset=fog");
  await again.setInputFiles("#file", { name: saved.name, mimeType: "text/plain", buffer: Buffer.from(saved.text) });
  await changed(again, await command(again));
  const keys = (words) => words.replace(/ --at \d+,\d+/, "").replace(/ --cells \S+| --crop map/, "").replace(/ --scale \d+/, "").replace(/ -o .*/, "");
  assert.equal(keys(await command(again)), keys(said));
  await again.context().close();
  const map = "#########\n#...@...#\n#..###..#\n#.......#\n#########\n";
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "höhle.txt"));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, map);
  said = await changed(page, said);
  assert.match(said, /^farsight export --map 'höhle.txt' --at 4,1 --crop map --scale \d+ -o farsight-h-hle-4-1\.png$/);
  assert.equal(new URL(page.url()).search, "");
  await shot(page, "map");
  // A heightmap, with its place and its cell size.
  const heights = readFileSync(new URL("../../examples/ridge.tif", import.meta.url));
  await page.setInputFiles("#file", { name: "ridge.tif", mimeType: "image/tiff", buffer: heights });
  said = await changed(page, said);
  assert.match(said, /--heightmap ridge\.tif/);
  await shot(page, "heightmap");
  await page.mouse.click(1192, 15); // close map
  said = await changed(page, said);
  assert.match(said, /--set sight\.radius=40/, "closing returns to what was there before");
  await page.context().close();
});

await step("a phone: a tap walks, fingers drag and pinch", async () => {
  const page = await open("?preset=haze&seed=5&world.width=256&world.height=256", {
    viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true,
  });
  await shot(page, "phone");
  const before = await command(page);
  await page.touchscreen.tap(240, 150);
  assert.notEqual(await changed(page, before), before);
  const session = await page.context().newCDPSession(page);
  const touch = (type, ...points) => session.send("Input.dispatchTouchEvent", {
    type, touchPoints: points.map(([x, y], id) => ({ x, y, id })),
  });
  const move = async (steps, ...fingers) => { // each finger from one place to another
    const at = (part) => fingers.map(([from, to]) => from.map((x, i) => x + (to[i] - x) * part));
    await touch("touchStart", ...at(0));
    for (let i = 1; i <= steps; i++) {
      await touch("touchMove", ...at(i / steps));
      await page.waitForTimeout(60);
    }
    await touch("touchEnd");
    await settled(page);
  };
  const viewer = async () => (await command(page)).match(/--at (\d+),(\d+)/).slice(1).map(Number);
  // How many cells a finger moves the map: a tap on where the viewer was drawn walks as far back.
  const dragged = async () => {
    await page.keyboard.press("Home"); // the viewer in the middle
    const [x, y] = await viewer();
    await move(8, [[195, 150], [255, 150]]);
    assert.deepEqual(await viewer(), [x, y], "a drag is no tap");
    const before = await command(page);
    await page.touchscreen.tap(195, middle);
    await changed(page, before);
    const [newX, newY] = await viewer();
    assert.ok(Math.abs(newY - y) <= 2, `${newY} is not ${y}`);
    return x - newX;
  };
  const { height } = await page.locator("#glcanvas").boundingBox();
  const middle = Math.round((height - 61) / 2);
  const far = await dragged();
  assert.ok(far >= 3, `a drag of 60 pixels moved the map by ${far} cells`);
  await move(8, [[185, 180], [105, 180]], [[205, 180], [285, 180]]);
  await shot(page, "phone-pinched");
  const near = await dragged();
  assert.ok(near >= 1 && near <= far / 2, `fingers that part zoom in: ${near} cells after ${far}`);
  await move(8, [[105, 180], [185, 180]], [[285, 180], [205, 180]]);
  const farAgain = await dragged();
  assert.ok(farAgain >= 2 * near, `fingers that close zoom out: ${farAgain} cells after ${near}`);
  // Far from the viewer, a button leads back.
  const showsViewer = async () => {
    const [left, top, width, height] = (await command(page)).match(/--cells (\d+),(\d+),(\d+)x(\d+)/).slice(1).map(Number);
    const [x, y] = await viewer();
    return x >= left && x < left + width && y >= top && y < top + height;
  };
  for (const _ of [1, 2]) await move(8, [[195, 100], [195, 600]]);
  assert.ok(!await showsViewer());
  await shot(page, "phone-away");
  await page.touchscreen.tap(195, 28);
  await settled(page);
  assert.ok(await showsViewer());
  // The button below the map opens the sheet, and a tap on one of its buttons counts once.
  const newWorld = 0.55 * height + 22;
  await page.tap("#panel");
  await settled(page);
  await shot(page, "phone-sheet");
  let said = await command(page);
  await page.touchscreen.tap(243, newWorld);
  said = await changed(page, said);
  assert.match(said, /--seed 6 /);
  // Two taps far from each other do not scroll the sheet: the button is still there.
  for (const share of [0.85, 0.6]) {
    await touch("touchStart", [16, share * height]);
    await page.waitForTimeout(150); // as long as a finger rests
    await touch("touchEnd");
    await page.waitForTimeout(400);
  }
  await shot(page, "phone-sheet-tapped");
  await page.touchscreen.tap(243, newWorld);
  said = await changed(page, said);
  assert.match(said, /--seed 7 /);
  await page.touchscreen.tap(346, 0.53 * height - 25); // the button over the map that closes the sheet
  await settled(page);
  await shot(page, "phone-map");
  // Without the sheet the map has the place, and a tap there walks.
  await page.touchscreen.tap(240, 450);
  await changed(page, said);
  await page.context().close();
});

await step("a phone: a preset gets a name from the field of the page, and the browser keeps it", async () => {
  const page = await open("?preset=haze&seed=5&world.width=256&world.height=256", {
    viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true,
  });
  await page.tap("#panel");
  await settled(page);
  const session = await page.context().newCDPSession(page);
  const scroll = async (from, to) => {
    const touch = (type, y) => session.send("Input.dispatchTouchEvent", { type, touchPoints: y ? [{ x: 372, y }] : [] });
    await touch("touchStart", from);
    for (let part = 1; part <= 17; part++) {
      await touch("touchMove", from + (to - from) * part / 17);
      await page.waitForTimeout(30);
    }
    await touch("touchEnd");
    await settled(page);
  };
  for (const _ of [1, 2]) await scroll(740, 400); // to the end of the files
  await scroll(500, 547); // a row back
  await page.touchscreen.tap(170, 468);
  await page.waitForSelector("#typing:not([hidden])");
  assert.equal(await page.evaluate(() => document.activeElement.id), "typed");
  await page.keyboard.type("my fog");
  await page.waitForTimeout(300);
  await shot(page, "phone-typing");
  await page.tap("#typing button");
  await page.waitForSelector("#typing", { state: "hidden" });
  await page.waitForTimeout(300);
  const saved = await downloaded(page, () => page.touchscreen.tap(262, 468));
  assert.equal(saved.name, "my fog.toml");
  for (const _ of [1, 2, 3]) await scroll(440, 740);
  await page.touchscreen.tap(120, 462); // the list of presets
  await page.waitForTimeout(500);
  await shot(page, "phone-my-presets");
  // A tap beside an open list closes it, and the viewer stays.
  const said = await command(page);
  await page.touchscreen.tap(14, 200);
  await settled(page);
  assert.equal(await command(page), said);
  // Another visit still has the preset, and chooses it.
  const again = watch(await page.context().newPage());
  await again.goto(`${site}?preset=fog&seed=5&world.width=256&world.height=256`);
  await again.waitForFunction(() => document.getElementById("command").textContent !== "");
  await settled(again);
  await again.tap("#panel");
  await settled(again);
  const fog = await command(again);
  await again.touchscreen.tap(120, 462);
  await again.waitForTimeout(500);
  await again.touchscreen.tap(120, 117);
  assert.match(await changed(again, fog), /--set optics\.visual_range_m=5000/);
  await page.context().close();
});

await step("a link keeps what is compared, and a wrong one says so", async () => {
  const page = await open("?preset=fog&seed=3&world.width=256&world.height=256&split=hour,21");
  await shot(page, "split");
  assert.match(page.url(), /&split=hour,21$/);
  await page.keyboard.press("v");
  await page.waitForFunction(() => !window.location.search.includes("split"));
  await page.context().close();
  const wrong = await open("?split=gold");
  assert.match(await wrong.textContent("#notice"), /split=gold is not valid: expected a method/);
  await wrong.context().close();
});

await step("a phone on its side: the sheet leaves 60 % of the width to the map", async () => {
  const page = await open("?preset=clear-day&seed=14&perception.creatures=0", {
    viewport: { width: 844, height: 390 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true,
  });
  await shot(page, "phone-landscape");
  let said = await command(page);
  await page.touchscreen.tap(560, 120); // where the sheet is when it is open
  said = await changed(page, said);
  await page.tap("#panel");
  await settled(page);
  await shot(page, "phone-landscape-sheet");
  await page.touchscreen.tap(780, 200); // a control, or the ground of the sheet
  await settled(page);
  assert.equal((await command(page)).match(/--at (\S+)/)[1], said.match(/--at (\S+)/)[1], "the sheet takes the tap");
  said = await command(page);
  await page.touchscreen.tap(500, 150); // 59 % of the width
  await changed(page, said);
  await page.context().close();
});

await step("the first frame shows the same part of the map in every load, however busy the machine is", async () => {
  const phone = { deviceScaleFactor: 3, isMobile: true, hasTouch: true };
  for (const [name, options] of [
    ["desktop", { viewport: { width: 1280, height: 760 } }],
    ["upright", { viewport: { width: 390, height: 844 }, ...phone }],
    ["on its side", { viewport: { width: 844, height: 390 }, ...phone }],
  ]) {
    const shown = new Set();
    for (const slowdown of [1, 1, 2, 4, 6]) {
      const context = await browser.newContext(options);
      const page = watch(await context.newPage());
      await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: slowdown });
      await page.goto(`${site}?preset=temperate&seed=5&world.width=256&world.height=256&perception.creatures=0`);
      await page.waitForFunction(() => document.getElementById("command").textContent !== "", null, { timeout: 120_000 });
      await settled(page);
      shown.add((await command(page)).match(/--at .*/)[0]);
      await context.close();
    }
    assert.equal(shown.size, 1, `${name}: ${[...shown].join("; ")}`);
  }
});

await step("rain and rivers follow a stroke, as on the command line, and goals are on the page", async () => {
  const page = await open("?preset=temperate&seed=5&world.width=256&world.height=256&perception.creatures=0");
  const worlds = () => page.evaluate(() => Number(document.body.dataset.worlds));
  const before = await worlds();
  await page.keyboard.press("u");
  await page.waitForTimeout(500);
  await page.mouse.click(22, 539, { delay: 100 }); // rain and rivers follow the land
  await page.waitForTimeout(500);
  let said = await command(page);
  await page.mouse.move(380, 200);
  await page.mouse.down();
  await page.mouse.move(520, 240, { steps: 6 });
  await page.mouse.up();
  said = await changed(page, said);
  await shot(page, "rain");
  assert.equal(await worlds(), before + 1, "a worker lets them settle");
  await page.keyboard.press("f"); // a picture remembers nothing that is out of sight
  await settled(page);
  const { name, bytes } = await downloaded(page, () => page.click("#export"));
  if (process.env.FARSIGHT) {
    const [here, again] = [join(pictures, name), join(pictures, "rain-again.png")];
    writeFileSync(here, bytes);
    assert.match(execFileSync(process.env.FARSIGHT, ["export", "--from", here, "--layer", "elevation", "-o", "-", "--format", "json"]).toString(), /settles = true/);
    execFileSync(process.env.FARSIGHT, ["export", "-q", "--from", here, "-o", again], { stdio: "inherit" });
    assert.ok(bytes.equals(readFileSync(again)), "the page and the command line have the same land");
  }
  await page.keyboard.press("Escape");
  await page.mouse.click(1139, 240); // goals
  await page.waitForTimeout(500);
  await shot(page, "goals");
  await page.mouse.click(725, 270); // today's land
  assert.match(await changed(page, said), new RegExp(`--seed ${Math.floor(Date.now() / 86_400_000)} `));
  await page.context().close();
});

await step("a film of the last steps comes from a worker, and is the one of the command line", async () => {
  const page = await open("?preset=fog&seed=5&world.width=256&world.height=256");
  await page.keyboard.press("y"); // a panorama
  const before = await command(page);
  for (const key of "ddddss") {
    await page.keyboard.press(key);
    await page.waitForTimeout(100);
  }
  await changed(page, before);
  await page.mouse.click(976, 260); // share
  await page.waitForTimeout(500);
  await shot(page, "share");
  const download = page.waitForEvent("download", { timeout: 120_000 });
  await page.mouse.click(1010, 322); // film of the last 6 steps
  await page.waitForTimeout(300);
  await shot(page, "filming");
  const film = await download;
  assert.match(film.suggestedFilename(), /^farsight-fog-.*\.gif$/);
  const here = join(pictures, "film.gif");
  await film.saveAs(here);
  await page.waitForTimeout(300);
  await shot(page, "filmed");
  if (process.env.FARSIGHT) {
    const again = join(pictures, "film-again.gif");
    execFileSync(process.env.FARSIGHT, ["walk", "-q", "--from", here, "-o", again], { stdio: "inherit" });
    assert.ok(readFileSync(here).equals(readFileSync(again)), "the page and the command line write the same film");
  }
  await page.context().close();
});

await step("a link has a title, a description and a picture that is there", async () => {
  const page = await open("?world.width=64&world.height=64");
  const content = (name) => page.getAttribute(`meta[property="og:${name}"]`, "content");
  assert.ok((await content("title")).length > 8 && (await content("description")).length > 40);
  const picture = await page.request.get(new URL(await content("image"), site).href);
  assert.equal(picture.status(), 200);
  const bytes = await picture.body();
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)].map(String); // of the header of a PNG
  assert.deepEqual([width, height], [await content("image:width"), await content("image:height")]);
  await page.context().close();
});

// The longest task of the thread of a page in a trace, in milliseconds: of the clock, and of the processor, which other load on the
// machine does not lengthen.
function longestTask(trace) {
  const { traceEvents } = JSON.parse(trace.toString());
  const thread = ({ pid, tid }) => `${pid} ${tid}`;
  const isPage = ({ name, args }) => name === "thread_name" && args.name === "CrRendererMain";
  const pages = new Set(traceEvents.filter(isPage).map(thread));
  const tasks = traceEvents.filter((event) => event.name.endsWith("RunTask") && event.dur && pages.has(thread(event)));
  const longest = (key) => Math.round(Math.max(0, ...tasks.map((task) => task[key] ?? 0)) / 1000);
  return { clock: longest("dur"), processor: longest("tdur") };
}

const TRACED = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"];

// Begins to count frames, and the worlds that workers have made.
async function beginCount(page) {
  await page.evaluate(() => {
    const seen = (window.seen = { frames: 0, gap: 0, task: 0, worlds: Number(document.body.dataset.worlds ?? 0) });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.task = Math.max(seen.task, Math.round(duration));
    }).observe({ type: "longtask" });
    let last;
    const look = (now) => {
      if (last) seen.gap = Math.max(seen.gap, Math.round(now - last));
      [last, seen.frames] = [now, seen.frames + 1];
      if (!seen.ended) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

// Returns the frames since then, the longest time between two and the longest task of the page in milliseconds, and the worlds.
const endCount = (page) => page.evaluate(() => {
  window.seen.ended = true;
  window.seen.worlds = Number(document.body.dataset.worlds ?? 0) - window.seen.worlds;
  return window.seen;
});

// Presses "new world" some times; returns what is counted meanwhile.
async function newWorlds(page, times) {
  const before = await command(page);
  await beginCount(page);
  for (let i = 0; i < times; i++) {
    await page.keyboard.press("n");
    await page.waitForTimeout(30);
  }
  await page.waitForFunction((b) => document.getElementById("command").textContent !== b, before, { timeout: 300_000 });
  const seen = await endCount(page);
  await settled(page);
  return { ...seen, seed: Number((await command(page)).match(/--seed (\d+)/)[1]) };
}

await step("workers make worlds, and the page draws frames meanwhile", async () => {
  for (const side of [512, 1024]) {
    const page = await open(`?seed=20&world.width=${side}&world.height=${side}`);
    assert.equal(await page.evaluate(() => document.body.dataset.worlds), "1", "the first world, too");
    await browser.startTracing(page, { categories: TRACED });
    const one = await newWorlds(page, 1);
    const longest = longestTask(await browser.stopTracing());
    console.log(`${side}x${side}: ${one.frames} frames, at most ${one.gap} ms apart, longest task ${longest.clock} ms, ` +
      `${longest.processor} ms of the processor`);
    assert.ok(one.worlds === 1 && one.frames > 1);
    assert.ok(longest.processor > 0 && longest.processor < 100, "no task stops the page");
    const many = await newWorlds(page, 6); // each cancels the one before, or follows it
    console.log(`of six requests: ${many.worlds} worlds, ${many.frames} frames, at most ${many.gap} ms apart`);
    assert.ok(many.worlds >= 1 && many.seed > one.seed); // presses within one frame are one
    await shot(page, `worlds-${side}`);
    await page.context().close();
  }
});

// A map of opacities with a pillar in 64 cells.
function mapOf(side) {
  const head = `{'descr': '<f4', 'fortran_order': False, 'shape': (${side}, ${side}), }`.padEnd(117) + "\n";
  const values = new Float32Array(side * side).map((_, i) => Number((i * 2654435761) % 4294967296 < 67108864));
  values[(side + 1) * (side >> 1)] = 0; // the viewer in the middle
  const prefix = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, head.length, 0]);
  return Buffer.concat([prefix, Buffer.from(head), Buffer.from(values.buffer)]);
}

// The beginning of a grey picture.
function pictureOf(side) {
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [data.length, crc32(body)].map((number) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(number);
      return bytes;
    });
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  const rows = deflateSync(Buffer.alloc(65536));
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", header), chunk("IDAT", rows)]);
}

await step("slow views of a map of one's own come from a worker, and a price is asked about", async () => {
  const page = await open("?preset=fog&world.width=96&world.height=96");
  const file = (name, buffer) => page.setInputFiles("#file", { name, mimeType: "application/octet-stream", buffer });
  const preset = (samples) => Buffer.from(`[sight]\nmethod = "exact"\nsamples = ${samples}\nradius = 200\n`);
  const worlds = () => page.evaluate(() => Number(document.body.dataset.worlds ?? 0));
  await browser.startTracing(page, { categories: TRACED });
  await beginCount(page);
  let said = await command(page);
  await file("pillars.npy", mapOf(1024));
  said = await changed(page, said);
  assert.match(said, /--map pillars\.npy/);
  const read = longestTask(await browser.stopTracing());
  await browser.startTracing(page, { categories: TRACED });
  const before = await worlds();
  await file("slow.toml", preset(6));
  await page.waitForFunction((b) => Number(document.body.dataset.worlds) > b, before, { timeout: 120_000 });
  await settled(page);
  const seen = await endCount(page);
  const viewed = longestTask(await browser.stopTracing());
  // The view takes more than a second.
  assert.ok(viewed.processor > 0 && viewed.processor < 250, "no task of a view stops the page");
  console.log(`a map of 1024x1024: ${seen.frames} frames; longest task ${read.processor} ms of the processor when it is read, ` +
    `${viewed.processor} ms when its view is computed`);
  said = await command(page);
  assert.match(said, /sight\.method=exact/);
  await shot(page, "slow-map");
  await file("slower.toml", preset(32));
  await page.waitForTimeout(1000);
  assert.equal(await command(page), said, "it is asked about");
  await shot(page, "question-map");
  await page.keyboard.press("Escape");
  await file("huge.png", pictureOf(16384));
  await page.waitForTimeout(1000);
  assert.equal(await command(page), said, "it is refused");
  await shot(page, "huge-map");
  await page.context().close();
});

await step("workers make dungeons, the climate of heightmaps and saved walks", async () => {
  const page = await open("?preset=dungeon");
  const worlds = () => page.evaluate(() => Number(document.body.dataset.worlds ?? 0));
  assert.equal(await worlds(), 1);
  let said = await command(page);
  const walk = await downloaded(page, () => page.keyboard.press("F5"));
  const file = (name, buffer) => page.setInputFiles("#file", { name, mimeType: "application/octet-stream", buffer });
  await file("ridge.tif", readFileSync(new URL("../../examples/ridge.tif", import.meta.url)));
  said = await changed(page, said);
  assert.equal(await worlds(), 2);
  await file(walk.name, walk.bytes);
  said = await changed(page, said);
  assert.match(said, /--preset dungeon/);
  assert.equal(await worlds(), 3);
  await page.context().close();
});

await step("without workers the page makes the world itself", async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 760 } });
  const page = watch(await context.newPage());
  await page.addInitScript(() => { delete window.Worker; });
  await page.goto(site + "?world.width=96&world.height=96");
  await page.waitForFunction(() => document.getElementById("command").textContent !== "", null, { timeout: 120_000 });
  assert.equal(await page.evaluate(() => document.body.dataset.worlds), undefined);
  await context.close();
});

await step("a slow line: it says how far it is", async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 760 } });
  const page = watch(await context.newPage());
  const line = await context.newCDPSession(page);
  await line.send("Network.enable");
  await line.send("Network.emulateNetworkConditions",
    { offline: false, latency: 100, downloadThroughput: 1_000_000, uploadThroughput: 100_000 });
  await page.goto(site, { waitUntil: "commit" });
  const seen = (least) => page.waitForFunction(
    (l) => document.getElementById("loading")?.value > l && !document.getElementById("cover").hidden, least);
  await seen(0.2);
  const early = await page.evaluate(() => document.getElementById("loading").value);
  await shot(page, "loading");
  await seen(0.6);
  assert.ok(early < 0.6, `${early}`);
  await page.waitForFunction(() => document.body.dataset.ready, null, { timeout: 120_000 });
  await context.close();
});

await step("what is wrong with a link is said", async () => {
  const page = await open("?preset=fogg&world.width=64");
  assert.match(await page.textContent("#notice"), /did you mean "fog"\?/);
  assert.match(await command(page), /--preset temperate/);
  await page.context().close();
});
await step("the page runs no script but its own files", async () => {
  const page = await browser.newPage(); // not watched: the browser reports what it refuses
  await page.goto(site);
  const ran = await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.inlineScriptRan = true";
    document.body.append(script);
    return window.inlineScriptRan === true;
  });
  assert.equal(ran, false);
  await page.close();
});
await step("a link that cannot be shown says why, and the default is shown", async () => {
  for (const [query, words] of [
    ["?preset=fog&split=preset,x.toml", /split=preset,x\.toml is not valid/],
    ["?preset=fog&world.width=9000&world.height=9000", /9000x9000 cells is too large for a page/],
  ]) {
    const page = await open(query);
    assert.match(await page.textContent("#notice"), words);
    assert.match(await command(page), /--preset temperate/);
    await page.context().close();
  }
});

await step("a link to a scene that takes hours is not computed without asking", async () => {
  const page = await open("?preset=fog&sight.method=exact&sight.samples=32&sight.radius=4096");
  assert.match(await command(page), /--preset temperate/);
  await shot(page, "question");
  await page.context().close();
});

await step("lost graphics come back with the view", async () => {
  const page = await browser.newPage(); // the browser warns of the loss
  await page.goto(site + "?preset=fog&seed=7&at=340,184");
  await page.waitForFunction(() => document.body.dataset.ready, null, { timeout: 120_000 });
  await page.evaluate(() => {
    window.lost = document.getElementById("glcanvas").getContext("webgl").getExtension("WEBGL_lose_context");
    window.lost.loseContext();
  });
  await page.waitForFunction(() => document.getElementById("words").textContent.includes("graphics"));
  await Promise.all([page.waitForNavigation(), page.evaluate(() => window.lost.restoreContext())]);
  await page.waitForFunction(() => document.body.dataset.ready, null, { timeout: 120_000 });
  assert.match(page.url(), /preset=fog&seed=7&at=340,184/);
  await page.close();
});

await step("a browser without vectors gets a message", async () => {
  const page = await browser.newPage();
  await page.addInitScript(() => { WebAssembly.validate = () => false; });
  await page.goto(site);
  await page.waitForFunction(() => document.getElementById("words").textContent.includes("vectors"));
  await page.close();
});
await browser.close();

await step("without WebGL the page says so", async () => {
  const bare = await start(["--disable-gpu", "--disable-webgl", "--disable-3d-apis"]);
  const page = await bare.newPage();
  await page.goto(site);
  await page.waitForFunction(() => document.getElementById("words").textContent.includes("WebGL"));
  await shot(page, "no-webgl");
  await bare.close();
});

server.close();
console.log(`screenshots: ${pictures}`);
