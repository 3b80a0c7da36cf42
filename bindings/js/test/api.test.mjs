// What the package does in Node, and what it says of bad input.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as ROT from "rot-js";
import { builtPackage, loadBoth } from "./bits.mjs";

const { terrain: fs, sight } = await loadBoth();
const { FieldOfView, Ground, Memory, OpacityMap, TeamView, viewshed } = fs;

const says = (work, message) => assert.throws(work, (error) => {
  assert.ok(error instanceof Error && !(error instanceof WebAssembly.RuntimeError), `${error}`);
  assert.match(error.message, message);
  return true;
});

test("a hedge dims what is behind it", () => {
  const map = OpacityMap.fromText("#..@..4..\n#...#....\n#........");
  const view = new FieldOfView({ radius: 24 }).compute(map, 3, 0);
  assert.equal(view.get(6, 0), 1);
  assert.ok(Math.abs(view.get(7, 0) - 0.6) < 1e-6);
  assert.equal(view.get(5, 2), 0);
  assert.equal(view.get(-1, 0), 0);
  assert.equal(view.get(99, 99), 0);
  assert.deepEqual([view.x, view.y, view.left, view.top, view.width, view.height], [3, 0, 0, 0, 9, 3]);
});

test("the values of a view are reused, and a kept view is not", () => {
  const fov = new FieldOfView({ radius: 3 });
  const map = OpacityMap.clear(40, 40);
  const first = fov.compute(map, 20, 20);
  const { buffer } = first.values;
  const kept = first.keep();
  const second = fov.compute(map, 10, 10);
  assert.equal(first, second);
  assert.equal(second.values.buffer, buffer);
  assert.equal(kept.get(20, 23), 1);
  assert.equal(second.get(20, 23), 0);
  const changes = second.keep().changesSince(kept);
  assert.equal(changes.newlySeen.length, 2 * 29);
  assert.equal(changes.newlyHidden.length, 2 * 29);
});

test("toMap fills the values of a whole map", () => {
  const map = OpacityMap.clear(7, 5);
  const view = new FieldOfView({ radius: 2 }).compute(map, 0, 4);
  const out = new Float32Array(35).fill(9);
  assert.equal(view.toMap(7, 5, out), out);
  for (let y = 0; y < 5; y++) for (let x = 0; x < 7; x++) assert.equal(out[y * 7 + x], view.get(x, y));
  says(() => view.toMap(7, 5, new Float32Array(3)), /out: 3 values are not accepted: expected 35/);
});

test("a function for each cell has the values of the map, and no edge", () => {
  const map = OpacityMap.fromCells(60, 60, (x, y) => (x * 7 + y * 3) % 11 === 0);
  for (const method of fs.METHODS) {
    for (const walls of [false, true]) {
      const fov = new FieldOfView({ radius: 12, method, walls });
      const byMap = fov.compute(map, 30, 30).toMap(60, 60);
      const byFunction = fov.compute((x, y) => map.get(x, y) ?? null, 30, 30).toMap(60, 60);
      assert.deepEqual(byFunction, byMap, method);
    }
  }
  const far = new FieldOfView({ radius: 5 }).compute(() => false, -1000, 1000);
  assert.equal(far.get(-1005, 1000), 1);
  assert.equal(far.values.length, 121);
});

test("what a function throws is thrown, and the object still works", () => {
  const fov = new FieldOfView({ radius: 4 });
  class Own extends Error {}
  assert.throws(() => fov.compute(() => { throw new Own("mine"); }, 0, 0), Own);
  says(() => fov.compute(() => 7, 0, 0), /opacity at -?\d+,-?\d+: 7 is not valid: expected a number from 0 \(clear\) to 1/);
  says(() => fov.compute(() => NaN, 0, 0), /NaN is not valid/);
  says(() => fov.compute(() => "wall", 0, 0), /"wall" is not valid/);
  assert.equal(fov.compute((x) => fov.compute(() => 0, 9, 9).get(9, 9) - (x === 2 ? 0 : 1), 0, 0).get(3, 0), 0); // a wall at x = 2
  assert.equal(fov.compute(() => 0, 0, 0).get(4, 0), 1);
});

test("symmetric shadowcasting answers yes or no, mutually", () => {
  const map = OpacityMap.fromCells(40, 40, (x, y) => (x * 13 + y * 29) % 7 === 0);
  const fov = new FieldOfView({ radius: 12, method: "symmetric-shadowcast" });
  const view = fov.compute(map, 20, 21);
  assert.equal(map.get(20, 21), 0);
  view.forEach((x, y, visibility) => {
    assert.equal(visibility, 1);
    if (map.get(x, y) === 0) assert.equal(fov.lineOfSight(map, x, y, 20, 21), 1);
  });
});

test("doors, lines of sight and who sees whom", () => {
  const map = OpacityMap.fromText(["#########", "#@..+..5#", "#########"]);
  const fov = new FieldOfView({ radius: 9 });
  assert.equal(map.door(4, 1), "closed");
  assert.equal(fov.lineOfSight(map, 1, 1, 6, 1), 0);
  assert.equal(map.toggleDoor(4, 1), "open");
  assert.equal(fov.lineOfSight(map, 1, 1, 6, 1), 1);
  assert.equal(map.toggleDoor(4, 1), "closed");
  says(() => map.toggleDoor(3, 1), /cell 3,1 is not a door: expected a cell that setDoor, or \+ or ' in a text, made one/);
  says(() => map.toggleDoor(30, 1), /cell 30,1 is not a door/);
  map.toggleDoor(4, 1);
  assert.deepEqual([...map.doors()], [4, 1]);
  const seen = fov.mutual(map, [[1, 1], [6, 1]], [9, 2]);
  assert.deepEqual([...seen], [1, 1, 0, 1]);
  map.setMany([[2, 1], [3, 1]], [0.5, 1]);
  assert.equal(map.get(3, 1), 1);
  assert.equal(map.get(30, 1), undefined);
});

test("who sees whom has the values of the views, with method, shape, sector and decay", () => {
  const map = OpacityMap.fromCells(40, 30, (x, y) => (x * 13 + y * 29) % 7 === 0 ? ((x + y) % 3 === 0 ? 0.4 : 1) : 0);
  const cells = Array.from({ length: 24 }, (_, i) => [3 + (i * 17) % 34, 2 + (i * 11) % 26]);
  const radii = cells.map((_, i) => 9 + i % 3);
  let asymmetric = 0;
  for (const options of [
    ...fs.METHODS.map((method) => ({ method })), { method: { name: "two-parent", weights: "projection" } }, { decay: "smooth" },
    { path: "per-length" }, { shape: "square" }, { sector: { facing: 270, span: 90 } }, { sector: { facing: 90, span: 360 } },
    { method: "beam", shape: "diamond", decay: "lamp", sector: { facing: 45, span: 180 } }, { method: "beam", walls: true },
  ]) {
    const fov = new FieldOfView({ radius: 3, ...options });
    const seen = fov.mutual(map, cells, radii);
    const [x, y] = cells[0];
    assert.equal(fov.compute(map, x, y).get(x + 4, y), 0, "the radius of the field of view stays 3");
    cells.forEach((viewer, i) => {
      const view = new FieldOfView({ ...options, walls: false, radius: radii[i] }).compute(map, ...viewer);
      cells.forEach((target, j) => {
        const value = seen[i * cells.length + j];
        assert.ok(Math.abs(value - view.get(...target)) < 1e-6, `${JSON.stringify(options)} ${viewer} ${target}: ${value}`);
        if (options.method === "beam" && radii[i] === radii[j] && Math.abs(value - seen[j * cells.length + i]) > 0.01) asymmetric += 1;
      });
    });
  }
  assert.ok(asymmetric > 0, "beams are not symmetric");
  const fov = new FieldOfView({ method: "beam", radius: 5 });
  says(() => fov.mutual(map, [[1, 1], [40, 1]], 9), /40,1/);
  assert.equal(fov.compute(map, 20, 20).width, 11);
});

test("memory discovers, fades, is saved and restored", () => {
  const map = OpacityMap.clear(20, 1);
  const fov = new FieldOfView({ radius: 2 });
  const memory = new Memory(map, { fading: 2 });
  assert.equal(memory.update(fov.compute(map, 2, 0)).discovered.length, 2 * 5);
  const { newlySeen, newlyHidden } = memory.update(fov.compute(map, 10, 0), { threshold: 0.5 });
  assert.deepEqual([newlySeen.length, newlyHidden.length], [10, 10]);
  assert.deepEqual([memory.get(2, 0), memory.get(10, 0), memory.get(19, 0)], ["seen", "visible", "hidden"]);
  const saved = memory.states();
  memory.update(fov.compute(map, 10, 0));
  assert.equal(memory.strength(2, 0), 0.5);
  memory.restore(saved);
  assert.equal(memory.get(2, 0), "seen");
  memory.forget();
  assert.equal(memory.get(2, 0), "hidden");
  says(() => memory.restore(new Uint8Array(3)), /3 values are not accepted: expected 20/);
  says(() => memory.restore(new Uint8Array(20).fill(7)), /7 is not the state of a cell/);
});

test("a team sees what its units see", () => {
  const map = OpacityMap.clear(20, 1);
  const fov = new FieldOfView({ radius: 2 });
  const team = new TeamView(map);
  for (const [unit, x] of [[7, 3], [9, 5]]) team.set(unit, fov.compute(map, x, 0));
  assert.equal(team.update().discovered.length, 2 * 7);
  assert.deepEqual([team.count(4, 0), team.count(1, 0), team.get(0, 0)], [2, 1, "hidden"]);
  assert.deepEqual(team.unitsNear(8, 0), [9]);
  assert.equal(team.remove(7), true);
  assert.equal(team.remove(7), false);
  assert.deepEqual([...team.update().newlyHidden], [1, 0, 2, 0]);
});

test("invalid arguments are errors with the value and what is accepted", () => {
  says(() => new FieldOfView({ radius: 1.5 }), /radius: 1.5 is not valid: expected a whole number from 0/);
  says(() => new FieldOfView({ radius: "two" }), /radius: "two" is not valid/);
  says(() => new FieldOfView({ range: 3 }), /"range" is not known: expected radius/);
  says(() => new FieldOfView({ method: "beams" }), /method: "beams" is not valid: expected "two-parent"/);
  says(() => new FieldOfView({ method: "symmetric-shadowcast", shape: "square" }),
    /shape: "square" is not valid: expected "circle", which is the shape of the method "symmetric-shadowcast"/);
  says(() => new FieldOfView({ method: "raycast-border", shape: "round" }), /shape: "round" is not valid: expected "circle", "square", "diamond"/);
  assert.equal(new FieldOfView({ method: "shadowcast", shape: "circle", radius: 2 }).compute(() => 0, 0, 0).get(2, 2), 0);
  assert.equal(new FieldOfView({ method: "beam", shape: "square", radius: 2 }).compute(() => 0, 0, 0).get(2, 2), 1);
  says(() => new FieldOfView({ method: { name: "beam", beams: 99 } }), /beams: 99 is not valid: expected 0.5 to 4/);
  says(() => new FieldOfView({ method: { name: "beam", rays: 9 } }), /"rays" is not a parameter of "beam": expected beams/);
  says(() => new FieldOfView({ decay: { kind: "linear", reach: -1 } }), /reach: -1 is not valid: expected 0.5 to 100000/);
  says(() => new FieldOfView({ decay: { kind: "points", points: [[1, 2]] } }), /points\[0\] is \[1, 2\]/);
  says(() => new FieldOfView({ sector: { facing: 0, span: 400 } }), /span: 400 is not valid: expected 1 to 360/);
  says(() => new FieldOfView({ sector: { facing: NaN, span: 40 } }), /facing: NaN/);
  says(() => OpacityMap.fromValues([0, 1, 0.5], 2, 2), /opacity: 3 values are not accepted: expected 4, 2 columns times 2 rows/);
  says(() => OpacityMap.fromValues([0, 1, 0.5, NaN], 2, 2), /cell 1,1 has opacity NaN/);
  says(() => OpacityMap.fromValues([0, 1, 0.5, "x"], 2, 2), /opacity\[3\]: "x" is not valid/);
  says(() => OpacityMap.fromValues("0101", 2, 2), /opacity: "0101" is not valid: expected a typed array/);
  says(() => OpacityMap.fromValues(new Float32Array(4), -2, 2), /width: -2 is not valid/);
  says(() => OpacityMap.fromText("#.x"), /x/);
  says(() => OpacityMap.fromText(""), /./);
  const map = OpacityMap.clear(5, 5);
  says(() => map.set(9, 0, 1), /cell 9,0 is outside the map of 5x5 cells/);
  says(() => map.set(0, 0, 1.5), /opacity 1.5/);
  says(() => map.set(0, 0, NaN), /opacity: NaN/);
  const fov = new FieldOfView();
  says(() => fov.compute(map, 9, 0), /the viewer at 9,0 is outside the map of 5x5 cells/);
  says(() => fov.compute(map, NaN, 0), /x: NaN is not valid/);
  says(() => fov.compute(map, 2 ** 40, 0), /x: 1099511627776 is not valid/);
  says(() => fov.compute([[0]], 0, 0), /map: Array of 1 values is not valid: expected an OpacityMap/);
  says(() => new FieldOfView({ radius: Infinity }).compute(() => 0, 0, 0), /radius: Infinity is not valid: expected 2048 at most over a function/);
  says(() => fov.mutual(map, [[0, 0]], [1, 2]), /radii: 2 values are not accepted: expected 1/);
  const detached = new Float32Array(25);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  says(() => OpacityMap.fromValues(detached, 5, 5), /opacity: 0 values.* are not accepted: expected 25/);
});

test("a map that does not fit into memory is an error", () => {
  says(() => OpacityMap.clear(2 ** 20, 2 ** 20), /1048576x1048576 cells need about \d+ MB/);
  says(() => new Memory({ width: 2 ** 20, height: 2 ** 20 }), /need about/);
  says(() => OpacityMap.clear(2 ** 40, 1), /width: 1099511627776 is not valid/);
});

test("a disposed object says so, and memory returns", () => {
  const map = OpacityMap.clear(9, 9);
  const fov = new FieldOfView();
  const view = fov.compute(map, 4, 4);
  fov.dispose();
  fov.dispose();
  assert.equal(fov.disposed, true);
  says(() => fov.compute(map, 4, 4), /this FieldOfView is disposed/);
  says(() => view.keep(), /this FieldOfView is disposed/);
  map.dispose();
  says(() => map.get(0, 0), /this OpacityMap is disposed/);
  says(() => new FieldOfView().compute(map, 4, 4), /this OpacityMap is disposed/);
  assert.equal(typeof FieldOfView.prototype[Symbol.dispose ?? "dispose"], "function");
  for (let i = 0; i < 300; i++) {
    const large = OpacityMap.clear(1000, 1000); // 4 MB each: without dispose these are 1.2 GB
    large.dispose();
  }
});

const ridge = Float32Array.from({ length: 101 * 101 }, (_, i) => Math.floor(i / 101) === 20 ? 300 : 0);

test("a ridge hides the ground behind it, and is the skyline", () => {
  const ground = new Ground(ridge, { width: 101, height: 101, cellSize: 100 });
  const eye = { x: 50, y: 50, eyeHeight: 2, earth: false };
  const seen = ground.viewshed(eye);
  assert.deepEqual([seen.left, seen.top, seen.width, seen.height], [0, 0, 101, 101]);
  const at = (x, y) => seen.values[y * 101 + x];
  assert.deepEqual([at(50, 20), at(50, 10), at(50, 90)], [1, 0, 1]);
  const skyline = ground.horizon({ ...eye, azimuths: 8 });
  assert.deepEqual([skyline.x[0], skyline.y[0], skyline.distance[0], skyline.azimuth[2]], [50, 20, 3000, 90]);
  assert.ok(Math.abs(skyline.elevation[0] - 5.67) < 0.01);
  const why = ground.explain(eye, 50, 10);
  assert.equal(why.visibility, 0);
  assert.deepEqual([why.horizon.x, why.horizon.y, why.horizon.distance], [50, 20, 3000]);
  assert.ok(Math.abs(why.clearance + 2 + (298 / 3000) * 4000) < 0.01, `${why.clearance}`); // the line is at 399.3 m there
  assert.equal(ground.explain(eye, 50, 60).visibility, 1);
  const near = ground.viewshed({ ...eye, maxDistance: 500 });
  assert.deepEqual([near.left, near.top, near.width, near.height], [45, 45, 11, 11]);
  assert.deepEqual(viewshed(ridge, { width: 101, height: 101, cellSize: 100, ...eye }).values, seen.values);
  const depths = ground.panorama({ ...eye, pixels: { width: 360, height: 40 } });
  assert.equal(depths[0], Infinity);
  assert.ok(depths[10 * 360] > 2900 && depths[10 * 360] < 3000);
  ground.dispose();
  says(() => ground.viewshed(eye), /this Ground is disposed/);
});

test("invalid terrain is an error", () => {
  const size = { width: 10, height: 10, cellSize: 30 };
  const flat = new Float32Array(100);
  says(() => new Ground(flat, { ...size, width: 11 }), /heights: 100 values are not accepted: expected 110/);
  says(() => new Ground(flat, { ...size, cellSize: 0 }), /cellSize: 0 is not valid: expected 0.001 to 1000000/);
  says(() => new Ground(flat, { ...size, cellSize: [30, NaN] }), /cellSize: NaN/);
  says(() => new Ground(Float32Array.from(flat, (_, i) => i === 13 ? Infinity : 0), size), /heights: inf in column 3 and row 1/);
  says(() => new Ground(flat, { width: 2 ** 16, height: 2 ** 16, cellSize: 1 }), /need about/);
  const gap = new Ground(Float32Array.from(flat, (_, i) => i === 0 ? NaN : 0), size);
  says(() => gap.viewshed({ x: 0, y: 0 }), /the viewer at 0,0 is on a nodata cell/);
  says(() => gap.viewshed({ x: 10, y: 0 }), /the viewer at 10,0 is outside/);
  says(() => gap.viewshed({ x: 1, y: 1, maxDistance: 0 }), /maxDistance: 0 is not valid: expected more than 0 m/);
  says(() => gap.viewshed({ x: 1, y: 1, eyeHeight: -1 }), /eyeHeight: -1 is not valid/);
  says(() => gap.viewshed({ x: 1, y: 1, method: "beam" }), /method: "beam" is not valid: expected "exact", "two-parent"/);
  says(() => gap.viewshed({ x: 1, y: 1, eye: 3 }), /"eye" is not known/);
  says(() => gap.horizon({ x: 1, y: 1, azimuths: 0 }), /azimuths: 0 is not valid/);
  says(() => gap.panorama({ x: 1, y: 1, pixels: { width: 2 ** 16, height: 2 ** 16 } }), /need about/);
  says(() => gap.panorama({ x: 1, y: 1, pixels: { width: 9, height: 9, field: 400 } }), /field_deg: 400 is not valid/);
  says(() => gap.explain({ x: 1, y: 1 }, 77, 1), /cell 77,1 is outside the map of 10x10 cells/);
});

test("init says what is wrong with a module", async () => {
  const fresh = await import(`${new URL("terrain.js", builtPackage())}?fresh`);
  await assert.rejects(fresh.init(new Uint8Array([1, 2, 3])), /expected the WebAssembly module of this package/);
  await assert.rejects(fresh.init(new URL("file:///no/such/file.wasm")), /no such file/);
  await fresh.init(); // the next call tries again
});

test("rot.js: a game changes one line", async () => {
  const { FOV } = await import(new URL("rot.js", builtPackage()));
  await fs.init();
  const level = ["###########", "#....#....#", "#....'....#", "#....#....#", "###########"];
  const lightPasses = (x, y) => level[y]?.[x] !== "#" && level[y]?.[x] !== undefined;
  const cells = (Fov, R) => {
    const seen = new Map();
    new Fov(lightPasses, { topology: 8 }).compute(2, 2, R, (x, y, r, visibility) => seen.set(`${x},${y}`, [r, visibility]));
    return seen;
  };
  for (const R of [1, 3, 20]) {
    const [mine, theirs] = [cells(FOV.PreciseShadowcasting, R), cells(ROT.FOV.PreciseShadowcasting, R)];
    for (const [cell, [r]] of mine) if (theirs.has(cell)) assert.equal(r, theirs.get(cell)[0], cell);
    const floor = (seen) => [...seen.keys()].filter((cell) => lightPasses(...cell.split(",").map(Number))).sort();
    if (R === 1) assert.deepEqual(floor(mine), floor(theirs));
    else assert.ok(floor(mine).includes("4,1") && floor(mine).includes("5,2") === (R >= 3));
  }
  for (const clear of [0.4, 1, 7, "floor", {}]) { // any truthy value lets light pass, as in rot.js
    for (const blocks of [0, NaN, "", null, undefined, false]) {
      const reached = (Fov) => {
        let farthest = 0;
        new Fov((x, y) => Math.abs(x) === 3 || Math.abs(y) === 3 ? blocks : clear).compute(0, 0, 9, (x, y, r) => { farthest = Math.max(farthest, r); });
        return farthest;
      };
      assert.deepEqual([reached(FOV.PreciseShadowcasting), reached(ROT.FOV.PreciseShadowcasting)], [3, 3], `${clear} ${blocks}`);
    }
  }
  for (const topology of [4, 8]) {
    for (const r of [0, 1, 4]) {
      assert.deepEqual(new FOV.PreciseShadowcasting(lightPasses, { topology })._getCircle(2, -1, r),
        new ROT.FOV.PreciseShadowcasting(lightPasses, { topology })._getCircle(2, -1, r));
    }
  }
  const nested = new FOV.PreciseShadowcasting(lightPasses);
  const flat = [];
  const within = [];
  nested.compute(2, 2, 4, (x, y, r) => flat.push([x, y, r]));
  nested.compute(2, 2, 4, (x, y, r) => { within.push([x, y, r]); nested.compute(7, 2, 2, () => {}); });
  assert.deepEqual(within, flat);
  const wrong = new FOV.PreciseShadowcasting(lightPasses, {}, { method: "beams" });
  for (let i = 0; i < 2; i++) says(() => wrong.compute(2, 2, 4, () => {}), /method: "beams" is not valid/);
  const lit = [ROT.FOV, FOV].map((from) => {
    const seen = new Map();
    const lighting = new ROT.Lighting(() => 0.3, { range: 2 }).setFOV(new from.PreciseShadowcasting(lightPasses));
    lighting.setLight(2, 2, [240, 240, 30]).compute((x, y, colour) => seen.set(`${x},${y}`, colour));
    return [...seen].filter(([cell]) => lightPasses(...cell.split(",").map(Number))).sort();
  });
  assert.ok(lit[0].length > 4);
  assert.deepEqual(lit[1], lit[0]);
  const half = [];
  const fov = new FOV.RecursiveShadowcasting(() => true);
  fov.compute90(0, 0, 5, 2, (x, y) => half.push([x, y]));
  assert.ok(half.every(([x, y]) => x >= Math.abs(y)), "to the right");
  fov.compute180(0, 0, 5, 0, (x, y) => assert.ok(y <= 0));
  says(() => new FOV.PreciseShadowcasting(lightPasses, { topology: 6 }), /topology: 6 is not valid: expected 8 or 4/);
});
