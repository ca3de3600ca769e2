/**
 * Links the audit entries of events that have their position. Whoever does so holds the tenant's row in `event_heads`:
 * nobody else links meanwhile.
 * @module
 */
import type { FeedPage } from "@scim/core";
import type { AuditChain, ChainedEntry } from "@scim/events";
import type { Dialect } from "../dialect.ts";
import type { FreshEvents } from "../events/fresh-events.ts";
import { readUnlinked } from "../events/read-events.ts";
import { insertions } from "../imports/many-rows.ts";
import type { SqlValue } from "../sql.ts";
import { type BatchStatement, PAUSE, type Steps } from "../steps.ts";
import { readChainEnd } from "./chain-end.ts";
import { SubjectSecrets } from "./subject-secrets.ts";

/**
 * Events that are read, and whose entries are made, at once: few enough to be garbage before the next are read, and a
 * pause behind them lets requests go first.
 */
const AT_ONCE = 64;

/** Bytes of events that are read at once (4 MiB), and one event more: the images of one may be as long as a body may be. */
const BYTES = 4_194_304;

/** Events that have no entry and were given their position earlier, in one transaction. */
const MISSED = 1000;

/** What entries are made with. */
export interface LinkSetting {
  readonly audit: AuditChain;
  readonly dialect: Pick<Dialect, "orRollBack">;
  /** The events that this process wrote last; null where they are not kept. */
  readonly freshEvents: FreshEvents | null;
}

/**
 * Links events that were given their positions in this transaction. Where earlier ones have no entry, since a program
 * without an audit log gave them their position, those come first. A chain begins with the first event that it is told.
 */
export function* linkPlaced(setting: LinkSetting, tenant: string, { after, limit }: FeedPage): Steps<void> {
  const end = yield* readChainEnd(tenant);
  const linking = { ...setting, tenant, previous: end?.hash ?? null };
  if (end === null || end.position === after) yield* insertLinked(linking, { after, limit });
  else yield* insertLinked(linking, { after: end.position, limit: MISSED + limit });
}

/** Links events that have their position and no entry. Answers how many there were, at most `limit`. */
export function* linkMissed(setting: LinkSetting, tenant: string, limit: number): Steps<number> {
  const end = yield* readChainEnd(tenant);
  if (end === null) return 0;
  return yield* insertLinked({ ...setting, tenant, previous: end.hash }, { after: end.position, limit });
}

interface Linking extends LinkSetting {
  readonly tenant: string;
  readonly previous: string | null;
}

/** Links the events of a page; answers how many there were. */
function* insertLinked(
  { audit, dialect, freshEvents, tenant, previous }: Linking,
  page: FeedPage,
): Steps<number> {
  let last = previous;
  let linked = 0;
  while (linked < page.limit) {
    if (linked > 0) yield PAUSE;
    const limit = Math.min(AT_ONCE, page.limit - linked);
    const few = { after: page.after + linked, limit, bytes: BYTES };
    const unlinked = yield* readUnlinked(tenant, few, freshEvents);
    if (unlinked.length === 0) break;
    const secrets = new SubjectSecrets(unlinked, audit.newSecret);
    const events = unlinked.map(({ event }) => event);
    const entries = audit.link(tenant, { previous: last, secretOf: secrets.of }, events);
    last = entries.at(-1)?.hash ?? last;
    yield { batch: [...secrets.keep(tenant, dialect), ...insertEntries(tenant, entries, dialect)] };
    linked += events.length;
  }
  return linked;
}

/** The statements that add entries to the log of a tenant. Nobody else does meanwhile: one that is there twice is an error. */
export function insertEntries(
  tenant: string,
  entries: readonly ChainedEntry[],
  { orRollBack }: Pick<Dialect, "orRollBack">,
): readonly BatchStatement[] {
  const write = (row: number, params: SqlValue[]): string => {
    const entry = entries[row];
    if (entry === undefined) throw new TypeError("There is no such entry");
    const { position, at, type, id, text, hash } = entry;
    params.push(tenant, position, at, type, id, text, hash);
    return "(?, ?, ?, ?, ?, ?, ?)";
  };
  const into = `INSERT${orRollBack} INTO audit_entries (tenant, position, at, type, id, entry, hash)`;
  return [...insertions({ into, rows: entries.length, write, known: "fails" })];
}
