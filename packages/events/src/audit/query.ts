/**
 * What is looked for in an audit log: which entries meet a query, and how people ask for them at the command line and in
 * addresses.
 * @module
 */
import type { ChangeOrigin, FeedEvent } from "@scim/core";
import { ScimError } from "@scim/schemas";
import { askedInstant } from "../asked-instant.ts";
import { EVENT_KINDS } from "../feed/event-kinds.ts";
import { type ChainedEntry, statedEntry } from "./entry.ts";

/** Members of an entry that a query compares: what they are in it. What is left out does not narrow. */
export interface AuditMembers {
  /** Resource type, in its own spelling. */
  readonly type?: string | undefined;
  readonly kind?: FeedEvent["kind"] | undefined;
  readonly connection?: string | undefined;
  /** The `id` of the resource that the caller was. */
  readonly subject?: string | undefined;
  /** Id of the credential that the request came with. */
  readonly credential?: string | undefined;
  /** Name of the administrator. */
  readonly admin?: string | undefined;
  /** The command of an operator, such as `scim import`. */
  readonly command?: string | undefined;
  /** The id by which other logs know the request. */
  readonly request?: string | undefined;
}

/** What entries are looked for. */
export interface AuditFilters extends AuditMembers {
  /** Id of one resource, together with its type. */
  readonly id?: string | undefined;
  /** Of this instant or later, UTC with milliseconds, as the entry states it. */
  readonly from?: string | undefined;
  /** Of before this instant. */
  readonly until?: string | undefined;
}

/** A page of what is looked for. */
export interface AuditQuery extends AuditFilters {
  /** Those behind this position; 0 for the beginning. */
  readonly after: number;
  /** At most so many: 1 or more; fewer where they come to `PAGE_BYTES`. */
  readonly limit: number;
  /** Entries that are looked at, at most: 1 or more. Default 5,000. */
  readonly looks?: number | undefined;
}

/** What was found. */
export interface FoundEntries {
  /** In order of position. */
  readonly entries: readonly ChainedEntry[];
  /** The position to go on behind: of a page that ended early, because all it may look at was looked at, that of the last look. */
  readonly next: number;
  /** Whether there may be more behind it. */
  readonly more: boolean;
}

const ORIGIN = ["credential", "admin", "command", "request"] as const satisfies readonly (keyof AuditMembers &
  keyof ChangeOrigin)[];

/** The members that queries compare. */
const MEMBERS = [
  "type",
  "kind",
  "connection",
  "subject",
  ...ORIGIN,
] as const satisfies readonly (keyof AuditMembers)[];

/**
 * Texts that the canonical JSON of every entry contains which a query's members meet; it may contain them elsewhere too, so
 * that {@link meetsQuery} decides.
 */
export function textsOfMembers(query: AuditMembers): readonly string[] {
  return MEMBERS.flatMap((name) => {
    const value = query[name];
    return value === undefined ? [] : [`"${name}":${JSON.stringify(value)}`];
  });
}

/** Whether an entry has the members that a query compares; one that cannot be read has none. */
export function meetsQuery(entry: ChainedEntry, query: AuditMembers): boolean {
  const compared = MEMBERS.filter((name) => query[name] !== undefined);
  if (compared.length === 0) return true;
  const said = statedEntry(entry);
  if (said === null) return false;
  const { type, kind, connection, subject, origin } = said;
  const stated: Partial<Record<keyof AuditMembers, string | null>> = {
    ...origin,
    type,
    kind,
    connection,
    subject,
  };
  return compared.every((name) => stated[name] === query[name]);
}

/** What was asked for, as texts; what is left out does not narrow. */
export interface AskedAudit extends Omit<AuditMembers, "kind"> {
  readonly id?: string | undefined;
  /** `created`, `replaced`, `patched` or `deleted`. */
  readonly kind?: string | undefined;
  /** `15m`, `12h`, `7d`, or an instant. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** Names of all that may be asked for, as parameters and flags have them. */
export const AUDIT_FILTERS = [
  "from",
  "until",
  "id",
  ...MEMBERS,
] as const satisfies readonly (keyof AskedAudit)[];

/**
 * What was asked for.
 * @param now the present, in milliseconds since 1970
 * @throws ScimError `invalidValue`
 */
export function readAuditFilters(asked: AskedAudit, now: number): AuditFilters {
  const { id, kind, from, until } = asked;
  // No entry has one: that nothing is found would be taken for an answer.
  const empty = AUDIT_FILTERS.find((name) => asked[name] === "");
  if (empty !== undefined)
    throw new ScimError("invalidValue", `'${empty}' is empty: say what is looked for, or leave it out.`);
  if (id !== undefined && asked.type === undefined)
    throw new ScimError("invalidValue", "A resource is named by 'type' and 'id' together.");
  const instants = {
    from: from === undefined ? undefined : askedInstant("from", from, now),
    until: until === undefined ? undefined : askedInstant("until", until, now),
  };
  if (instants.from !== undefined && instants.until !== undefined && instants.from >= instants.until)
    throw new ScimError("invalidValue", "'from' must be before 'until'.");
  const { type, connection, subject, credential, admin, command, request } = asked;
  const members = { type, connection, subject, credential, admin, command, request };
  return { ...members, ...instants, id, kind: kind === undefined ? undefined : kindOf(kind) };
}

function kindOf(text: string): FeedEvent["kind"] {
  const kind = EVENT_KINDS.find((each) => each === text);
  if (kind !== undefined) return kind;
  throw new ScimError("invalidValue", `A kind of change is one of ${EVENT_KINDS.join(", ")}.`);
}
