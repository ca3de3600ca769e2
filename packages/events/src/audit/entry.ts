/**
 * An entry of the audit log: who changed what, when and from where, without the values of persons.
 * @module
 */
import type { ChangeOrigin, CollectionChange, FeedEvent } from "@scim/core";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/**
 * What the log shows of a value: the value itself where it is not personal, a keyed hash where it is, and of a
 * secret only that there is one. Equal values of one attribute of one resource have equal hashes, as long as the key
 * stays and the resource is not erased.
 */
export type AuditValue =
  | { readonly value: JsonValue }
  /** The first 132 bits of a SHA-256 under a key of the resource's own, base64url. */
  | { readonly hash: string }
  | { readonly withheld: true };

/** How one attribute changed. Where there was, or is, no value the member is left out. */
export interface AuditChange {
  /**
   * Attribute path, such as `name.familyName`. A multi-valued attribute is one value, and so is a complex one that
   * comes or goes as a whole. `*` stands for all personal values of a resource that was created or deleted: they have one
   * hash together, that of the JSON of the resource as the event has it, without secrets, and the path of each stands alone.
   */
  readonly path: string;
  readonly before?: AuditValue;
  readonly after?: AuditValue;
}

/** An entry, before it is linked to those before it. */
export interface AuditEntry {
  /** Position of the event: from 1, one more for each event of the tenant. */
  readonly position: number;
  /** When the change was planned, UTC with milliseconds. */
  readonly at: string;
  readonly connection: string;
  /** The `id` of the resource that the caller was, or null. */
  readonly subject: string | null;
  readonly origin: ChangeOrigin | null;
  readonly kind: FeedEvent["kind"];
  /** Resource type and id. Ids of resources are shown as they are, here and in collections. */
  readonly type: string;
  readonly id: string;
  readonly version: { readonly before: string | null; readonly after: string };
  readonly changes: readonly AuditChange[];
  readonly collections: readonly CollectionChange[];
  /** Id of the key that made the hashes of values. */
  readonly key: string;
}

/** An entry as it is stored. */
export interface ChainedEntry {
  readonly position: number;
  readonly at: string;
  readonly type: string;
  readonly id: string;
  /** The whole entry as canonical JSON (RFC 8785). */
  readonly text: string;
  /** SHA-256 over the entry, the hash of the one before and the tenant, base64url. */
  readonly hash: string;
}

/**
 * What an entry says; null where it is no entry, since somebody tampered with it. What one that can be read says may be forged all
 * the same: verify first where that matters.
 */
export function statedEntry({ text }: Pick<ChainedEntry, "text">): AuditEntry | null {
  const stated = jsonOrNull(text);
  return stated !== null && isEntry(stated) ? stated : null;
}

/** The JSON object of a text; null where it is none. */
export function jsonOrNull(text: string): JsonObject | null {
  try {
    // Any JSON text is a JSON value.
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

const TEXTS = ["at", "connection", "kind", "type", "id"] as const satisfies readonly (keyof AuditEntry)[];
const LISTS = ["changes", "collections"] as const satisfies readonly (keyof AuditEntry)[];

/** Whether it has what every entry has that the audit log wrote. */
function isEntry(stated: JsonObject): stated is JsonObject & AuditEntry {
  const { position, subject = null, origin = null, version } = stated;
  return (
    typeof position === "number" &&
    TEXTS.every((name) => typeof stated[name] === "string") &&
    LISTS.every((name) => isListOfPaths(stated[name])) &&
    (subject === null || typeof subject === "string") &&
    (origin === null || isJsonObject(origin)) &&
    version !== undefined &&
    isJsonObject(version)
  );
}

function isListOfPaths(list: JsonValue | undefined): boolean {
  if (list === undefined || !isJsonArray(list)) return false;
  return list.every((each) => isJsonObject(each) && typeof each["path"] === "string");
}
