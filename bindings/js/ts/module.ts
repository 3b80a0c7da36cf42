/// <reference lib="esnext.disposable" preserve="true" />
// The WebAssembly module: loading it, and the handles of its objects.
import type * as Bindings from "./wasm/terrain.js";

/** Where the module comes from: its bytes, a compiled module, or an address from which it is fetched. */
export type ModuleSource = BufferSource | WebAssembly.Module | Response | URL | string;

/** What a build without viewsheds lacks. */
type TerrainOnly = "Ground";
/** @internal */
export type SightBindings = Omit<typeof Bindings, TerrainOnly | "default" | "initSync"> & {
  initSync(source: { module: WebAssembly.Module | BufferSource }): { memory: WebAssembly.Memory };
};
/** @internal */
export type AnyBindings = SightBindings & Partial<Pick<typeof Bindings, TerrainOnly>>;

let bindings: AnyBindings | undefined;
let memory: WebAssembly.Memory | undefined;

/** @internal */
export function ready(): AnyBindings {
  if (!bindings) throw new Error("farsight-fov is not ready: expected await init() before the first call");
  return bindings;
}

/** @internal Returns a function that reads numbers in the memory of the present module. They are valid until its next call. */
export function memoryReader(): (address: number, length: number) => Float32Array {
  ready();
  const own = memory!;
  return (address, length) => new Float32Array(own.buffer, address, length);
}

/** @internal Throws an error of the module; a trap, which only the end of its memory can cause, as an error that says so. */
export function rethrow(error: unknown): never {
  if (!(error instanceof WebAssembly.RuntimeError)) throw error;
  throw new Error(`the memory of the module is used up: expected smaller maps, fewer of them, or dispose() (${error.message})`);
}

/** @internal Returns whether the module has everything that a build without viewsheds has, and more. */
export function hasTerrain(): boolean {
  return bindings?.Ground !== undefined;
}

/** @internal Throws unless the module can get some bytes of memory. */
export function ensureMemory(bytes: number, what: string): void {
  if (!ready().canAllocate(bytes)) {
    throw new Error(`${what} need about ${Math.ceil(bytes / 1e6)} MB: expected less than the free memory of the page`);
  }
}

async function bytesOf(source: Response | URL | string): Promise<ArrayBuffer> {
  if (typeof source === "string" || source instanceof URL) {
    const address = String(source);
    if (address.startsWith("file:")) {
      const files = "node:fs/promises"; // a name that bundlers do not follow
      const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ files);
      return readFile(new URL(address));
    }
    source = await fetch(address);
  }
  if (!source.ok) throw new Error(`init: ${source.url} answered ${source.status}: expected the WebAssembly module`);
  return source.arrayBuffer();
}

/** @internal */
export async function load(
  target: AnyBindings, source: ModuleSource | Promise<ModuleSource>,
): Promise<void> {
  const given = await source;
  let module = given;
  if (typeof given === "string" || given instanceof URL || (typeof Response !== "undefined" && given instanceof Response)) {
    module = await bytesOf(given);
  }
  if (!(module instanceof WebAssembly.Module)) {
    try {
      module = await WebAssembly.compile(module as BufferSource);
    } catch (error) {
      throw new Error(`init: ${describe(given)} is not valid: expected the WebAssembly module of this package (${error})`);
    }
  }
  // A page that imports both entries keeps the one with everything.
  if (target.Ground || !hasTerrain()) use(target, module as WebAssembly.Module);
}

function describe(source: ModuleSource): string {
  return typeof source === "string" || source instanceof URL ? String(source) : Object.prototype.toString.call(source);
}

/** @internal */
export function use(target: AnyBindings, module: WebAssembly.Module | BufferSource): void {
  memory = target.initSync({ module }).memory;
  bindings = target;
}

/**
 * An object of the module. Its memory is freed by `dispose()`, at the end of a block by `using`, or some time after the last reference
 * to it is gone.
 */
export abstract class Handle<Raw extends { free(): void }> {
  #raw: Raw | undefined;
  readonly #name: string;

  /** @internal */
  constructor(name: string, raw: Raw) {
    this.#name = name;
    this.#raw = raw;
  }

  /** @internal */
  get raw(): Raw {
    if (this.#raw === undefined) throw new Error(`this ${this.#name} is disposed: expected one that is in use`);
    return this.#raw;
  }

  /** Whether `dispose` was called. */
  get disposed(): boolean {
    return this.#raw === undefined;
  }

  /** Frees the memory. Later calls of other methods throw; a second `dispose` does nothing. */
  dispose(): void {
    this.#raw?.free();
    this.#raw = undefined;
  }

  declare [Symbol.dispose]: () => void;
}
// Node 18 has no Symbol.dispose.
if (Symbol.dispose) {
  Handle.prototype[Symbol.dispose] = function () {
    this.dispose();
  };
}
