// The code of the worker of `GroundWorker`.
import { Ground } from "./ground.js";
import { init } from "./terrain.js";
import type { Answer, Message } from "./worker.js";

let ground: Ground | undefined;

const answer = (message: Answer, transfer: Transferable[] = []) => postMessage(message, { transfer });
const ready = init();

addEventListener("message", async ({ data }: MessageEvent<Message>) => {
  try {
    await ready;
    if (data.call === "ground") {
      ground?.dispose();
      ground = new Ground(data.heights, data.options);
      answer({ id: data.id });
    } else {
      const seen = ground!.viewshed(data.eye);
      answer({ id: data.id, result: seen }, [seen.values.buffer]);
    }
  } catch (error) {
    answer({ id: data.id, error: (error as Error).message });
  }
});
