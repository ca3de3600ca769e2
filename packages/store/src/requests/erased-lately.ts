/**
 * Keeps entries that name a subject from being written behind its erasure. A process may hold them in memory, or answer
 * their requests still, when those that are in the log go.
 * @module
 */
import type { LoggedRequest, RequestBatch, Subject } from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { sql } from "../sql.ts";
import { parseObject } from "../resources/rows.ts";
import { type Answer, type Outcome, type Steps, textOf, textOrNullOf } from "../steps.ts";
import { namesSubject } from "./names-subject.ts";

/** Milliseconds that the clocks of processes are apart at most. */
const APART_MS = 60_000;

/**
 * Of an erasure that has no end yet, stands where its end will: when it began, and seven thousand years later, so that no
 * request begins behind it and it is never forgotten.
 */
function withoutEnd(begun: string): string {
  return `${UNENDED}${begun.slice(1)}`;
}

const UNENDED = "9";

/**
 * Notes whom an erasure is begun of: where it ends half-way, its rows may be gone, and this alone tells the id and the type.
 * Answers whether it may begin: not while that of a resource of another type with the id has no end.
 */
export function* noteBegun({ tenant, id, type }: Subject, at: string): Steps<Outcome<boolean>> {
  const { changes }: Answer =
    yield sql`INSERT INTO erased_lately (tenant, id, at, type) VALUES (${tenant}, ${id}, ${withoutEnd(at)}, ${type ?? null})
    ON CONFLICT (tenant, id) DO UPDATE SET at = excluded.at, type = excluded.type
      WHERE erased_lately.at < ${UNENDED} OR coalesce(erased_lately.type, excluded.type, '') = coalesce(excluded.type, '')`;
  return { keep: changes > 0, result: changes > 0 };
}

/** Notes the end of an erasure. */
export function* noteEnded({ tenant, id, type }: Subject, at: string): Steps<Outcome<void>> {
  yield sql`INSERT INTO erased_lately (tenant, id, at, type) VALUES (${tenant}, ${id}, ${at}, ${type ?? null})
    ON CONFLICT (tenant, id) DO UPDATE SET at = excluded.at, type = excluded.type`;
  return { keep: true, result: undefined };
}

/** The subjects of a tenant whose erasure began before an instant and has no end. */
export function* begunSubjects(tenant: string, before: string): Steps<readonly Subject[]> {
  const { rows }: Answer = yield sql`SELECT id, type FROM erased_lately
    WHERE tenant = ${tenant} AND at >= ${UNENDED} AND at < ${withoutEnd(before)} ORDER BY id`;
  return rows.map((row) => ({
    tenant,
    id: textOf(row, "id"),
    type: textOrNullOf(row, "type") ?? undefined,
  }));
}

/** Waits for those who write entries of the tenant. */
export function* writersDone({ requestLogLock }: Dialect, tenant: string): Steps<Outcome<void>> {
  if (requestLogLock !== null) yield requestLogLock.alone(tenant);
  return { keep: false, result: undefined };
}

/** Whether anybody of a tenant was erased lately. */
export function* hasErasedLately(tenant: string): Steps<boolean> {
  const { rows }: Answer = yield sql`SELECT id FROM erased_lately WHERE tenant = ${tenant} LIMIT 1`;
  return rows.length > 0;
}

/** Forgets whom nobody writes of any more. */
export function* forgetErased(tenant: string, before: string): Steps<Outcome<void>> {
  const { changes }: Answer =
    yield sql`DELETE FROM erased_lately WHERE tenant = ${tenant} AND at < ${before}`;
  return { keep: changes > 0, result: undefined };
}

/** The entries of a batch but those of requests that had begun when a subject that they name was erased. */
export function* withoutErased(
  { requestLogLock }: Dialect,
  { tenant, entries }: RequestBatch,
): Steps<readonly LoggedRequest[]> {
  if (requestLogLock !== null) yield requestLogLock.shared(tenant);
  const oldest = Math.min(...entries.map(beganAt));
  if (!Number.isFinite(oldest)) return entries;
  const { rows }: Answer = yield sql`SELECT id, at FROM erased_lately
    WHERE tenant = ${tenant} AND at >= ${new Date(oldest - APART_MS).toISOString()}`;
  const erased = rows.map((row) => ({ id: textOf(row, "id"), at: Date.parse(textOf(row, "at")) + APART_MS }));
  if (erased.length === 0) return entries;
  return entries.filter((entry) => {
    const [text, began] = [JSON.stringify(entry), beganAt(entry)];
    return !erased.some(
      ({ id, at }) => began <= at && text.includes(id) && namesSubject(parseObject(text), id),
    );
  });
}

function beganAt({ at, durationMs }: LoggedRequest): number {
  return Date.parse(at) - durationMs;
}
