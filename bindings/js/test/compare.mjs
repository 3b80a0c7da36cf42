// Times views next to rot.js, and viewsheds next to the usual lines of JavaScript: node bindings/js/test/compare.mjs
import { readFileSync } from "node:fs";
import * as ROT from "rot-js";
import { builtPackage } from "./bits.mjs";

const fs = await import(new URL("terrain.js", builtPackage()));
await fs.init();
const { FOV } = await import(new URL("rot.js", builtPackage()));

/** Returns the least microseconds of a call, of many rounds. */
function microseconds(work, rounds = 15, calls = 40) {
  for (let i = 0; i < Math.min(calls, 40); i++) work();
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    for (let i = 0; i < calls; i++) work();
    least = Math.min(least, (performance.now() - start) / calls);
  }
  return 1000 * least;
}

let state = 7;
const random = () => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) / 2 ** 32;
};

const SIDE = 200;
const walls = new Uint8Array(SIDE * SIDE).map(() => random() < 0.1 ? 1 : 0);
walls[100 * SIDE + 100] = 0;
const small = await import(`${new URL("index.js", builtPackage())}`);
for (const [name, cells] of [["10 % walls", walls], ["open", new Uint8Array(SIDE * SIDE)]]) {
  const lightPasses = (x, y) => x >= 0 && y >= 0 && x < SIDE && y < SIDE && cells[y * SIDE + x] === 0;
  for (const R of [8, 20, 50]) {
    let seen = 0;
    const look = () => { seen += 1; };
    const row = {
      "rot.js precise": microseconds(() => new ROT.FOV.PreciseShadowcasting(lightPasses).compute(100, 100, R, look), 5, 5),
      "rot.js recursive": microseconds(() => new ROT.FOV.RecursiveShadowcasting(lightPasses).compute(100, 100, R, look)),
    };
    const adapter = new FOV.PreciseShadowcasting(lightPasses);
    row["farsight-fov/rot"] = microseconds(() => adapter.compute(100, 100, R, look));
    const map = fs.OpacityMap.fromValues(cells, SIDE, SIDE);
    for (const method of ["symmetric-shadowcast", "two-parent", "beam"]) {
      const fov = new fs.FieldOfView({ radius: R, method });
      row[method] = microseconds(() => fov.compute(map, 100, 100));
      fov.dispose();
    }
    map.dispose();
    console.log(name, `R ${R}:`, Object.entries(row).map(([what, time]) => `${what} ${time.toPrecision(3)}`).join(", "), "µs");
  }
}

/** A viewshed as pages write it: a ray to each cell of the border, and the running maximum of slopes. */
function rays(heights, side, cellSize, eyeHeight, range) {
  const seen = new Uint8Array(side * side);
  const middle = (side - 1) / 2;
  const eye = heights[middle * side + middle] + eyeHeight;
  const drop = (1 - fs.STANDARD_REFRACTION) / (2 * 6_378_137);
  const reach = Math.floor(range / cellSize);
  const ray = (toX, toY) => {
    const steps = Math.max(Math.abs(toX), Math.abs(toY));
    let highest = -Infinity;
    for (let i = 1; i <= steps; i++) {
      const [dx, dy] = [Math.round((toX * i) / steps), Math.round((toY * i) / steps)];
      const distance = Math.hypot(dx, dy) * cellSize;
      if (distance > range) break;
      const at = (middle + dy) * side + middle + dx;
      const slope = (heights[at] - eye - drop * distance * distance) / distance;
      if (slope >= highest) [highest, seen[at]] = [slope, 1];
    }
  };
  for (let i = -reach; i <= reach; i++) for (const edge of [-reach, reach]) [ray(i, edge), ray(edge, i)];
  seen[middle * side + middle] = 1;
  return seen;
}

const N = 2001;
const heights = Float32Array.from({ length: N * N }, (_, i) => {
  const [x, y] = [i % N, Math.floor(i / N)];
  return 900 + 300 * Math.sin(x * 0.011) * Math.cos(y * 0.013) + 120 * Math.sin(x * 0.05 + y * 0.031) + 30 * Math.sin(x * 0.21) * Math.sin(y * 0.17);
});
const ground = new fs.Ground(heights, { width: N, height: N, cellSize: 10 });
const eye = { x: 1000, y: 1000, eyeHeight: 10, maxDistance: 10_000 };
const exact = ground.viewshed(eye).values;
const wrong = (values) => {
  let [count, differ] = [0, 0];
  for (let i = 0; i < N * N; i++) {
    if (Math.hypot((i % N) - 1000, Math.floor(i / N) - 1000) > 1000) continue;
    count += 1;
    if ((values[i] > 0) !== (exact[i] > 0)) differ += 1;
  }
  return `${((100 * differ) / count).toFixed(2)} % wrong`;
};
const planes = ground.viewshed({ ...eye, method: "two-parent" }).values;
const plain = rays(heights, N, 10, 10, 10_000);
const ms = (work) => `${(microseconds(work, 4, 1) / 1000).toFixed(1)} ms`;
console.log("viewshed, 10 km at 10 m:");
console.log(`  exact ${ms(() => ground.viewshed(eye, exact))}`);
console.log(`  two-parent ${ms(() => ground.viewshed({ ...eye, method: "two-parent" }, planes))}, ${wrong(planes)}`);
console.log(`  rays in JavaScript ${ms(() => rays(heights, N, 10, 10, 10_000))}, ${wrong(plain)}`);

small.initSync(readFileSync(new URL("wasm/sight_bg.wasm", builtPackage())));
for (const R of [8, 20, 50]) {
  const map = small.OpacityMap.fromValues(walls, SIDE, SIDE);
  const [soft, hard] = ["two-parent", "symmetric-shadowcast"].map((method) => {
    const fov = new small.FieldOfView({ radius: R, method });
    return microseconds(() => fov.compute(map, 100, 100)).toPrecision(3);
  });
  console.log(`without viewsheds, 10 % walls, R ${R}: two-parent ${soft}, symmetric-shadowcast ${hard} µs`);
}
