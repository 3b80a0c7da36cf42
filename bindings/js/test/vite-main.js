// A view on three web maps, as somebody would write it from the README.
import { Deck, MapView } from "@deck.gl/core";
import { BitmapLayer } from "@deck.gl/layers";
import { bitmapProps } from "farsight-fov/deck";
import { terrainLayer } from "farsight-fov/leaflet";
import { addTerrainView } from "farsight-fov/maplibre";
import { Ground, init, TerrainView, TileSource } from "farsight-fov/terrain";
import { GroundWorker } from "farsight-fov/worker";
import L from "leaflet";
import "leaflet/dist/leaflet.css";
import { Map, setWorkerUrl } from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url"; // Vite needs to be told of MapLibre's own worker
import "maplibre-gl/dist/maplibre-gl.css";

const found = (globalThis.found = { errors: [] });
addEventListener("unhandledrejection", ({ reason }) => found.errors.push(String(reason)));

setWorkerUrl(workerUrl);
await init();
const place = [11.05, 47.5];
const tiles = new TileSource({ url: `${location.origin}/tiles/{z}/{x}/{y}.png`, encoding: "terrarium", maxZoom: 11 });
// Colours that no map has.
const view = new TerrainView(tiles, { maxDistance: 8000, cellSize: 40, eyeHeight: 30, seenColour: [255, 0, 255, 1], hiddenColour: [0, 255, 255, 1], fade: 0 });

const map = new Map({
  container: "maplibre", center: place, zoom: 10, canvasContextAttributes: { preserveDrawingBuffer: true },
  style: { version: 8, sources: {}, layers: [{ id: "ground", type: "background", paint: { "background-color": "#ffffff" } }] },
});
await map.once("load");
const layer = addTerrainView(map, view);

const leafletMap = L.map("leaflet").setView([place[1], place[0]], 10);
terrainLayer(L, view).addTo(leafletMap);

const deck = new Deck({
  parent: document.getElementById("deck"), views: new MapView(), initialViewState: { longitude: place[0], latitude: place[1], zoom: 9 },
  controller: true, deviceProps: { webgl: { preserveDrawingBuffer: true } },
});
view.onChange(() => deck.setProps({ layers: [new BitmapLayer(bitmapProps(view))] }));
await view.moveTo(...place);

// The same ground in a worker.
const { values, width, height, cellSize, x, y } = await tiles.heights({ longitude: place[0], latitude: place[1], radius: 4000 });
const ground = new Ground(values, { width, height, cellSize });
const total = (seen) => seen.values.reduce((sum, value) => sum + value, 0);
found.main = total(ground.viewshed({ x, y, eyeHeight: 5 }));
const worker = await GroundWorker.start(values, { width, height, cellSize });
found.worker = total(await worker.viewshed({ x, y, eyeHeight: 5 }));
worker.dispose();
found.disposed = await worker.viewshed({ x, y }).catch((error) => error.message);

await new Promise((done) => setTimeout(done, 1500));
/** The pixels of a canvas in one of both colours of the view. */
const painted = (canvas) => {
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = copy.getContext("2d");
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    const isSeen = data[i] > 200 && data[i + 1] < 60 && data[i + 2] > 200;
    const isHidden = data[i] < 60 && data[i + 1] > 200 && data[i + 2] > 200;
    if (data[i + 3] > 200 && (isSeen || isHidden)) count += 1;
  }
  return count;
};
found.maplibre = painted(map.getCanvas());
found.leaflet = [...document.querySelectorAll("#leaflet canvas")].reduce((sum, canvas) => sum + painted(canvas), 0);
found.deck = painted(document.querySelector("#deck canvas"));
void layer;
document.body.dataset.done = "yes";
