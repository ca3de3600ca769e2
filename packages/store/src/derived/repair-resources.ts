/**
 * Writes derived rows of resources anew, whose own rows nobody changes meanwhile.
 * @module
 */
import { inTurn } from "../indexes/build.ts";
import { missingPath } from "../indexes/missing.ts";
import { addIndexEntries, type EntryOwner, takeUniqueEntry } from "../resources/entries.ts";
import type { RowSource } from "../resources/read.ts";
import { liveResources } from "../resources/rows.ts";
import { joinSql, type Sql, sql } from "../sql.ts";
import type { Outcome, Steps } from "../steps.ts";
import {
  COMPARED_COLUMNS,
  compareResources,
  type CompareSetting,
  type ResourceDifference,
} from "./compare-resources.ts";
import type { DerivedFinding } from "./finding.ts";
import { findingsOf } from "./tell-differences.ts";

/** What a transaction repaired. */
export interface Repaired {
  /** What was found in it. */
  readonly findings: readonly DerivedFinding[];
  /** Values that could not be taken, because a row that is wrong held them. */
  readonly waiting: number;
}

/**
 * Compares resources again, as they are by now, and writes anew what differs. A change of one of them waits for it, or is
 * waited for: so it is made on top of rows that are right, or is what they are compared with.
 */
export function* repairResources(
  setting: CompareSetting,
  of: RowSource,
  ids: readonly string[],
): Steps<Outcome<Repaired>> {
  const { dialect } = setting;
  const named = dialect.among(sql`r.id`, sql`SELECT l.value FROM ${dialect.idList(ids)} l`);
  const query = sql`SELECT ${COMPARED_COLUMNS} FROM ${liveResources(of.tenant, of.type)} AND ${named}
    ORDER BY r.id ${dialect.lockedRows}`;
  const compared = yield* compareResources(setting, of, query);
  if (compared === null) return { keep: false, result: { findings: [], waiting: 0 } };
  const findings = yield* findingsOf(setting, of, compared);
  let waiting = 0;
  for (const difference of compared.differences) {
    const owner = { ...of, id: difference.id };
    yield* renewEntries(setting, owner, difference);
    waiting += yield* renewValues(setting, owner, difference);
  }
  const duplicates = findings.filter(({ kind }) => kind === "duplicate").length;
  return { keep: true, result: { findings, waiting: waiting - duplicates } };
}

function* renewEntries(
  { dialect }: CompareSetting,
  owner: EntryOwner,
  { index, entries }: ResourceDifference,
): Steps<void> {
  const wrong = [...new Set([...index.missing, ...index.stray])];
  if (wrong.length === 0) return;
  const paths = wrong.flatMap((path) => [path, missingPath(path)]);
  yield sql`DELETE FROM attribute_index WHERE tenant = ${owner.tenant} AND type = ${owner.type}
    AND id = ${owner.id} AND path IN (${listed(paths)})`;
  const anew = entries.filter(({ path }) => wrong.includes(path));
  yield* inTurn(addIndexEntries(owner, anew, dialect));
}

/** Answers how many values others hold. What is held rightly goes with what is not, however much it is, and comes back. */
function* renewValues(
  { dialect }: CompareSetting,
  owner: EntryOwner,
  { unique: { missing, stray, held } }: ResourceDifference,
): Steps<number> {
  if (stray.size > 0) {
    yield sql`DELETE FROM unique_values WHERE tenant = ${owner.tenant} AND type = ${owner.type}
      AND id = ${owner.id} AND path IN (${listed([...stray])})`;
    for (const entry of held) if (stray.has(entry.path)) yield takeUniqueEntry(owner, entry, dialect);
  }
  let taken = 0;
  for (const entry of missing) taken += (yield takeUniqueEntry(owner, entry, dialect)).changes;
  return missing.length - taken;
}

function listed(texts: readonly string[]): Sql {
  return joinSql(
    texts.map((text) => sql`${text}`),
    ", ",
  );
}
