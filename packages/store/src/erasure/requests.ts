/**
 * Removes the entries of the request log that are about a subject, or name it.
 * @module
 */
import type { Subject } from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { sql } from "../sql.ts";
import { parseObject } from "../resources/rows.ts";
import { writersDone } from "../requests/erased-lately.ts";
import { namesSubject } from "../requests/names-subject.ts";
import { removeRequests } from "../requests/purge-requests.ts";
import {
  type Answer,
  type Executor,
  numberOf,
  type Outcome,
  type Steps,
  textOf,
  textOrNullOf,
} from "../steps.ts";

/** Entries that are looked through at once. */
const PAGE = 500;

interface RequestSetting {
  readonly executor: Executor;
  readonly dialect: Dialect;
}

/** Removes them. Resolves to how many. */
export async function eraseRequests(
  { executor, dialect }: RequestSetting,
  subject: Subject,
): Promise<number> {
  let removed = 0;
  let after: string | null = "";
  while (after !== null) {
    const page: NamingPage = await executor.read(namingPage(dialect, subject, after));
    if (page.ids.length > 0) removed += await executor.write(() => remove(dialect, subject.tenant, page.ids));
    after = page.last;
    await executor.pause();
  }
  return removed;
}

/**
 * Removes those that were being written when the erasure was noted: they are waited for, and whoever began to write later
 * knew of it.
 */
export async function eraseLateRequests(setting: RequestSetting, subject: Subject): Promise<number> {
  await setting.executor.write(() => writersDone(setting.dialect, subject.tenant));
  return eraseRequests(setting, subject);
}

interface NamingPage {
  readonly ids: readonly string[];
  /** The last entry that was looked at; null where there are no more. */
  readonly last: string | null;
}

/** Values of persons are pseudonyms there, ids are not. */
function* namingPage(dialect: Dialect, { tenant, id }: Subject, after: string): Steps<NamingPage> {
  const page = sql`SELECT id, resource, entry FROM request_log
    WHERE tenant = ${tenant} AND id > ${after} ORDER BY id LIMIT ${PAGE}`;
  const { rows }: Answer = yield sql`SELECT max(id) AS last, count(*) AS n FROM (${page}) AS page`;
  const [row] = rows;
  if (row === undefined || numberOf(row, "n") === 0) return { ids: [], last: null };
  const found: Answer = yield sql`SELECT id, resource, entry FROM (${page}) AS page
    WHERE resource = ${id} OR ${dialect.contains(sql`entry`, id)}`;
  const naming = found.rows.filter(
    (each) => textOrNullOf(each, "resource") === id || namesSubject(parseObject(textOf(each, "entry")), id),
  );
  return { ids: naming.map((each) => textOf(each, "id")), last: textOf(row, "last") };
}

function* remove(dialect: Dialect, tenant: string, ids: readonly string[]): Steps<Outcome<number>> {
  return { keep: true, result: yield* removeRequests(dialect, tenant, ids) };
}
