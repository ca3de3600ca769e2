/**
 * Positions of events in two parts: what is read, and what entries of the audit log come to, is made beside the requests; what is
 * written then is compared with it, since others may have come before.
 * @module
 */
import type { FeedEvent } from "@scim/core";
import type { LinkEvents } from "@scim/events";
import { readChainEnd, readChainStart } from "../audit/chain-end.ts";
import { insertEntries } from "../audit/link-events.ts";
import { SubjectSecrets } from "../audit/subject-secrets.ts";
import { headMoved, holdHead, placing } from "../events/placing.ts";
import { readUnplaced, type UnlinkedEvent } from "../events/read-events.ts";
import { type Sql, sql } from "../sql.ts";
import { countOf, type Outcome, type Steps } from "../steps.ts";
import { sqliteDialect } from "./dialect.ts";

/** The first events of a tenant without position, and what they come behind. */
export interface Foreseen {
  readonly tenant: string;
  /** The last position that was given. */
  readonly head: number;
  /** The first entry that was kept: with those that go, secrets go that others were made with. */
  readonly start: number;
  /** Hash of the entry at that position; null at the beginning of a chain. */
  readonly previous: string | null;
  readonly events: readonly UnlinkedEvent[];
}

/** Bytes of events that are in hand at once (8 MiB), and one event more. */
const BYTES = 8_388_608;

/** Reads them. Null where entries of earlier events are missing: those are linked first, by whoever gives positions. */
export function* foresee(tenant: string, limit: number): Steps<Foreseen | null> {
  const head = countOf(yield sql`SELECT position FROM event_heads WHERE tenant = ${tenant}`, "position");
  const end = yield* readChainEnd(tenant);
  if (end !== null && end.position !== head) return null;
  const start = yield* readChainStart(tenant);
  const events = yield* readUnplaced(tenant, { after: head, limit, bytes: BYTES });
  return { tenant, head, start, previous: end?.hash ?? null, events };
}

/** What is missing to make the entries of events. */
export interface Missing {
  /** Their resource types. */
  readonly types: readonly string[];
  /** How many of their resources have no secret. */
  readonly secrets: number;
}

/** What the entries of foreseen events need. */
export function missingFor({ events }: Foreseen): Missing {
  const types = new Set(events.map(({ event }) => event.type));
  const without = events
    .filter(({ secret }) => secret === null)
    .map(({ event: { type, id } }) => `${type}\n${id}`);
  return { types: [...types], secrets: new Set(without).size };
}

/** What is to be written, as plain data. */
export interface ForeseenPlaces extends Pick<Foreseen, "tenant" | "head" | "start"> {
  /** How many events. */
  readonly count: number;
  /** Their versions in their order, and of which an erasure took the content: see `TOLD`. */
  readonly told: string;
  /** They add the entries, and the secrets that those were made with. */
  readonly statements: readonly Sql[];
}

/** What tells an event, and whether its content is there, in a list of them. */
const TOLD = sql`version || CASE WHEN changed = '[]' THEN '! ' ELSE ' ' END`;

function toldOf({ version, changed }: FeedEvent): string {
  return `${version}${changed.length === 0 ? "! " : " "}`;
}

/** What entries are made with. */
export interface EntryParts {
  /** As many as are missing. */
  readonly secrets: readonly string[];
  readonly link: LinkEvents;
}

/** Makes the entries. */
export function linkForeseen(
  { tenant, head, start, previous, events }: Foreseen,
  parts: EntryParts,
): ForeseenPlaces {
  const made = parts.secrets.values();
  const secrets = new SubjectSecrets(events, () => {
    const { value } = made.next();
    if (value === undefined) throw new TypeError("There are fewer secrets than resources without one");
    return value;
  });
  const told = events.map(({ event }) => event);
  const entries = parts.link(tenant, { previous, secretOf: secrets.of }, told);
  const added = [...secrets.keep(tenant, sqliteDialect), ...insertEntries(tenant, entries, sqliteDialect)];
  return {
    tenant,
    head,
    start,
    count: told.length,
    told: told.map(toldOf).join(""),
    statements: added.map(({ statement }) => statement),
  };
}

/**
 * Writes positions and entries; answers how many have their position. Keeps nothing, and answers 0, where the events are not those
 * that were foreseen any more.
 */
export function* placeForeseen({
  tenant,
  head,
  start,
  count,
  told,
  statements,
}: ForeseenPlaces): Steps<Outcome<number>> {
  const nothing = { keep: false, result: 0 };
  if ((yield* holdHead(tenant, sqliteDialect)) !== head) return nothing;
  if ((yield* readChainStart(tenant)) !== start) return nothing;
  // As one text: a row for each would take the thread of the requests longer than all else here but the entries.
  const { rows } = yield sql`SELECT group_concat(told, '') AS told FROM (SELECT ${TOLD} AS told FROM events
    WHERE tenant = ${tenant} AND position IS NULL ORDER BY transaction_number, sequence LIMIT ${count})`;
  if (rows[0]?.["told"] !== told) return nothing;
  const { changes } = yield placing({ tenant, after: head, limit: count }, sqliteDialect);
  if (changes !== count) return nothing;
  yield headMoved(tenant, head + count);
  // Without a pause: requests that were answered in it would come no further than this transaction, and the thread of the requests
  // would have nothing to do while that is brought to the disk.
  for (const statement of statements) yield statement;
  return { keep: true, result: count };
}
