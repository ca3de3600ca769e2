/**
 * Counters of live resources, compared with the resources in one state of the database. What a counter is off by stays the
 * same while resources come and go, so that it can be counted in later, and nobody waits for it.
 * @module
 */
import { liveCount } from "../query/live-count.ts";
import type { RowSource } from "../resources/read.ts";
import { liveResources } from "../resources/rows.ts";
import { sql } from "../sql.ts";
import {
  type Answer,
  type Executor,
  numberOf,
  type Outcome,
  type SnapshotReader,
  type Steps,
  textOrNullOf,
} from "../steps.ts";
import type { CountFinding } from "./finding.ts";
import { nextType } from "./orphans.ts";

/** Resources that one statement counts. */
const COUNTED = 20_000;

/** The shard that repairs count in, and nobody else does. */
const REPAIRS = -1;

/** A counter that is wrong, and what its repairs had come to then. */
export interface WrongCount extends CountFinding {
  /** Null where there was no repair yet. */
  readonly repaired: number | null;
}

/** The counters of a tenant that are wrong. */
export async function wrongCounts(
  executor: Pick<Executor, "openSnapshot">,
  tenant: string,
): Promise<readonly WrongCount[]> {
  const reader = await executor.openSnapshot();
  try {
    const wrong: WrongCount[] = [];
    let type = await reader.run(nextCounted(tenant, ""));
    while (type !== null) {
      const live = await countLive(reader, { tenant, type });
      const counted = await reader.run(liveCount({ tenant, type }));
      if (live !== counted) {
        const repaired = await reader.run(readRepairs({ tenant, type }));
        wrong.push({ kind: "count", type, counted, live, repaired });
      }
      type = await reader.run(nextCounted(tenant, type));
    }
    return wrong;
  } finally {
    await reader.close();
  }
}

/** The next type in order that has resources or a counter. */
function* nextCounted(tenant: string, after: string): Steps<string | null> {
  const stored = yield* nextType(tenant, after, sql`resources`);
  const counted = yield* nextType(tenant, after, sql`resource_counters`);
  if (stored === null || counted === null) return stored ?? counted;
  return stored < counted ? stored : counted;
}

async function countLive(reader: SnapshotReader, of: RowSource): Promise<number> {
  let live = 0;
  for (let after: string | null = ""; after !== null;) {
    const part: LivePart = await reader.run(countBehind(of, after));
    live += part.count;
    after = part.next;
  }
  return live;
}

interface LivePart {
  readonly count: number;
  readonly next: string | null;
}

function* countBehind({ tenant, type }: RowSource, after: string): Steps<LivePart> {
  const { rows }: Answer = yield sql`SELECT count(*) AS n, max(c.id) AS last FROM
    (SELECT r.id FROM ${liveResources(tenant, type)} AND r.id > ${after} ORDER BY r.id LIMIT ${COUNTED}) c`;
  const [row] = rows;
  if (row === undefined) return { count: 0, next: null };
  const count = numberOf(row, "n");
  return { count, next: count < COUNTED ? null : textOrNullOf(row, "last") };
}

function* readRepairs({ tenant, type }: RowSource): Steps<number | null> {
  const { rows }: Answer = yield sql`SELECT n FROM resource_counters
    WHERE tenant = ${tenant} AND type = ${type} AND shard = ${REPAIRS}`;
  const [row] = rows;
  return row === undefined ? null : numberOf(row, "n");
}

/** Counts in what a counter was off by, unless another repair came first. */
export function* repairCount(
  tenant: string,
  { type, counted, live, repaired }: WrongCount,
): Steps<Outcome<void>> {
  const off = live - counted;
  yield repaired === null
    ? sql`INSERT INTO resource_counters (tenant, type, shard, n) VALUES (${tenant}, ${type}, ${REPAIRS}, ${off})
        ON CONFLICT (tenant, type, shard) DO NOTHING`
    : sql`UPDATE resource_counters SET n = n + ${off}
        WHERE tenant = ${tenant} AND type = ${type} AND shard = ${REPAIRS} AND n = ${repaired}`;
  return { keep: true, result: undefined };
}
