/**
 * Links the audit entries of events that have their position. Whoever does so holds the tenant's row in `event_heads`:
 * nobody else links meanwhile.
 * @module
 */
import type { FeedEvent } from "@scim/core";
import type { AuditChain, ChainedEntry } from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { readEvents } from "../events/read-events.ts";
import { insertions } from "../imports/many-rows.ts";
import type { SqlValue } from "../sql.ts";
import { type BatchStatement, PAUSE, type Steps } from "../steps.ts";
import { readChainEnd } from "./chain-end.ts";
import { readSubjectSecrets } from "./subject-secrets.ts";

/** Events whose entries are made at once: a pause behind them lets requests go first. */
const AT_ONCE = 64;

/** Events that have no entry and were given their position earlier, in one transaction. */
const MISSED = 1000;

/** What entries are made with. */
export interface LinkSetting {
  readonly audit: AuditChain;
  readonly dialect: Pick<Dialect, "idList">;
}

/**
 * Links events that were given their positions in this transaction. Where earlier ones have no entry, since a program
 * without an audit log gave them their position, those come first. A chain begins with the first event that it is told.
 */
export function* linkPlaced(setting: LinkSetting, tenant: string, events: readonly FeedEvent[]): Steps<void> {
  const [first] = events;
  if (first === undefined) return;
  const end = yield* readChainEnd(tenant);
  if (end === null || end.position === first.position - 1) {
    yield* insertLinked({ ...setting, tenant, previous: end?.hash ?? null }, events);
    return;
  }
  const missed = yield* readEvents(tenant, { after: end.position, limit: MISSED + events.length });
  yield* insertLinked({ ...setting, tenant, previous: end.hash }, missed);
}

/** Links events that have their position and no entry. Answers how many there were, at most `limit`. */
export function* linkMissed(setting: LinkSetting, tenant: string, limit: number): Steps<number> {
  const end = yield* readChainEnd(tenant);
  if (end === null) return 0;
  const events = yield* readEvents(tenant, { after: end.position, limit });
  yield* insertLinked({ ...setting, tenant, previous: end.hash }, events);
  return events.length;
}

interface Linking extends LinkSetting {
  readonly tenant: string;
  readonly previous: string | null;
}

function* insertLinked(linking: Linking, events: readonly FeedEvent[]): Steps<void> {
  const { audit, tenant, previous } = linking;
  const secrets = yield* readSubjectSecrets(linking, tenant, events);
  let last = previous;
  for (let start = 0; start < events.length; start += AT_ONCE) {
    if (start > 0) yield PAUSE;
    const next = events.slice(start, start + AT_ONCE);
    const entries = audit.link(tenant, { previous: last, secretOf: secrets.of }, next);
    last = entries.at(-1)?.hash ?? last;
    yield { batch: [...secrets.keep(tenant), ...insertEntries(tenant, entries)] };
  }
}

/** The statements that add entries. Nobody else does meanwhile: one that is there twice is an error. */
function insertEntries(tenant: string, entries: readonly ChainedEntry[]): readonly BatchStatement[] {
  const write = (row: number, params: SqlValue[]): string => {
    const entry = entries[row];
    if (entry === undefined) throw new TypeError("There is no such entry");
    const { position, at, type, id, text, hash } = entry;
    params.push(tenant, position, at, type, id, text, hash);
    return "(?, ?, ?, ?, ?, ?, ?)";
  };
  const into = "INSERT INTO audit_entries (tenant, position, at, type, id, entry, hash)";
  return [...insertions({ into, rows: entries.length, write, known: "fails" })];
}
