// A web map with the view from a place. The address holds the place: #LONGITUDE,LATITUDE&eye=10&range=12.
import { AttributionControl, Map as WebMap, NavigationControl, Popup, ScaleControl } from "./maplibre-gl/maplibre-gl.mjs";
import { addTerrainView } from "./farsight-fov/maplibre.js";
import { init, TerrainView, TileSource } from "./farsight-fov/terrain.js";

// An open data set: https://registry.opendata.aws/terrain-tiles/
const TILES = {
  url: "https://s3.amazonaws.com/elevation-tiles-prod/terrarium/{z}/{x}/{y}.png",
  encoding: "terrarium",
  maxZoom: 13,
  attribution: "Terrain Tiles (Mapzen, AWS Open Data): USGS 3DEP, SRTM, GMTED2010, ETOPO1 and others",
};
// Above the valley of the Loisach, before the Wetterstein.
const START = { longitude: 11.0573, latitude: 47.5142 };

const $ = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
const hash = new URLSearchParams(location.hash.slice(1).replace(/^([-\d.]+),([-\d.]+)/, "at=$1,$2"));
const at = (hash.get("at") ?? "").split(",").map(Number);
const isPlace = at.length === 2 && at.every(Number.isFinite) && Math.abs(at[1]) < 85;
const eye = isPlace ? { longitude: at[0], latitude: at[1] } : START;
const numberOf = (name, usual, min, max) => {
  const value = Number(hash.get(name) ?? usual);
  return value >= min && value <= max ? value : usual;
};

// Steps of sliders that are finer at low values.
const METRES = (step) => step <= 20 ? step / 2 : Math.round(10 * 30 ** ((step - 20) / 80));
const stepOf = (metres) => [...Array(101).keys()].reduce((best, step) => Math.abs(METRES(step) - metres) < Math.abs(METRES(best) - metres) ? step : best, 0);
const RANGES_KM = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 25, 30, 40, 50, 60];
const stepOfKm = (km) => RANGES_KM.findIndex((range) => range >= km);

const controls = {
  eye: stepOf(numberOf("eye", 2, 0, 300)), target: stepOf(numberOf("target", 0, 0, 300)), range: stepOfKm(numberOf("range", 12, 1, 60)),
  refraction: numberOf("refraction", 0.13, 0, 0.3), zoom: Number(query.get("maxzoom") ?? TILES.maxZoom),
};
for (const [name, value] of Object.entries(controls)) $(name).value = value;
$("url").value = query.get("tiles") ?? TILES.url;
$("encoding").value = query.get("encoding") ?? TILES.encoding;
$("attribution").value = query.get("attribution") ?? (query.has("tiles") ? "" : TILES.attribution);

const asked = () => ({
  eyeHeight: METRES($("eye").value), targetHeight: METRES($("target").value), maxDistance: 1000 * RANGES_KM[$("range").value],
  refraction: Number($("refraction").value), earth: $("earth").getAttribute("aria-pressed") === "true",
});
function showValues() {
  const { eyeHeight, targetHeight, maxDistance, refraction } = asked();
  $("eye-out").value = `${eyeHeight} m`;
  $("target-out").value = `${targetHeight} m`;
  $("range-out").value = `${maxDistance / 1000} km`;
  $("refraction-out").value = refraction.toFixed(2);
  $("zoom-out").value = $("zoom").value;
}
showValues();

function say(words, isError = false) {
  $("seen").textContent = words;
  $("seen").classList.toggle("error", isError);
}
const fail = (error) => say(error.message, true);

/** A relief in the colours of a map, from the same tiles as the view. */
function style({ url, encoding, maxZoom, attribution }) {
  return {
    version: 8,
    sources: { dem: { type: "raster-dem", tiles: [url], encoding: encoding === "terrarium" ? "terrarium" : "mapbox", tileSize: 256, maxzoom: maxZoom, attribution } },
    layers: [
      { id: "ground", type: "background", paint: { "background-color": "#cdd5c3" } },
      { id: "relief", type: "color-relief", source: "dem", paint: { "color-relief-color": ["interpolate", ["linear"], ["elevation"],
        -200, "#6d93ab", -1, "#8fb3c4", 0, "#b9c9a8", 300, "#c8d1ac", 700, "#d8d3ae", 1200, "#d3bf95", 1800, "#bda689", 2400, "#b9b0a6", 3200, "#eceded"] } },
      { id: "hills", type: "hillshade", source: "dem", paint: { "hillshade-exaggeration": 0.55, "hillshade-shadow-color": "#3b3f57", "hillshade-highlight-color": "#fffbe8", "hillshade-accent-color": "#5a5a66" } },
    ],
  };
}

let [map, view, layer] = [];
async function start() {
  const tiles = { url: $("url").value.trim(), encoding: $("encoding").value, maxZoom: Number($("zoom").value), attribution: $("attribution").value };
  const place = view?.state ?? eye;
  layer?.remove();
  view?.dispose();
  map?.remove();
  say("Loading heights…");
  const source = new TileSource(tiles);
  view = new TerrainView(source, asked());
  map = new WebMap({
    container: "map", style: style(tiles), center: [place.longitude, place.latitude], zoom: Number(query.get("zoom") ?? 10.6),
    attributionControl: false, maxPitch: 0, dragRotate: false, touchPitch: false,
  });
  const isNarrow = matchMedia("(max-width: 640px)").matches;
  map.addControl(new AttributionControl({ compact: isNarrow }), isNarrow ? "top-left" : "bottom-right");
  map.touchZoomRotate.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), "top-right");
  map.addControl(new ScaleControl(), "bottom-left");
  window.farsight = { map, view }; // for tests and for the curious
  view.onChange(show);
  map.on("click", explain);
  await map.once("style.load");
  layer = addTerrainView(map, view, { onError: fail });
  await view.moveTo(place.longitude, place.latitude);
}

let waiting = 0;
function show(state) {
  const reach = view.options.maxDistance / 1000;
  const part = (100 * state.seenKm2) / (Math.PI * reach * reach);
  say(`${state.seenKm2.toPrecision(3)} km² are in sight, ${part.toPrecision(2)} % of the ground in range. ` +
    `The ground here is ${Math.round(state.groundHeight)} m high. Computed in ${state.milliseconds.toFixed(1)} ms.`);
  document.body.dataset.views = Number(document.body.dataset.views ?? 0) + 1;
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    if (!view.state) return;
    view.drawSkyline($("skyline"));
    const { eyeHeight, targetHeight, maxDistance } = view.options;
    history.replaceState(null, "", `${location.search}#${state.longitude.toFixed(5)},${state.latitude.toFixed(5)}` +
      `&eye=${eyeHeight}&target=${targetHeight}&range=${maxDistance / 1000}`);
  }, 60);
}

let pending;
function change() {
  showValues();
  cancelAnimationFrame(pending);
  pending = requestAnimationFrame(() => view.update(asked()).catch(fail));
}
for (const id of ["eye", "target", "range", "refraction"]) $(id).addEventListener("input", change);
$("zoom").addEventListener("input", showValues);
const toggle = (id, act) => $(id).addEventListener("click", () => {
  $(id).setAttribute("aria-pressed", $(id).getAttribute("aria-pressed") !== "true");
  act();
});
toggle("earth", change);
const isOn = (id) => $(id).getAttribute("aria-pressed") === "true";
const setFollow = () => layer.setFollow(isOn("why") ? "none" : isOn("pointer") ? "pointer" : "drag");
toggle("pointer", setFollow);

let popup;
function explain({ lngLat }) {
  if (!isOn("why")) return;
  popup?.remove();
  try {
    const { sentence } = view.explain(lngLat.lng, lngLat.lat);
    popup = new Popup({ maxWidth: "260px" }).setLngLat(lngLat).setText(sentence).addTo(map);
  } catch (error) {
    fail(error);
  }
}
toggle("why", () => {
  setFollow(); // clicks ask, and the eye stays
  if (!isOn("why")) popup?.remove();
});
$("load").addEventListener("click", () => {
  for (const id of ["why", "pointer"]) $(id).setAttribute("aria-pressed", false);
  start().catch(fail);
});

if (matchMedia("(max-width: 640px)").matches) document.querySelector("aside > details").open = query.has("panel");
await init().then(start).catch(fail);
