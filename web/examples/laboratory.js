// Eight methods of field of view on a map that the visitor draws.
import { FieldOfView, init, OpacityMap } from "./farsight-fov/terrain.js";

const [WIDTH, HEIGHT] = [53, 37];
/** The least opacity of a cell that methods which answer yes or no take for a wall. */
const WALL_AT = 0.5;
const METHODS = [
  { title: "Two parents", method: "two-parent", words: "A cell takes its light from up to two cells one step nearer. The mean over all shortest paths of a king." },
  { title: "Two parents, by projection", method: { name: "two-parent", weights: "projection" }, words: "The weights as they were first published, by the angle of the line. Not symmetric." },
  { title: "Beams", method: { name: "beam", beams: 1 }, words: "Rays in all directions share out the light. Sharp shadows with fractions at their edges." },
  { title: "Exact", method: { name: "exact", samples: 7 }, words: "49 lines to each cell, traced one by one. The reference of the others, and slow." },
  { title: "Symmetric shadowcasting", method: "symmetric-shadowcast", words: "Yes or no, by the diamonds inside of walls. You see me if I see you: for fair games." },
  { title: "Recursive shadowcasting", method: "shadowcast", words: "The method of most roguelikes: walls narrow intervals of slopes in eight octants." },
  { title: "Rays to the border", method: "raycast-border", words: "A line to each cell of the border, and walls repaired afterwards." },
  { title: "Rays on a circle", method: "raycast-circle", words: "A line for each degree. It leaves gaps at a distance, and walls with holes." },
];

const $ = (id) => document.getElementById(id);
const at = (x, y) => y * WIDTH + x;
const state = { eye: [26, 18], tool: "eye", show: "view", cells: new Uint8Array(WIDTH * HEIGHT) };
const [FLOOR, WALL, HEDGE, CLOSED, OPEN] = [0, 1, 2, 3, 4];

// The maps that a visitor can begin with, drawn by rules.
const MAPS = {
  pillars: (x, y) => x % 6 === 3 && y % 6 === 2 ? WALL : FLOOR,
  rooms(x, y) {
    const isWall = x % 13 === 0 || y % 12 === 0 || x === WIDTH - 1 || y === HEIGHT - 1;
    if (!isWall) return FLOOR;
    const isInside = x > 0 && y > 0 && x < WIDTH - 1 && y < HEIGHT - 1;
    if (isInside && x % 13 === 0 && y % 12 === 6) return (x + y) % 2 ? OPEN : CLOSED;
    if (isInside && y % 12 === 0 && (x % 13 === 4 || x % 13 === 9)) return x % 13 === 4 ? OPEN : CLOSED;
    return WALL;
  },
  garden(x, y) {
    const [dx, dy] = [x - 26, y - 18];
    const ring = Math.hypot(dx, dy * 1.25);
    if (x >= 21 && x <= 25 && y >= 6 && y <= 9) return x === 23 && y === 9 ? OPEN : x === 21 || x === 25 || y === 6 || y === 9 ? WALL : FLOOR;
    if (ring > 7.4 && ring < 8.8 && Math.abs(dx) > 1.5 && Math.abs(dy) > 1.5) return HEDGE;
    if (ring > 13.6 && ring < 15.2 && Math.abs(dx - dy) > 3) return HEDGE;
    return Math.hypot(x - 42, y - 9) < 2.3 || Math.hypot(x - 11, y - 27) < 1.6 ? WALL : FLOOR;
  },
  cave(x, y) {
    const wave = Math.sin(x * 0.55) + Math.cos(y * 0.62) + Math.sin((x + y) * 0.31) + Math.cos((x - 2 * y) * 0.23);
    const isEdge = x === 0 || y === 0 || x === WIDTH - 1 || y === HEIGHT - 1;
    return isEdge || (wave > 1.05 && Math.hypot(x - 26, y - 18) > 3) ? WALL : FLOOR;
  },
  empty: () => FLOOR,
};

function loadMap(name) {
  for (let y = 0; y < HEIGHT; y++) for (let x = 0; x < WIDTH; x++) state.cells[at(x, y)] = MAPS[name](x, y);
  const [x, y] = state.eye;
  if (state.cells[at(x, y)] === WALL) state.cells[at(x, y)] = FLOOR;
  changed();
}

const value = (id) => Number($(id).value);
const opacityOf = (cell) => cell === WALL || cell === CLOSED ? 1 : Math.max(value("haze") / 100, cell === HEDGE ? value("hedge") / 100 : 0);

// ---- drawing

const COLOURS = { floor: [201, 178, 128], wall: [176, 168, 160], hedge: [98, 150, 84], door: [186, 122, 66], dark: [19, 18, 25] };
const GHOST = 0.16; // how much of a hidden wall is drawn

function colourOf(cell) {
  if (cell === WALL) return COLOURS.wall;
  return cell === HEDGE ? COLOURS.hedge : cell === CLOSED || cell === OPEN ? COLOURS.door : COLOURS.floor;
}

/** Paints cells as squares. `shade` returns a colour for a cell. */
function paint(canvas, shade) {
  const side = Math.max(2, Math.round((canvas.clientWidth * devicePixelRatio) / WIDTH));
  if (canvas.width !== side * WIDTH) [canvas.width, canvas.height] = [side * WIDTH, side * HEIGHT];
  const context = canvas.getContext("2d");
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const [r, g, b] = shade(x, y);
      context.fillStyle = `rgb(${r | 0} ${g | 0} ${b | 0})`;
      context.fillRect(x * side, y * side, side, side);
      if (state.cells[at(x, y)] === OPEN) {
        context.fillStyle = "rgb(22 21 27 / .55)";
        context.fillRect(x * side + side * 0.3, y * side, side * 0.4, side);
      }
    }
  }
  const [x, y] = state.eye;
  context.beginPath();
  context.arc((x + 0.5) * side, (y + 0.5) * side, Math.max(side * 0.42, 3), 0, 7);
  context.fillStyle = "#e8412f";
  context.fill();
  context.lineWidth = Math.max(1.5, side / 9);
  context.strokeStyle = "#fff";
  context.stroke();
}

const mix = (from, to, part) => from.map((channel, i) => channel + (to[i] - channel) * part);
function lit(x, y, visibility) {
  const cell = state.cells[at(x, y)];
  const hidden = cell === FLOOR ? COLOURS.dark : mix(COLOURS.dark, colourOf(cell), GHOST);
  const distance = Math.hypot(x - state.eye[0], y - state.eye[1]);
  const lamp = 1 - 0.45 * Math.min(distance / 34, 1); // so that the middle is warmer
  return mix(hidden, colourOf(cell).map((channel) => channel * lamp), visibility);
}

const SHOWS = {
  view: ({ seen }) => (x, y) => lit(x, y, seen[at(x, y)]),
  error: ({ seen }) => (x, y) => {
    const difference = seen[at(x, y)] - reference[at(x, y)];
    const base = mix(COLOURS.dark, colourOf(state.cells[at(x, y)]), state.cells[at(x, y)] === FLOOR ? 0.08 : 0.3);
    return mix(base, difference > 0 ? [242, 84, 62] : [74, 142, 255], Math.min(Math.abs(difference) * 1.4, 1));
  },
  asymmetry: ({ back, seen }) => (x, y) => {
    const base = mix(COLOURS.dark, colourOf(state.cells[at(x, y)]), state.cells[at(x, y)] === FLOOR ? 0.08 : 0.3);
    const other = back[at(x, y)];
    return Number.isNaN(other) ? base : mix(base, [196, 112, 255], Math.min(Math.abs(seen[at(x, y)] - other) * 1.4, 1));
  },
};

// ---- measuring

let [map, panels, reference, exact] = [undefined, [], new Float32Array(WIDTH * HEIGHT), undefined];

function inRange(x, y) {
  return Math.hypot(x - state.eye[0], y - state.eye[1]) <= value("radius");
}

function measure(panel) {
  const { fov, seen } = panel;
  const [x, y] = state.eye;
  const options = { radius: value("radius"), method: panel.method };
  fov.configure(options);
  fov.compute(map, x, y).toMap(WIDTH, HEIGHT, seen);
  let [squares, cells] = [0, 0];
  for (let cy = 0; cy < HEIGHT; cy++) {
    for (let cx = 0; cx < WIDTH; cx++) {
      if (!inRange(cx, cy)) continue;
      squares += (seen[at(cx, cy)] - reference[at(cx, cy)]) ** 2;
      cells += 1;
    }
  }
  panel.error = Math.sqrt(squares / cells);
}

/** Every floor cell in range, or an even sample of them if lines of sight take long. */
function measureAsymmetry(panel) {
  const [x, y] = state.eye;
  const { fov, seen, back } = panel;
  const floor = [];
  back.fill(NaN);
  for (let cy = 0; cy < HEIGHT; cy++) {
    for (let cx = 0; cx < WIDTH; cx++) if (opacityOf(state.cells[at(cx, cy)]) < WALL_AT && inRange(cx, cy) && !(cx === x && cy === y)) floor.push([cx, cy]);
  }
  let [sum, count] = [0, 0];
  const until = performance.now() + 60;
  // The cells in the order of a large odd step, so that a part of them is spread over the map.
  for (let i = 0; i < floor.length && performance.now() < until; i++) {
    const [cx, cy] = floor[(i * 389) % floor.length];
    back[at(cx, cy)] = fov.lineOfSight(map, cx, cy, x, y);
    sum += Math.abs(back[at(cx, cy)] - seen[at(cx, cy)]);
    count += 1;
  }
  panel.asymmetry = count ? sum / count : 0;
}

function measureTime(panel) {
  const [x, y] = state.eye;
  panel.fov.compute(map, x, y);
  let [views, start] = [0, performance.now()];
  do {
    for (let i = 0; i < 4; i++) panel.fov.compute(map, x, y);
    views += 4;
  } while (performance.now() - start < 5);
  panel.microseconds = ((performance.now() - start) / views) * 1000;
}

const time = (us) => us < 100 ? `${us.toPrecision(2)} µs` : us < 1000 ? `${Math.round(us)} µs` : `${(us / 1000).toPrecision(2)} ms`;

function showNumbers() {
  const columns = { error: (panel) => panel.error?.toFixed(3), asymmetry: (panel) => panel.asymmetry?.toFixed(3), microseconds: (panel) => panel.microseconds && time(panel.microseconds) };
  for (const [name, words] of Object.entries(columns)) {
    const values = panels.map((panel) => panel[name] ?? 0);
    const [least, most] = [Math.min(...values.filter((_, i) => name !== "error" || panels[i].title !== "Exact")), Math.max(...values)];
    for (const panel of panels) {
      const cell = panel.cells[name];
      cell.textContent = words(panel) ?? "…";
      cell.classList.toggle("best", most > least && panel[name] <= least + 0.0005 * (name === "microseconds" ? 0 : 1));
      cell.classList.toggle("worst", most > least && panel[name] === most);
    }
  }
}

let [later, frame] = [0, 0];
/** Shows the views at once, and the slower measurements when nothing changed for a moment. */
function changed() {
  for (const [id, unit] of [["radius", " cells"], ["hedge", " %"], ["haze", " %"]]) $(`${id}-out`).value = `${$(id).value}${unit}`;
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(() => {
    map?.dispose();
    map = OpacityMap.fromCells(WIDTH, HEIGHT, (x, y) => opacityOf(state.cells[at(x, y)]));
    exact.configure({ radius: value("radius"), method: { name: "exact", samples: 7 } });
    exact.compute(map, ...state.eye).toMap(WIDTH, HEIGHT, reference);
    panels.forEach(measure);
    draw();
    showNumbers();
    clearTimeout(later);
    later = setTimeout(() => void refine(), 250);
  });
}

let turn = 0;
async function refine() {
  const mine = ++turn;
  exact.configure({ radius: value("radius"), method: { name: "exact", samples: 15 } });
  exact.compute(map, ...state.eye).toMap(WIDTH, HEIGHT, reference);
  for (const panel of panels) {
    measure(panel);
    measureAsymmetry(panel);
    measureTime(panel);
    showNumbers();
    await new Promise((done) => setTimeout(done)); // the page stays responsive
    if (mine !== turn) return;
  }
  draw();
  document.body.dataset.measured = mine;
}

function draw() {
  for (const panel of panels) paint(panel.canvas, SHOWS[state.show](panel));
  const first = panels[0];
  paint($("map"), (x, y) => {
    const cell = state.cells[at(x, y)];
    const base = cell === FLOOR ? (x + y) % 2 ? [42, 40, 50] : [45, 43, 54] : colourOf(cell).map((channel) => channel * 0.7);
    return inRange(x, y) ? mix(base, colourOf(cell), 0.85 * first.seen[at(x, y)]) : base;
  });
}

// ---- controls

function press(group, button) {
  for (const each of $(group).children) each.setAttribute("aria-pressed", each === button);
}
$("tools").addEventListener("click", ({ target }) => {
  if (!target.dataset.tool) return;
  state.tool = target.dataset.tool;
  press("tools", target);
});
$("shows").addEventListener("click", ({ target }) => {
  if (!target.dataset.show) return;
  state.show = target.dataset.show;
  press("shows", target);
  draw();
});
for (const id of ["radius", "hedge", "haze"]) $(id).addEventListener("input", changed);
for (const name of Object.keys(MAPS)) {
  const button = document.createElement("button");
  button.textContent = name;
  button.addEventListener("click", () => loadMap(name));
  $("maps").append(button);
}

const cellAt = (event) => {
  const box = $("map").getBoundingClientRect();
  const [x, y] = [Math.floor(((event.clientX - box.left) / box.width) * WIDTH), Math.floor(((event.clientY - box.top) / box.height) * HEIGHT)];
  return x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT ? [x, y] : undefined;
};
let stroke;
function apply([x, y]) {
  const cell = state.cells[at(x, y)];
  if (stroke.tool === "eye") state.eye = [x, y];
  else if (stroke.tool === "door") state.cells[at(x, y)] = cell === CLOSED ? OPEN : CLOSED;
  else state.cells[at(x, y)] = { wall: WALL, hedge: HEDGE, floor: FLOOR }[stroke.tool];
}
function strokeTo(cell) {
  // The cells between two events of a quick stroke.
  const [[x0, y0], [x1, y1]] = [stroke.last ?? cell, cell];
  const steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));
  if (stroke.last && steps === 0) return;
  for (let i = stroke.last ? 1 : 0; i <= steps; i++) {
    const part = steps ? i / steps : 0;
    apply([Math.round(x0 + (x1 - x0) * part), Math.round(y0 + (y1 - y0) * part)]);
  }
  stroke.last = cell;
  changed();
}
$("map").addEventListener("pointerdown", (event) => {
  const cell = cellAt(event);
  if (!cell) return;
  $("map").setPointerCapture(event.pointerId);
  const isEye = cell[0] === state.eye[0] && cell[1] === state.eye[1];
  const isDoor = [CLOSED, OPEN].includes(state.cells[at(...cell)]) && state.tool === "eye";
  stroke = { tool: isEye ? "eye" : isDoor ? "door" : state.tool };
  strokeTo(cell);
});
$("map").addEventListener("pointermove", (event) => {
  const cell = stroke && cellAt(event);
  if (cell) strokeTo(cell);
});
for (const type of ["pointerup", "pointercancel"]) $("map").addEventListener(type, () => { stroke = undefined; });
addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT" || event.ctrlKey || event.metaKey || event.altKey) return;
  const tool = { e: "eye", w: "wall", h: "hedge", d: "door", f: "floor" }[event.key];
  if (tool) document.querySelector(`[data-tool=${tool}]`).click();
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!step || document.activeElement !== $("map")) return;
  event.preventDefault();
  state.eye = [Math.min(Math.max(state.eye[0] + step[0], 0), WIDTH - 1), Math.min(Math.max(state.eye[1] + step[1], 0), HEIGHT - 1)];
  changed();
});
addEventListener("resize", () => panels.length && draw());

await init();
exact = new FieldOfView({ method: "exact" });
for (const { title, method, words } of METHODS) {
  const article = document.createElement("article");
  article.innerHTML = `<canvas></canvas><h2></h2><dl><dd></dd><dt>error</dt><dd></dd><dt>asymmetry</dt><dd></dd><dt>time</dt></dl><p></p>`;
  article.querySelector("h2").textContent = title;
  article.querySelector("p").textContent = words;
  $("methods").append(article);
  const [error, asymmetry, microseconds] = article.querySelectorAll("dd");
  panels.push({
    title, method, fov: new FieldOfView({ method }), canvas: article.querySelector("canvas"), cells: { error, asymmetry, microseconds },
    seen: new Float32Array(WIDTH * HEIGHT), back: new Float32Array(WIDTH * HEIGHT).fill(NaN),
  });
}
window.farsight = { state, panels };
loadMap(new URLSearchParams(location.search).get("map") in MAPS ? new URLSearchParams(location.search).get("map") : "garden");
