// Draws the cases of ../examples/expected.rs, and compares the hashes of their results. Node and the browser run it.

class Random {
  constructor(seed) {
    this.state = (Math.imul(seed, 2654435761 | 0) | 1) >>> 0;
  }

  below(end) {
    let s = this.state;
    s = (s ^ (s << 13)) >>> 0;
    s = (s ^ (s >>> 17)) >>> 0;
    this.state = (s ^ (s << 5)) >>> 0;
    return this.state % end;
  }
}

class Hash {
  value = 2166136261;
  #double = new Float64Array(1);
  #words = new Uint32Array(this.#double.buffer);

  word(bits) {
    this.value = Math.imul(this.value ^ bits, 16777619) >>> 0;
  }

  floats(values) {
    const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
    for (const word of bits) this.word(word);
  }

  double(value) {
    this.#double[0] = value;
    if (Number.isNaN(value)) [this.#words[0], this.#words[1]] = [0, 0x7ff80000];
    this.word(this.#words[0]);
    this.word(this.#words[1]);
  }
}

const SHAPES = ["circle", "square", "diamond"];
const METHODS = [
  "two-parent", { name: "two-parent", weights: "projection" }, { name: "beam", beams: 1.5 }, { name: "exact", samples: 3 },
  "symmetric-shadowcast", "shadowcast", "raycast-border", "raycast-circle",
];
const DECAYS = [
  "none", "linear", { kind: "smooth", reach: 20 }, "inverse-square", { kind: "exponential", half: 9 }, "lamp",
  { kind: "fuzzy", near: 3 }, { kind: "points", points: [[4, 0.75], [12, 0.25]] },
];

function sight({ FieldOfView, OpacityMap }, seed) {
  const random = new Random(seed);
  const [width, height] = [1 + random.below(60), 1 + random.below(50)];
  const [walls, fog] = [random.below(40), random.below(3)];
  const map = OpacityMap.fromCells(width, height, () => random.below(100) < walls ? 1 : (random.below(6) * fog) / 16);
  const [x, y] = [random.below(width), random.below(height)];
  const options = {
    radius: random.below(8) === 0 ? Infinity : random.below(40), shape: SHAPES[random.below(3)],
    path: ["per-cell", "per-length"][random.below(2)], method: METHODS[random.below(8)], decay: DECAYS[random.below(8)],
    sector: { facing: random.below(360), span: [360, 120, 200][random.below(3)] },
  };
  if (METHODS.indexOf(options.method) >= 4) options.shape = "circle"; // the only shape of methods that answer yes or no
  const [tx, ty] = [random.below(width), random.below(height)];
  const fov = new FieldOfView(options);
  const hash = new Hash();
  hash.floats(fov.compute(map, x, y).toMap(width, height));
  fov.configure({ ...options, walls: true });
  hash.floats(fov.compute(map, x, y).toMap(width, height));
  hash.floats(Float32Array.of(fov.lineOfSight(map, x, y, tx, ty)));
  fov.dispose();
  map.dispose();
  return hash.value;
}

function terrain({ Ground }, seed) {
  const random = new Random(seed);
  const [width, height] = [2 + random.below(70), 2 + random.below(60)];
  const [rough, gaps] = [1 + random.below(400), random.below(3) * 20];
  const heights = new Float32Array(width * height);
  for (let i = 0; i < heights.length; i++) {
    const hill = (((i % width) * 7) % 90) + ((Math.floor(i / width) * 5) % 70);
    const bump = random.below(rough) / 8;
    heights[i] = random.below(1000) < gaps ? NaN : 500 + hill + bump;
  }
  const [x, y] = [random.below(width), random.below(height)];
  const cellSize = 5 + random.below(40);
  const method = random.below(2) === 0 ? "exact" : "two-parent";
  const [eyeHeight, targetHeight] = [random.below(30), random.below(10)];
  const softness = random.below(2) * 4;
  const maxDistance = random.below(3) === 0 ? Infinity : cellSize * (2 + random.below(50));
  const earth = random.below(2) !== 0;
  const hash = new Hash();
  if (Number.isNaN(heights[y * width + x])) return hash.value;
  const ground = new Ground(heights, { width, height, cellSize });
  const eye = { x, y, eyeHeight, targetHeight, softness, maxDistance, earth, refraction: 0.125, method };
  const seen = ground.viewshed(eye);
  const all = new Float32Array(width * height);
  for (let row = 0; row < seen.height; row++) {
    all.set(seen.values.subarray(row * seen.width, (row + 1) * seen.width), (seen.top + row) * width + seen.left);
  }
  hash.floats(all);
  const skyline = ground.horizon({ ...eye, azimuths: 40 });
  for (let i = 0; i < 40; i++) {
    for (const column of [skyline.elevation, skyline.distance, skyline.height]) hash.double(column[i]);
  }
  hash.floats(ground.panorama({ ...eye, pixels: { width: 50, height: 20, top: 20, bottom: -30 } }));
  ground.dispose();
  return hash.value;
}

/** Returns the cases of a kind whose hash differs, and how many cases there are. */
export function check(farsight, expected, wanted) {
  const wrong = [];
  let cases = 0;
  for (const line of expected.trim().split("\n")) {
    const [kind, seed, hash] = line.split(" ");
    if (kind !== wanted) continue;
    cases += 1;
    const found = (kind === "sight" ? sight : terrain)(farsight, Number(seed));
    if (found !== Number(hash)) wrong.push(`${kind} ${seed}`);
  }
  return { wrong, cases };
}

/** Returns the address of the built package in Node. */
export const builtPackage = () => new URL(process.env.PACKAGE ? `file://${process.env.PACKAGE}/` : "../../../target/js/", import.meta.url);

/** Loads the built package in Node: the entry with everything, and with `last` "sight" then the other one. */
export async function loadBoth(last = "terrain") {
  const folder = builtPackage();
  const [sight, terrain] = await Promise.all([import(new URL("index.js", folder)), import(new URL("terrain.js", folder))]);
  if (last === "sight") {
    await terrain.init();
    const { readFile } = await import("node:fs/promises");
    sight.initSync(await readFile(new URL("wasm/sight_bg.wasm", folder)));
  } else {
    await terrain.init();
  }
  return { sight, terrain };
}
