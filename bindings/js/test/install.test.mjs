// The package that npm installs: into an empty folder, and for the compiler of TypeScript.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const built = process.env.PACKAGE ?? join(here, "../../../target/js");
const folder = mkdtempSync(join(tmpdir(), "farsight-fov-"));
const run = (command, ...args) => {
  try {
    return execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    throw new Error(`${command} ${args.join(" ")}: ${error.stdout}${error.stderr}`);
  }
};

const [packed] = JSON.parse(run("npm", "pack", "--json", "--silent", built));
writeFileSync(join(folder, "package.json"), '{ "name": "fresh", "private": true, "type": "module" }');
run("npm", "install", "--offline", "--no-audit", "--no-fund", "--silent", `./${packed.filename}`);

test("the package has its modules, types, README and licences, and nothing else", () => {
  const names = packed.files.map(({ path }) => path);
  for (const name of ["index.js", "index.d.ts", "terrain.js", "terrain.d.ts", "rot.d.ts", "worker-main.js", "README.md", "LICENSE-MIT", "wasm/sight_bg.wasm", "wasm/terrain_bg.wasm"]) {
    assert.ok(names.includes(name), name);
  }
  assert.ok(names.every((name) => /\.(js|d\.ts|wasm|md|json)$|^LICENSE/.test(name)), names.join(" "));
});

test("it runs in an empty folder", () => {
  writeFileSync(join(folder, "use.js"), `
    import { FieldOfView, init, OpacityMap } from "farsight-fov";
    await init();
    console.log(new FieldOfView().compute(OpacityMap.fromText("@.#."), 0, 0).values.join(" "));
    const terrain = await import("farsight-fov/terrain");
    await terrain.init();
    console.log(terrain.viewshed(Float32Array.of(0, 9, 0), { width: 3, height: 1, cellSize: 10, x: 0, y: 0 }).values.join(" "));
    const { FOV } = await import("farsight-fov/rot");
    new FOV.PreciseShadowcasting(() => true).compute(0, 0, 0, (x, y, r, visibility) => console.log(x, y, r, visibility));
  `);
  assert.equal(run("node", "use.js"), "1 1 1 0\n1 1 0\n0 0 0 1\n");
});

/** The blocks of code of a page, by language. */
export function blocksOf(page, language) {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, code]) => code);
}

test("the examples of README and guide compile under strict rules, and those without a page run", () => {
  for (const name of ["maplibre-gl", "rot-js"]) symlinkSync(join(here, "node_modules", name), join(folder, "node_modules", name));
  const names = {
    level: "declare const level: string[];", player: "declare const player: { x: number; y: number };", me: "declare const me: { x: number; y: number };",
    monster: "declare const monster: { x: number; y: number };", draw: "declare function draw(x: number, y: number, visibility: number): void;",
    leafletMap: 'declare const leafletMap: import("leaflet").Map;', L: 'declare const L: typeof import("leaflet");',
    deck: 'declare const deck: import("@deck.gl/core").Deck;', BitmapLayer: 'declare const BitmapLayer: typeof import("@deck.gl/layers").BitmapLayer;',
    map: 'declare const map: import("maplibre-gl").Map;', addTerrainView: 'declare const addTerrainView: typeof import("farsight-fov/maplibre").addTerrainView;',
    view: 'declare const view: import("farsight-fov/terrain").TerrainView;', FOV: 'declare const FOV: typeof import("farsight-fov/rot").FOV;',
  };
  for (const name of ["@types", "@deck.gl", "leaflet", "@luma.gl", "@math.gl", "@loaders.gl"]) symlinkSync(join(here, "node_modules", name), join(folder, "node_modules", name));
  mkdirSync(join(folder, "examples"));
  const pages = [join(built, "README.md"), join(here, "../../../docs/guide/javascript.md")];
  let count = 0;
  for (const page of pages) {
    for (const code of blocksOf(readFileSync(page, "utf8"), "js")) {
      const declared = Object.entries(names)
        .filter(([name]) => new RegExp(`(?<![.\\w"])${name}(?![\\w"])`).test(code) && !new RegExp(`(const|let) ${name}\\b|import \\{[^}]*\\b${name}\\b[^}]*\\}`).test(code))
        .map(([, declaration]) => declaration);
      const file = join(folder, "examples", `${count++}`);
      writeFileSync(`${file}.ts`, `${declared.join("\n")}\n${code}\nexport {};\n`);
      if (declared.length === 0 && !/maplibre|fetch|TileSource/.test(code)) { // no page and no server
        writeFileSync(`${file}.mjs`, code);
        run("node", `${file}.mjs`);
      }
    }
  }
  assert.ok(count >= 8, `${count} examples`);
  writeFileSync(join(folder, "examples/globals.d.ts"), 'declare module "*.css";\ndeclare module "*?worker&url" { const url: string; export default url; }\n');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({
    compilerOptions: { target: "es2022", module: "esnext", moduleResolution: "bundler", strict: true, noEmit: true, skipLibCheck: true, types: [] },
    include: ["examples"],
  }));
  run("node", join(here, "node_modules/typescript/bin/tsc"), "--project", "tsconfig.json");
});

test("the types are complete without those of others, and refuse wrong calls", () => {
  writeFileSync(join(folder, "types.ts"), `
    import { FieldOfView, OpacityMap, type Method } from "farsight-fov";
    import { Ground } from "farsight-fov/terrain";
    import "farsight-fov/maplibre"; import "farsight-fov/leaflet"; import "farsight-fov/deck"; import "farsight-fov/worker"; import "farsight-fov/rot";
    const method: Method = { name: "beam", beams: 2 };
    { using fov = new FieldOfView({ method, radius: 3 }); const values: Float32Array = fov.compute((x, y) => x > y, 0, 0).values; void values; }
    import * as ROT0 from "rot-js";
    import { FOV } from "farsight-fov/rot";
    const ROT = { ...ROT0, FOV };
    const typed: FOV.PreciseShadowcasting = new ROT.FOV.PreciseShadowcasting((x, y) => x > y, { topology: 4 });
    new ROT.Lighting(() => 0.3).setFOV(typed);
    const state: "open" | "closed" = OpacityMap.fromText("+").toggleDoor(0, 0); void state;
    // @ts-expect-error: beams are no parameter of exact
    const wrong: Method = { name: "exact", beams: 2 }; void wrong;
    // @ts-expect-error: a string is no radius
    new FieldOfView({ radius: "3" });
    // @ts-expect-error: the constructor is private
    new OpacityMap();
    // @ts-expect-error: the cell size is missing
    new Ground([1], { width: 1, height: 1 });
  `);
  for (const [module, resolution] of [["esnext", "bundler"], ["nodenext", "nodenext"]]) {
    run("node", join(here, "node_modules/typescript/bin/tsc"), "--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom",
      "--module", module, "--moduleResolution", resolution, "--ignoreConfig", "types.ts");
  }
});

test("the example of rot.js in the guide prints the same with its first line changed", () => {
  const page = readFileSync(join(here, "../../../docs/guide/other-libraries.md"), "utf8");
  const [code] = blocksOf(page, "js").filter((block) => block.includes('from "rot-js"'));
  const printed = ["rot-js", "farsight-fov/rot"].map((from) => {
    writeFileSync(join(folder, "rot.mjs"), code.replace('from "rot-js"', `from "${from}"`));
    return run("node", "rot.mjs");
  });
  assert.equal(printed[1], printed[0]);
  assert.match(printed[0], /true\n$/);
});
