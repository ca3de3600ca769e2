/**
 * Removes what other resources hold of a subject beside a reference to it. The reference stays, and the resource gets a
 * new version, since it is not the same any more.
 * @module
 */
import type { ErasureOrder } from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { alwaysIndexed } from "../indexes/view.ts";
import { parseObject } from "../resources/rows.ts";
import { joinSql, sql } from "../sql.ts";
import {
  type Answer,
  type Executor,
  numberOf,
  type Outcome,
  PAUSE,
  type Row,
  type Steps,
  textOf,
  textOrNullOf,
} from "../steps.ts";
import { nextVersion } from "../version.ts";
import { typesOf } from "./subjects.ts";
import { withoutCopies, withoutDetails } from "./without-copies.ts";

/** Resources that are looked through at once. */
const PAGE = 500;

/** Owners of collections that are changed before other work may go first. */
const OWNERS = 50;

interface CopySetting {
  readonly executor: Pick<Executor, "read" | "write" | "pause">;
  readonly dialect: Dialect;
}

/** Removes them. Resolves to how many resources held any. */
export async function eraseCopies(setting: CopySetting, order: ErasureOrder): Promise<number> {
  const { executor } = setting;
  const { tenant, id } = order.subject;
  let changed = await executor.write(() => eraseDetails(setting.dialect, order));
  for (const type of await executor.read(typesOf(tenant))) {
    let after: string | null = "";
    while (after !== null) {
      const page: BodyPage = await executor.read(holding(setting.dialect, { tenant, type, id, after }));
      for (const holder of page.ids) changed += await executor.write(() => eraseIn({ order, type, holder }));
      after = page.last;
      await executor.pause();
    }
  }
  return changed;
}

interface BodyPage {
  /** Resources whose JSON holds the id. */
  readonly ids: readonly string[];
  /** The last of the page; null where there are no more. */
  readonly last: string | null;
}

interface BodyRange {
  readonly tenant: string;
  readonly type: string;
  readonly id: string;
  readonly after: string;
}

function* holding(dialect: Dialect, { tenant, type, id, after }: BodyRange): Steps<BodyPage> {
  const page = sql`SELECT id, body FROM resources
    WHERE tenant = ${tenant} AND type = ${type} AND id > ${after} ORDER BY id LIMIT ${PAGE}`;
  const { rows }: Answer = yield sql`SELECT max(id) AS last, count(*) AS n FROM (${page}) AS page`;
  const [row] = rows;
  if (row === undefined || numberOf(row, "n") === 0) return { ids: [], last: null };
  const found: Answer = yield sql`SELECT id FROM (${page}) AS page
    WHERE ${dialect.contains(sql`body`, JSON.stringify(id))}`;
  return { ids: found.rows.map((each) => textOf(each, "id")), last: textOrNullOf(row, "last") };
}

interface Holder {
  readonly order: ErasureOrder;
  readonly type: string;
  readonly holder: string;
}

/**
 * Writes the JSON of a resource anew, and removes the entries that were made of it. Who keeps indexes sees by the version that
 * they are to be made anew, and who queries that they are not whole.
 */
function* eraseIn({ order, type, holder }: Holder): Steps<Outcome<number>> {
  const { tenant, id } = order.subject;
  for (;;) {
    const { rows }: Answer = yield sql`SELECT version, body FROM resources
      WHERE tenant = ${tenant} AND type = ${type} AND id = ${holder}`;
    const [row] = rows;
    if (row === undefined) return { keep: true, result: 0 };
    const body = parseObject(textOf(row, "body"));
    const kept = withoutCopies(body, id);
    if (kept === body) return { keep: true, result: 0 };
    const { changes }: Answer =
      yield sql`UPDATE resources SET body = ${JSON.stringify(kept)}, revision = revision + 1,
        version = ${newVersion(row, order)}, last_modified = ${order.at}
      WHERE tenant = ${tenant} AND type = ${type} AND id = ${holder} AND version = ${textOf(row, "version")}`;
    if (changes === 0) continue;
    yield* removeEntries({ tenant, type, holder });
    return { keep: true, result: 1 };
  }
}

/** Entries of what always has an index stay: they are of names of the holder's own, and it is found by them whatever its version. */
function* removeEntries({
  tenant,
  type,
  holder,
}: Omit<Holder, "order"> & { readonly tenant: string }): Steps<void> {
  const kept = alwaysIndexed(type).map((path) => sql` AND path <> ${path}`);
  yield sql`DELETE FROM attribute_index
    WHERE tenant = ${tenant} AND type = ${type} AND id = ${holder}${joinSql(kept, "")}`;
}

/** Removes what stands beside the subject as a value of reference collections: as the member of a group. */
function* eraseDetails(dialect: Dialect, order: ErasureOrder): Steps<Outcome<number>> {
  const { tenant, id } = order.subject;
  const { rows }: Answer = yield sql`SELECT type, owner, path, rest FROM reference_values
    WHERE tenant = ${tenant} AND value = ${id} ORDER BY type, path, owner ${dialect.lockedRows}`;
  const owners = new Set<string>();
  for (const row of rows) {
    const rest = withoutDetails(parseObject(textOf(row, "rest")));
    if (rest === null) continue;
    const [type, owner, path] = [textOf(row, "type"), textOf(row, "owner"), textOf(row, "path")];
    yield sql`UPDATE reference_values SET rest = ${JSON.stringify(rest)}
      WHERE tenant = ${tenant} AND value = ${id} AND type = ${type} AND path = ${path} AND owner = ${owner}`;
    const name = `${type} ${owner}`;
    if (!owners.has(name)) yield* renew(order, { type, holder: owner });
    owners.add(name);
    if (owners.size % OWNERS === 0) yield PAUSE;
  }
  return { keep: owners.size > 0, result: owners.size };
}

/** Gives a resource another version. Where somebody else does meanwhile, that one is of what it was before. */
function* renew(order: ErasureOrder, { type, holder }: Omit<Holder, "order">): Steps<void> {
  const { tenant } = order.subject;
  for (;;) {
    const { rows }: Answer = yield sql`SELECT version, indexed_version FROM resources
      WHERE tenant = ${tenant} AND type = ${type} AND id = ${holder}`;
    const [row] = rows;
    if (row === undefined) return;
    const [before, version] = [textOf(row, "version"), newVersion(row, order)];
    // Entries of indexes are made of the JSON, which has not changed.
    const indexed =
      textOrNullOf(row, "indexed_version") === before ? version : textOrNullOf(row, "indexed_version");
    const { changes }: Answer =
      yield sql`UPDATE resources SET revision = revision + 1, version = ${version}, indexed_version = ${indexed},
        last_modified = ${order.at}
      WHERE tenant = ${tenant} AND type = ${type} AND id = ${holder} AND version = ${before}`;
    if (changes > 0) return;
  }
}

function newVersion(row: Row, { newNonce }: ErasureOrder): string {
  const before = textOf(row, "version");
  const version = nextVersion(before, newNonce());
  if (version === null) throw new TypeError(`${before} is no version of this store`);
  return version;
}
