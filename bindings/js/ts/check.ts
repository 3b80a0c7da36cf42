// Checks of arguments. An error has the name, the value and what is accepted.

/** Returns a value as text for an error. */
export function text(value: unknown): string {
  if (typeof value === "string") return `"${value.length > 60 ? value.slice(0, 60) + "…" : value}"`;
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    return `${value.constructor.name} of ${(value as unknown as ArrayLike<unknown>).length} values`;
  }
  return typeof value === "object" && value !== null ? (value.constructor?.name ?? "object") : String(value);
}

export function invalid(name: string, value: unknown, expected: string): Error {
  return new Error(`${name}: ${text(value)} is not valid: expected ${expected}`);
}

/** Returns a number in a range; NaN is never accepted. */
export function number(name: string, value: unknown, min = -Infinity, max = Infinity): number {
  if (typeof value !== "number" || !(value >= min && value <= max)) {
    const range = min === -Infinity && max === Infinity ? "a number"
      : max === Infinity ? `${min} or more` : min === -Infinity ? `${max} at most` : `${min} to ${max}`;
    throw invalid(name, value, range);
  }
  return value;
}

/** Returns a finite number. */
export function finite(name: string, value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw invalid(name, value, "a finite number");
  return value;
}

/** Returns a whole number in a range. */
export function whole(name: string, value: unknown, min: number, max: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > max) {
    throw invalid(name, value, `a whole number from ${min} to ${max}`);
  }
  return value;
}

/** The coordinates of cells are far from the limits of their type, so that a radius around a cell fits. */
const LARGEST = 2 ** 30;

export function coordinate(name: string, value: unknown): number {
  return whole(name, value, -LARGEST, LARGEST);
}

/** Returns one side of a map. */
export function side(name: string, value: unknown): number {
  return whole(name, value, 1, LARGEST - 1);
}

export function word<Name extends string>(name: string, value: unknown, accepted: readonly Name[]): Name {
  if (!accepted.includes(value as Name)) throw invalid(name, value, accepted.map((each) => `"${each}"`).join(", "));
  return value as Name;
}

/** Numbers of a map: a typed array, or an array. */
export type Numbers = ArrayLike<number>;

/** Returns `count` numbers as single-precision floats. The module checks their values. */
export function floats(name: string, values: unknown, count: number, of: string): Float32Array {
  const isTyped = ArrayBuffer.isView(values) && !(values instanceof DataView);
  if (!isTyped && !Array.isArray(values)) throw invalid(name, values, "a typed array or an array of numbers");
  const numbers = values as unknown as ArrayLike<number>;
  if (numbers.length !== count) {
    const isDetached = isTyped && numbers.length === 0 && (values.buffer as { detached?: boolean }).detached;
    throw new Error(
      `${name}: ${numbers.length} values${isDetached ? " of a detached buffer" : ""} are not accepted: expected ${count}, ${of}`,
    );
  }
  if (values instanceof Float32Array) return values;
  if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
    throw invalid(name, values, "numbers, not big integers");
  }
  if (!isTyped) {
    for (let i = 0; i < count; i++) {
      if (typeof numbers[i] !== "number") throw invalid(`${name}[${i}]`, numbers[i], "a number");
    }
  }
  return Float32Array.from(numbers);
}

/** Returns pairs of coordinates, which are given as pairs or one after the other. */
export function cells(name: string, values: unknown): Int32Array {
  if (values instanceof Int32Array) {
    if (values.length % 2 !== 0) throw new Error(`${name}: ${values.length} numbers are not accepted: expected pairs`);
    return values;
  }
  if (!Array.isArray(values)) throw invalid(name, values, "an array of pairs [x, y], or an Int32Array");
  const pairs = new Int32Array(2 * values.length);
  values.forEach((pair, i) => {
    if (!Array.isArray(pair) || pair.length !== 2) throw invalid(`${name}[${i}]`, pair, "a pair [x, y]");
    pairs[2 * i] = coordinate(`${name}[${i}][0]`, pair[0]);
    pairs[2 * i + 1] = coordinate(`${name}[${i}][1]`, pair[1]);
  });
  return pairs;
}

/** Returns an object of options, whose keys are all known. */
export function options<T extends object>(name: string, value: unknown, keys: readonly (keyof T & string)[]): T {
  if (value === undefined) return {} as T;
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid(name, value, "an object of options");
  for (const key of Object.keys(value)) {
    if (!(keys as readonly string[]).includes(key)) {
      throw new Error(`${name}: "${key}" is not known: expected ${keys.join(", ")}`);
    }
  }
  return value as T;
}
