// Viewsheds in a worker, so that a page stays responsive.
import { type EyeOptions, type GroundOptions, type Viewshed } from "./ground.js";
import type { Numbers } from "./check.js";
import { floats } from "./check.js";

/** @internal */
export type Message =
  | { id: number; call: "ground"; heights: Float32Array; options: GroundOptions }
  | { id: number; call: "viewshed"; eye: EyeOptions };
/** @internal */
export type Answer = { id: number; result?: unknown; error?: string };

/**
 * A ground in a worker of its own. Calls are answered in their order.
 *
 * ```js
 * const ground = await GroundWorker.start(heights, { width: 2000, height: 2000, cellSize: 10 });
 * const seen = await ground.viewshed({ x: 1000, y: 1000, maxDistance: 10_000 });
 * ground.dispose();
 * ```
 */
export class GroundWorker {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { resolve: (value: any) => void; reject: (error: Error) => void }>();
  #next = 0;
  #disposed = false;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (data.error === undefined) waiting?.resolve(data.result);
      else waiting?.reject(new Error(data.error));
    });
    worker.addEventListener("error", (event) => this.#fail(new Error(`the worker of viewsheds failed: ${event.message}`)));
  }

  /** Starts a worker and copies heights to it; see `Ground`. */
  static async start(heights: Numbers, options: GroundOptions): Promise<GroundWorker> {
    if (typeof Worker === "undefined") throw new Error("there are no workers here: expected a browser, or Deno");
    const { width, height } = options;
    const copy = floats("heights", heights, width * height, `${width} columns times ${height} rows`);
    const worker = new GroundWorker(new Worker(new URL("./worker-main.js", import.meta.url), { type: "module" }));
    try {
      await worker.#call({ id: 0, call: "ground", heights: copy, options });
      return worker;
    } catch (error) {
      worker.dispose();
      throw error;
    }
  }

  /** Computes the visibility of the ground in range; see `Ground.viewshed`. `signal` rejects the answer; the worker finishes. */
  async viewshed(eye: EyeOptions, { signal }: { signal?: AbortSignal } = {}): Promise<Viewshed> {
    signal?.throwIfAborted();
    const answer = this.#call<Viewshed>({ id: 0, call: "viewshed", eye });
    if (!signal) return answer;
    let stop = () => {};
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
    });
    return Promise.race([answer, stopped]).finally(() => signal.removeEventListener("abort", stop));
  }

  /** Ends the worker, and rejects the calls that wait. */
  dispose(): void {
    this.#disposed = true;
    this.#worker.terminate();
    this.#fail(new Error("this GroundWorker is disposed: expected one that is in use"));
  }

  #call<T>(message: Message): Promise<T> {
    if (this.#disposed) return Promise.reject(new Error("this GroundWorker is disposed: expected one that is in use"));
    const id = this.#next++;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ ...message, id });
    });
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
