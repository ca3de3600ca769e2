/**
 * What a database holds of a group, from each of the places that a change writes to.
 * @module
 */
import type { TestDatabase, TestRow } from "../over-http/engines.ts";

/** The places of one group. */
export interface GroupState {
  readonly version: string;
  readonly displayName: string;
  readonly revision: number;
  /** Ids of the members, in the order of adding. */
  readonly members: readonly string[];
  /** Values of `displayName` in the index. */
  readonly indexed: readonly string[];
  /** The changes that the outbox tells, by revision. */
  readonly events: readonly GroupEvent[];
}

/** A change as the outbox tells it. */
export interface GroupEvent {
  readonly revision: number;
  readonly version: string;
  readonly displayName: string;
  readonly added: readonly string[];
}

/** Reads them all. */
export async function groupState(database: TestDatabase, id: string): Promise<GroupState> {
  const rows = (text: string): Promise<readonly TestRow[]> => database.query(text);
  const own = `tenant = 'default' AND type = 'Group' AND id = '${id}'`;
  const [resource] = await rows(`SELECT version, revision, body FROM resources WHERE ${own}`);
  const members = await rows(
    `SELECT value FROM reference_values WHERE tenant = 'default' AND type = 'Group' AND owner = '${id}' ORDER BY position`,
  );
  const index = await rows(`SELECT key FROM attribute_index WHERE ${own} AND path = 'displayName'`);
  const events = await rows(`SELECT version, after, collections FROM events WHERE ${own}`);
  return {
    version: String(resource?.["version"]),
    revision: Number(resource?.["revision"]),
    displayName: displayNameOf(resource?.["body"]),
    members: members.map(({ value }) => String(value)),
    indexed: index.map(({ key }) => textOf(key)),
    events: events.map(eventOf).toSorted((left, right) => left.revision - right.revision),
  };
}

function eventOf({ version, after, collections }: TestRow): GroupEvent {
  return {
    revision: Number.parseInt(String(version).split("-", 1)[0] ?? "", 36),
    version: String(version),
    displayName: displayNameOf(after),
    added: addedOf(collections),
  };
}

function displayNameOf(body: unknown): string {
  const document = documentOf(body);
  return typeof document === "object" && document !== null && "displayName" in document
    ? String(document.displayName)
    : "";
}

function addedOf(collections: unknown): readonly string[] {
  const deltas = documentOf(collections);
  if (!Array.isArray(deltas)) return [];
  return deltas.flatMap((delta: { readonly added: readonly string[] }) => delta.added);
}

/** JSON is text in one database, and may be a document in another. */
function documentOf(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : value;
}

/** Keys are text in one database, and bytes in another. */
function textOf(key: unknown): string {
  return key instanceof Uint8Array ? Buffer.from(key).toString("utf8") : String(key);
}
