// The bits of the library: EXPECTED is the file that the example `expected` printed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { check, loadBoth } from "./bits.mjs";

const expected = readFileSync(process.env.EXPECTED ?? new URL("../../../target/js-expected.txt", import.meta.url), "utf8");
const { terrain } = await loadBoth();

test("viewsheds, horizons and panoramas have the bits of the library", () => {
  assert.deepEqual(check(terrain, expected, "terrain"), { wrong: [], cases: expected.split("\n").filter((line) => line.startsWith("terrain")).length });
});

test("fields of view have the bits of the library, in the module with vectors", () => {
  const { wrong, cases } = check(terrain, expected, "sight");
  assert.deepEqual(wrong, []);
  assert.ok(cases >= 300, `${cases} cases`);
});

test("fields of view have the bits of the library, in the module without viewsheds", async () => {
  const { sight } = await loadBoth("sight");
  const { wrong, cases } = check(sight, expected, "sight");
  assert.deepEqual(wrong, []);
  assert.ok(cases >= 300, `${cases} cases`);
});
