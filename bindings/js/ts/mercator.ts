// Web Mercator: places as fractions of the width of the world, from the north-western corner.

/** The equatorial radius of the Earth in metres (WGS 84). */
const EARTH_RADIUS_M = 6_378_137;

/** The circumference of the Earth in metres: the width of the world. */
export const WORLD_M = 2 * Math.PI * EARTH_RADIUS_M;

/** The latitude at which the world ends, so that it is a square. */
export const MAX_LATITUDE = 85.0511287798066;

export function worldX(longitude: number): number {
  return longitude / 360 + 0.5;
}

export function worldY(latitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

export function longitudeOf(x: number): number {
  return (x - 0.5) * 360;
}

export function latitudeOf(y: number): number {
  return (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI;
}

/** Returns metres on the ground for the width of the world, at a latitude: the projection stretches by its secant. */
export function groundWidth(latitude: number): number {
  return WORLD_M * Math.cos((latitude * Math.PI) / 180);
}
