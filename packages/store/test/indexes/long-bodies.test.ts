import { createModelCatalog, indexSource } from "@scim/core";
import { createDefaultRegistry } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { advanceIndex, type BuildSetting } from "../../src/indexes/build.ts";
import { settleBatch } from "../../src/indexes/settle.ts";
import { type Sql, sql } from "../../src/sql.ts";
import { NO_ANSWER, type Steps } from "../../src/steps.ts";
import { PLAIN_DATABASES } from "../support/plain-databases.ts";
import type { PlainExecutor } from "../support/plain-executor.ts";

const TITLES = { tenant: "acme", type: "User", path: "title" };
const AT = "2026-11-02T08:00:00.000Z";
const USERS = ["u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8"];

/** Users of 200 KiB each, and of 2 MiB the one before the last. */
async function plant(executor: PlainExecutor, settled: boolean): Promise<void> {
  for (const [place, id] of USERS.entries()) {
    const photo = "x".repeat(place === USERS.length - 2 ? 2_097_152 : 204_800);
    const body = JSON.stringify({ userName: id, title: id, photos: [{ value: photo }] });
    await executor.run(sql`INSERT INTO resources
        (tenant, type, id, connection, revision, version, created, last_modified, body, indexed_version)
      VALUES ('acme', 'User', ${id}, 'okta', 1, 'v', ${AT}, ${AT}, ${body}, ${settled ? "v" : null})`);
  }
}

async function numberOf(executor: PlainExecutor, query: Sql): Promise<number> {
  const { rows } = await executor.run(query);
  return Number(rows[0]?.["n"]);
}

describe.each(PLAIN_DATABASES)("on %s a step of long resources", (_name, make) => {
  const source = indexSource(createModelCatalog(createDefaultRegistry()));
  const holder = { name: "one", now: () => Date.parse(AT) };

  test("that builds an index goes through few", async () => {
    const { executor, dialect } = await make();
    // Who goes on with what another began, and was killed at, waits for nobody to hear of it.
    const setting: BuildSetting = { dialect, source, holder, grace: 1_000_000_000 };
    await plant(executor, true);
    await executor.run(sql`INSERT INTO attribute_indexes (tenant, type, path, origin, state, since, progress, built)
      VALUES ('acme', 'User', 'title', 'operator', 'building', ${AT}, '', 0)`);
    const built = sql`SELECT built AS n FROM attribute_indexes`;
    const index = { ...TITLES, origin: "operator", state: "building", since: AT, built: 0 } as const;
    const steps: number[] = [];
    while ((await executor.write(() => advanceIndex(setting, index))) === "done")
      steps.push(await numberOf(executor, built));
    expect(steps).toEqual([3, 6, 7, 8, 8]);
    const entries = sql`SELECT count(*) AS n FROM attribute_index WHERE path = 'title'`;
    expect(await numberOf(executor, entries)).toBe(USERS.length);
  });

  test("that settles them goes through few", async () => {
    const { executor, dialect } = await make();
    const setting: BuildSetting = { dialect, source, holder, grace: 0 };
    await plant(executor, false);
    const unsettled = sql`SELECT count(*) AS n FROM resources WHERE indexed_version IS NULL`;
    const steps: number[] = [];
    while ((await executor.write(() => settleBatch(setting, TITLES))) === "done")
      steps.push(await numberOf(executor, unsettled));
    expect(steps).toEqual([5, 2, 1, 0]);
    const entries = sql`SELECT count(*) AS n FROM attribute_index WHERE path = 'userName'`;
    expect(await numberOf(executor, entries)).toBe(USERS.length);
  });

  test("that settles them leaves them unsettled where another index was declared meanwhile", async () => {
    const { executor, dialect } = await make();
    const setting: BuildSetting = { dialect, source, holder, grace: 0 };
    await plant(executor, false);
    const settled = sql`SELECT count(*) AS n FROM resources WHERE indexed_version IS NOT NULL`;
    const declares = (statement: Sql): boolean => statement.text.includes("octet_length");
    await executor.write(() => interrupted(settleBatch(setting, TITLES), declares));
    expect(await numberOf(executor, settled)).toBe(0);
    await executor.write(() => settleBatch(setting, TITLES));
    expect(await numberOf(executor, settled)).toBe(3);
  });
});

/** Steps between which the revision of the indexes moves on: what another process commits is seen by the next statement. */
function* interrupted<Result>(steps: Steps<Result>, isMoment: (statement: Sql) => boolean): Steps<Result> {
  let step = steps.next(NO_ANSWER);
  while (step.done !== true) {
    const asked = step.value;
    const answer = yield asked;
    if (typeof asked === "object" && "text" in asked && isMoment(asked))
      yield sql`INSERT INTO index_revisions (tenant, type, revision, changes) VALUES ('acme', 'User', 1, 1)`;
    step = steps.next(answer);
  }
  return step.value;
}
