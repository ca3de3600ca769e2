/**
 * Erasures as commands ask for them: in the database, or of a running server.
 * @module
 */
import {
  erasureOf,
  eraseSubject,
  type Erasing,
  type Erasure,
  type ErasureReport,
  type Subject,
  SubjectOfSeveralTypes,
} from "@scim/events";
import { findTenant } from "@scim/tenancy";
import { copiesBeside } from "../erasure/copies-beside.ts";
import { erasingFor, replayListed, type ErasingParts } from "../erasure/erasing.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import { allTypedOf } from "../remote/admin-pages.ts";
import { type AdminClient, at, typedOf } from "../remote/admin-requests.ts";
import { requireKnownTenant } from "./known-tenant.ts";
import { toldAtBothEnds } from "./told-command.ts";

/** What was erased, and the copies of the database that hold the person still. */
export interface Erased extends ErasureReport {
  readonly backups: readonly string[];
}

/** What is done about persons who are erased. */
export interface ErasureAdministration {
  /** Erases what is kept of a subject. */
  erase(subject: Subject): Promise<Erased>;
  /** The list of a tenant, by subject. */
  list(tenant: string): Promise<readonly Erasure[]>;
  /**
   * Erases again whom a list names.
   * @param about where the list is from
   */
  replay(listed: readonly Erasure[], about: string): Promise<Replayed>;
}

/** What came of a replay. */
export interface Replayed {
  /** Entries that the database lacked. */
  readonly lacking: number;
  /** Tenants of the list that a server does not have: nothing is kept there of whom it names. */
  readonly missingTenants?: readonly string[];
}

const COMMAND = "scim erase";
const ORIGIN = { command: COMMAND };
/** Entries of the list that are read at once. */
const PAGE = 500;

/**
 * Erasures in the database.
 * @throws CommandFailure, of the wrong use where several types have the id and none is said; TenancyError `notFound`
 */
export function erasuresHere(parts: ErasingParts): ErasureAdministration {
  const { store, auditKeys } = parts.opened;
  // As the list has it: the trail outlives the erasure, and people name persons by more than their ids.
  const nameless = (subject: Subject): string =>
    `${subject.tenant}/${erasureOf(auditKeys, subject, "").subject}`;
  return {
    erase: async (subject) => {
      await requireKnownTenant(store, subject.tenant);
      return toldAtBothEnds(store, { command: COMMAND, about: nameless(subject) }, async () => {
        const report = await eraseOne(erasingFor(parts, ORIGIN), subject);
        if (report !== null) return { ...report, backups: copiesBeside(parts.settings) };
        const { tenant, id, type } = subject;
        throw new CommandFailure(
          EXIT.failed,
          `Nothing is kept of ${type === undefined ? "" : `${type} `}'${id}' in tenant '${tenant}'. A subject is named by the 'id' of its resource.`,
        );
      });
    },
    list: async (name) => {
      const { tenant } = await findTenant(store, name);
      const listed: Erasure[] = [];
      for (let after: string | undefined = ""; after !== undefined;) {
        const page = await store.erasures.list(tenant, after, PAGE);
        listed.push(...page);
        after = page.at(-1)?.subject;
      }
      return listed;
    },
    replay: async (listed, about) => ({
      lacking: await toldAtBothEnds(store, { command: `${COMMAND} --replay`, about }, () =>
        replayListed(parts, ORIGIN, listed),
      ),
    }),
  };
}

async function eraseOne(erasing: Erasing, subject: Subject): Promise<ErasureReport | null> {
  try {
    return await eraseSubject(erasing, subject);
  } catch (error) {
    if (error instanceof SubjectOfSeveralTypes)
      throw new CommandFailure(EXIT.usage, `${error.message}.`, error);
    throw error;
  }
}

/** Milliseconds that an erasure may take (ten minutes). */
const ERASURE_MS = 600_000;
/** Entries of one request, of which a server takes a mebibyte: for each request it goes through the ids of the tenant. */
const SENT = 4000;

const ERASED = [
  "tenant",
  "at",
  "resources",
  "events",
  "copies",
  "requests",
  "tokens",
  "secrets",
  "backups",
] as const;

/** Erasures of a server. */
export function erasuresAtServer(admin: AdminClient): ErasureAdministration {
  return {
    erase: async ({ tenant, id, type }) => {
      const path = at`/tenants/${tenant}/subjects/${id}`;
      const body = await admin.send({ method: "DELETE", path, query: { type }, timeout: ERASURE_MS });
      return typedOf<Erased>(body, ERASED);
    },
    list: (tenant) =>
      allTypedOf<Erasure>(admin, { path: at`/tenants/${tenant}/erasures`, name: "erasures" }, [
        "tenant",
        "subject",
        "key",
        "at",
      ]),
    replay: async (listed) => {
      let lacking = 0;
      const missingTenants: string[] = [];
      for (const [tenant, entries] of Map.groupBy(listed, (erasure) => erasure.tenant)) {
        const path = at`/tenants/${tenant}/erasures`;
        if ((await admin.find(path, { limit: 1 })) === null) {
          missingTenants.push(tenant);
          continue;
        }
        for (let from = 0; from < entries.length; from += SENT) {
          const erasures = entries.slice(from, from + SENT);
          const body = await admin.send({ method: "POST", path, body: { erasures }, timeout: ERASURE_MS });
          lacking += typedOf<Replayed>(body, ["lacking"]).lacking;
        }
      }
      return missingTenants.length === 0 ? { lacking } : { lacking, missingTenants };
    },
  };
}
