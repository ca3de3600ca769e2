/**
 * Walks to the values of an attribute in a resource's JSON.
 * @module
 */

/** Reads a member that the object itself has: names come from clients, so `constructor` is nothing special. */
export function ownMember(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}

/**
 * Whether a value has anything in it (RFC 7644 §3.4.2.2 `pr`, RFC 7643 §2.5): null, `""`, `[]`, `{}`
 * and what holds nothing else do not count; false and 0 do.
 */
export function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  if (typeof value !== "object") return true;
  return Object.values(value).some(isPresent);
}

/** A path to walk, and what a missing last member stands for. */
export interface Walk {
  readonly keys: readonly string[];
  /** Stands for a missing last member of an object that exists; undefined: nothing does. */
  readonly missing: unknown;
}

/** Whether any value that a path leads to meets a test; arrays on the way, and at its end, give each of their values. */
export function someValue(value: unknown, walk: Walk, test: (value: unknown) => boolean): boolean {
  return someFrom(value, 0, { walk, test });
}

interface Visit {
  readonly walk: Walk;
  readonly test: (value: unknown) => boolean;
}

function someFrom(value: unknown, depth: number, visit: Visit): boolean {
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => someFrom(item, depth, visit));
  const key = visit.walk.keys[depth];
  if (key === undefined) return visit.test(value);
  const member = ownMember(value, key);
  const last = depth === visit.walk.keys.length - 1;
  return someFrom(last ? (member ?? visit.walk.missing) : member, depth + 1, visit);
}
