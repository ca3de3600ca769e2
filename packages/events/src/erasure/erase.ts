/**
 * Erases a subject, and erases anew what a restored backup brought back.
 * @module
 */
import type { ChangeOrigin } from "@scim/core";
import { ScimError } from "@scim/schemas";
import { type Erasure, type ErasureKeys, erasureOf, readErasures, type Subject } from "./erasure.ts";
import type { ErasedRows, ErasureStore } from "./port.ts";

/** What an erasure works with. */
export interface Erasing extends ErasureKeys {
  readonly erasures: ErasureStore;
  /** Deletes a live resource by the rules of the service, so that whoever follows events learns of it. */
  readonly remove: (subject: Subject, type: string) => Promise<void>;
  /** Keeps an entry where a restored backup of the database does not take it back. Before anything is removed. */
  readonly note: (erasure: Erasure) => Promise<void>;
  /** Who asked for it, and from where. */
  readonly origin: ChangeOrigin;
  /** The present, UTC with milliseconds. */
  readonly now: () => string;
  readonly newNonce: () => string;
}

/** What came of an erasure. */
export interface ErasureReport extends ErasedRows {
  readonly tenant: string;
  /** When it was asked for, UTC with milliseconds. */
  readonly at: string;
}

/**
 * Erases a subject: what is kept of it, and what others hold of it. The audit log stays as it is, and its chain holds;
 * what it has hashed of the subject means nothing any more.
 * @returns null where nothing is kept of the subject, and it was never erased
 */
export async function eraseSubject(erasing: Erasing, subject: Subject): Promise<ErasureReport | null> {
  const { erasures, note, now } = erasing;
  const erasure = erasureOf(erasing, subject, now());
  if (!(await erasures.isKnown(subject)) && !(await erasures.has({ ...erasure, at: "" }))) return null;
  // First of all: whatever ends this half-way, the next start goes on.
  await note(erasure);
  return finish(erasing, subject, erasure);
}

async function finish(erasing: Erasing, subject: Subject, erasure: Erasure): Promise<ErasureReport> {
  const { erasures, now, origin } = erasing;
  await erasures.begin(subject, now());
  const rows = await eraseRows(erasing, subject);
  const late = await erasures.eraseLate(subject);
  // When all is done: whom the list of the database names is not looked for by a replay again.
  await erasures.add(erasure, origin);
  await erasures.end(subject, now());
  return { tenant: subject.tenant, at: erasure.at, ...rows, requests: rows.requests + late };
}

/** Times that a resource may come back while it is erased. */
const MOST_RETURNS = 8;

/** An administrator may restore the resource between its deletion and its removal: then it is deleted once more. */
async function eraseRows(
  { erasures, remove, now, newNonce }: Erasing,
  subject: Subject,
): Promise<ErasedRows> {
  let erased: ErasedRows = { resources: 0, events: 0, copies: 0, requests: 0, tokens: 0, secrets: 0 };
  for (let round = 0; round <= MOST_RETURNS; round += 1) {
    for (const type of await erasures.liveTypes(subject)) await remove(subject, type);
    erased = sumOf(erased, await erasures.erase({ subject, at: now(), newNonce }));
    // What a purge or an erasure removed is not restored any more: what is not live now stays gone.
    if ((await erasures.liveTypes(subject)).length === 0) return erased;
  }
  throw new ScimError(
    "unavailable",
    "The resource was restored each time that it was removed: erase it again.",
    {
      headers: { "retry-after": "1" },
    },
  );
}

function sumOf(left: ErasedRows, right: ErasedRows): ErasedRows {
  return {
    resources: left.resources + right.resources,
    events: left.events + right.events,
    copies: left.copies + right.copies,
    requests: left.requests + right.requests,
    tokens: left.tokens + right.tokens,
    secrets: left.secrets + right.secrets,
  };
}

/**
 * Erases again whom a list names and the database does not: those whom a restored backup brought back.
 * @returns how many entries the database lacked
 * @throws ErasureKeyMissing
 */
export async function replayErasures(erasing: Erasing, listed: readonly Erasure[]): Promise<number> {
  const { erasures } = erasing;
  const lacking: Erasure[] = [];
  for (const erasure of listed) if (!(await erasures.has(erasure))) lacking.push(erasure);
  const list = readErasures(erasing, lacking);
  for (const tenant of new Set(lacking.map((erasure) => erasure.tenant))) {
    const done = new Set<string>();
    for await (const ids of erasures.ids(tenant)) {
      for (const id of ids) {
        const erasure = done.has(id) ? null : list.find({ tenant, id });
        if (erasure === null) continue;
        done.add(id);
        await finish(erasing, { tenant, id }, erasure);
      }
    }
  }
  // Those of whom nothing came back too: the next start need not look for them.
  for (const erasure of lacking) await erasures.add(erasure, erasing.origin);
  return lacking.length;
}
