/**
 * Erases a subject.
 * @module
 */
import type { ChangeOrigin } from "@scim/core";
import { ScimError } from "@scim/schemas";
import { type Erasure, type ErasureKeys, erasureOf, type Subject, SubjectOfSeveralTypes } from "./erasure.ts";
import type { ErasedRows, ErasureStore } from "./port.ts";

/** What an erasure works with. */
export interface Erasing extends ErasureKeys {
  readonly erasures: ErasureStore;
  /**
   * Checks that {@link Erasing.remove} can delete live resources of a type, before anything is noted: what is noted is tried again
   * at each start. What it throws is the answer. Default: it can.
   */
  readonly check?: ((tenant: string, type: string) => Promise<void>) | undefined;
  /** Deletes the live resource of a type by the rules of the service, so that whoever follows events learns of it. */
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
 * @throws SubjectOfSeveralTypes where its type is not told, and several have or had the id: nothing is done then; what
 *   {@link Erasing.check} throws
 */
export async function eraseSubject(erasing: Erasing, named: Subject): Promise<ErasureReport | null> {
  const { erasures, note, now } = erasing;
  const subject = await withType(erasures, named);
  const erasure = erasureOf(erasing, subject, now());
  if (!(await erasures.isKnown(subject)) && !(await erasures.has({ ...erasure, at: "" }))) return null;
  const { tenant, type } = subject;
  if (type !== undefined && (await isLive(erasures, subject))) await erasing.check?.(tenant, type);
  // First of all: whatever ends this half-way, the next start goes on.
  await note(erasure);
  return finishErasure(erasing, subject, erasure);
}

/**
 * The subject with its type, as far as anything tells it. What has none is no resource, and nothing live is deleted for it.
 * @throws SubjectOfSeveralTypes
 */
export async function withType(erasures: ErasureStore, subject: Subject): Promise<Subject> {
  if (subject.type !== undefined) return subject;
  const types = await erasures.types(subject);
  if (types.length > 1) throw new SubjectOfSeveralTypes(subject, types);
  return { ...subject, type: types[0] };
}

/** Erases a subject whose entry is on the disk. */
export async function finishErasure(
  erasing: Erasing,
  subject: Subject,
  erasure: Erasure,
): Promise<ErasureReport> {
  const { erasures, now, origin } = erasing;
  await erasures.begin(subject, now());
  const rows = await eraseRows(erasing, subject);
  const late = await erasures.eraseLate(subject);
  // When all is done: whom the list of the database names is not looked for by a replay again.
  await erasures.add(erasure, origin);
  await erasures.end(subject, now());
  return { tenant: subject.tenant, at: erasure.at, ...rows, requests: rows.requests + late };
}

async function isLive(erasures: ErasureStore, subject: Subject): Promise<boolean> {
  const { type } = subject;
  return type !== undefined && (await erasures.liveTypes(subject)).includes(type);
}

/** Times that a resource may come back while it is erased. */
const MOST_RETURNS = 8;

/** An administrator may restore the resource between its deletion and its removal: then it is deleted once more. */
async function eraseRows(
  { erasures, remove, now, newNonce }: Erasing,
  subject: Subject,
): Promise<ErasedRows> {
  let erased: ErasedRows = { resources: 0, events: 0, copies: 0, requests: 0, tokens: 0, secrets: 0 };
  const { type } = subject;
  for (let round = 0; round <= MOST_RETURNS; round += 1) {
    if (type !== undefined && (await isLive(erasures, subject))) await remove(subject, type);
    erased = sumOf(erased, await erasures.erase({ subject, at: now(), newNonce }));
    // What a purge or an erasure removed is not restored any more: what is not live now stays gone.
    if (!(await isLive(erasures, subject))) return erased;
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
