/**
 * Entity tags and raw versions (RFC 7644 §3.14, RFC 9110 §8.8.3).
 * @module
 */

const TAG = /^(?:W\/)?"([^"]*)"$/;

/** The raw version of an entity tag: `W/"x"`, `"x"` and `x` are the version `x`. */
export function rawVersion(tag: string): string {
  return TAG.exec(tag.trim())?.[1] ?? tag.trim();
}

/** The entity tag of what a service says of a resource: its `*` is a version like any other, and not any version. */
export function toldTag(version: string): string {
  return TAG.test(version) ? version : `W/"${version}"`;
}

/** The entity tag of a version: as it is where it is one, else weak, as SCIM's tags are; `*` stays. */
export function entityTag(version: string): string {
  return version === "*" ? version : toldTag(version);
}

/** Whether a change is let through once where it names a tag: `*` lets it through as often as it comes. */
export function isOfOneState(tag: string | null): boolean {
  return tag !== null && tag !== "*";
}

/** Whether two versions are of the same write: one that is derived from others too begins with that of it, up to `~`. */
export function isSameWrite(left: string, right: string): boolean {
  const write = (tag: string): string => rawVersion(tag).replace(/~.*$/, "");
  return write(left) === write(right);
}
