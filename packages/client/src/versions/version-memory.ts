/**
 * Remembers the version of each resource that was handed out, for as long as the program keeps the resource.
 * @module
 */
import { UsageError } from "../errors/usage-error.ts";
import { rawVersion, toldTag } from "./entity-tag.ts";

/**
 * What a change is made on: an id, or a resource that was handed out. A copy of a resource counts by its `meta.version`.
 */
export type ResourceTarget =
  | string
  | { readonly id: string; readonly meta?: { readonly version?: string | undefined } | undefined };

/** The entity tags of resources. */
export class VersionMemory {
  readonly #tags = new WeakMap<object, string>();

  /** Remembers the tag of the header, where it is not what `meta.version` says. */
  remember(resource: object, header: string | undefined): void {
    if (header === undefined || header === "" || header === metaVersion(resource)) return;
    this.#tags.set(resource, toldTag(header));
  }

  /** The entity tag of a resource, or null where it has none that is known. */
  tagOf(target: ResourceTarget): string | null {
    // What is no object has no version either, as `idOf` says.
    if (typeof target !== "object" || target === null) return null;
    const version = metaVersion(target);
    return this.#tags.get(target) ?? (version === undefined ? null : toldTag(version));
  }

  /** The raw version of a resource, or null. */
  versionOf(target: ResourceTarget): string | null {
    const tag = this.tagOf(target);
    return tag === null ? null : rawVersion(tag);
  }
}

/**
 * The id of a target.
 * @throws {@link UsageError} `missingId`, also where no address can name it: URLs lose `.` and `..` (RFC 3986 §5.2.4)
 */
export function idOf(target: ResourceTarget): string {
  // What `first()` does not find is null: programs without types hand it on.
  const { id }: { readonly id?: unknown } = typeof target === "string" ? { id: target } : (target ?? {});
  if (typeof id !== "string" || id === "") throw new UsageError("missingId", "The resource has no id.");
  if (id !== "." && id !== ".." && id.isWellFormed()) return id;
  throw new UsageError("missingId", "What stands for the id can be no part of an address.");
}

/** What `meta.version` of a resource says. */
export function metaVersion(resource: object): string | undefined {
  const meta: unknown = "meta" in resource ? resource.meta : undefined;
  const version: unknown =
    typeof meta === "object" && meta !== null && "version" in meta ? meta.version : undefined;
  return typeof version === "string" ? version : undefined;
}
