/**
 * What identity providers do with a group of very many members costs PostgreSQL what it costs in a small one, whatever the server
 * has seen of its tables when it looked at them last: each statement looks up what is named, and goes through no collection.
 */
import type { OperatorService, PatchRequest } from "@scim/core";
import { GROUP_URN, type JsonObject, PATCH_OP_URN, USER_URN } from "@scim/schemas";
import type { Client } from "pg";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { IndexKeeper } from "../src/indexes/keeper.ts";
import { postgresDialect } from "../src/postgres/dialect.ts";
import { ScanTurns } from "../src/query/scan-turns.ts";
import { LongAnswerTurns } from "../src/resources/long-answer-turns.ts";
import { createResourceStore } from "../src/resources/resource-store.ts";
import type { Executor } from "../src/steps.ts";
import { type OwnDatabase, ownDatabase } from "./support/own-database.ts";
import { CALLER, create, list, PLAIN, serviceOver } from "./support/services.ts";
import { type MeasuringExecutor, measuringExecutor } from "./support/work-of-plans.ts";

/** Members of the long group. */
const MEMBERS = 20_000;

/** Rows that one step of a plan may come by. */
const MOST_ROWS = 100;

let database: OwnDatabase;
let client: Client;

beforeEach(async () => {
  database = await ownDatabase();
  ({ client } = database);
});

afterEach(() => database.drop());

let last: Promise<unknown> = Promise.resolve();

/** Everything has one connection, where transactions are measured: others come between these. */
function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
  const turn = last.then(run);
  last = turn.catch(() => undefined);
  return turn;
}

async function rowsOf(text: string, ...values: readonly unknown[]): Promise<readonly unknown[]> {
  return (await inTurn(() => client.query(text, [...values]))).rows;
}

/** Adds members to a group by a statement. */
async function fill(tenant: string, group: string, members: number): Promise<void> {
  await rowsOf(
    `INSERT INTO reference_values (tenant, type, owner, path, position, value, rest)
      SELECT $1, 'Group', $2, 'members', n, md5(n::text), '{"type":"User"}' FROM generate_series(1, $3::integer) n`,
    tenant,
    group,
    members,
  );
}

/** A service whose statements are measured. */
function measuredService(measuring: MeasuringExecutor): OperatorService {
  const read: Executor["read"] = (steps) => inTurn(() => measuring.read(steps));
  const executor: Executor = {
    read,
    readDurable: read,
    snapshot: (steps) => read(typeof steps === "function" ? steps() : steps),
    write: (makeSteps) => inTurn(() => measuring.write(makeSteps)),
    openSnapshot: () => Promise.reject(new TypeError("No answer is long here")),
    openStage: () => Promise.reject(new TypeError("No body is long here")),
    pause: async () => undefined,
  };
  const dialect = postgresDialect;
  const indexes = new IndexKeeper({ executor, dialect, interval: 3_600_000 });
  onTestFinished(() => indexes.stop());
  const [turns, answers] = [new ScanTurns(), new LongAnswerTurns(2)];
  return serviceOver(createResourceStore({ executor, dialect, indexes, turns, answers }));
}

const OTHERS_ALONE = "other tenants alone";

/** What was there when the server looked at its tables. */
const SEEN: readonly (readonly [string, (groups: Groups) => Promise<void>])[] = [
  ["nothing yet", async () => undefined],
  ["empty tables", () => analyze()],
  [
    "a group of ten",
    async ({ other }) => {
      await fill("north", other, 10);
      await analyze();
    },
  ],
  [
    OTHERS_ALONE,
    async () => {
      for (let n = 1; n <= 20; n += 1) await fill("south", `g${n}`, 200);
      await analyze();
    },
  ],
  [
    "the whole group",
    async ({ group }) => {
      await fill("north", group, MEMBERS);
      await analyze();
      await rowsOf("DELETE FROM reference_values WHERE owner = $1", group);
    },
  ],
];

interface Groups {
  readonly group: string;
  readonly other: string;
}

async function analyze(): Promise<void> {
  await rowsOf("ANALYZE");
}

test.each(SEEN)("one of very many members, where the server has seen %s", async (seen, see) => {
  const measuring = measuringExecutor(client, MOST_ROWS);
  const service = measuredService(measuring);
  const group = await create(service, "Group", { schemas: [GROUP_URN], displayName: "Everyone" });
  const other = await create(service, "Group", { schemas: [GROUP_URN], displayName: "Few" });
  const user = await create(service, "User", { schemas: [USER_URN], userName: "ann" });
  await see({ group, other });
  await fill("north", group, MEMBERS);
  const members = (...values: readonly string[]): JsonObject[] => values.map((value) => ({ value }));
  const patch = (of: Pick<PatchRequest, "type" | "id">, operation: JsonObject): Promise<unknown> => {
    const body = { schemas: [PATCH_OP_URN], Operations: [operation] };
    return service.patch(CALLER, { ...PLAIN, ...of, attributes: ["displayName"], body });
  };
  const find = async (type: string, filter: string): Promise<void> => {
    const { totalResults } = await list(service, type, { filter, excludedAttributes: ["members"] });
    expect([filter, totalResults]).toEqual([filter, 1]);
  };
  const ofGroup = { type: "Group", id: group };

  await patch(ofGroup, { op: "add", path: "members", value: members(user) });
  await patch(ofGroup, { op: "add", path: "members", value: members("m1", "m2", "m3", "m4") });
  await service.read(CALLER, { ...PLAIN, type: "User", id: user });
  await list(service, "User", {});
  await patch({ type: "User", id: user }, { op: "replace", path: "title", value: "Doctor" });
  await service.read(CALLER, { ...PLAIN, ...ofGroup, excludedAttributes: ["members"] });
  await list(service, "Group", { excludedAttributes: ["members"] });
  await find("Group", `members.value eq "${user}"`);
  await find("Group", `members[value eq "${user}"]`);
  await find("Group", `id eq "${group}" and members eq "${user}"`);
  await patch(ofGroup, { op: "remove", path: `members[value eq "${user}"]` });
  await patch(ofGroup, { op: "remove", path: 'members[value eq "m1" or value eq "m2"]' });
  await patch(ofGroup, { op: "remove", path: "members", value: members("m3", "m4") });

  // Where a server knows other tenants alone, what asks two things of a group takes as long as its tenant has members, until it is analyzed.
  const known = measuring.heavy.filter((text) => seen === OTHERS_ALONE && text.includes(" AND EXISTS "));
  expect(measuring.heavy).toEqual(known);
  expect(known.length).toBeLessThanOrEqual(1);
  const left = await rowsOf(
    "SELECT value FROM reference_values WHERE tenant = 'north' AND owner = $1",
    group,
  );
  expect(left).toHaveLength(MEMBERS);
});
