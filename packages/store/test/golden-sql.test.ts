/**
 * The statements of each operation, on each database, in files that people read. A change of them is meant:
 * `vitest run --root . --config ../../vitest.postgres.config.ts test/golden-sql.test.ts -u` writes them anew.
 */
import {
  adding,
  createPlan,
  deletePlan,
  fetchOne,
  filterOf,
  indexPage,
  MEMBERS,
  NOTHING,
  removing,
  restorePlan,
  SCOPE,
  seed,
  sortOf,
  updatePlan,
  withGroups,
} from "@scim/core/testing";
import { referenceBatch, type ResourceStore, type StoreQuery } from "@scim/core";
import { expect, onTestFinished, test, vi } from "vitest";
import { openPostgres } from "./support/engines.ts";
import { open } from "./support/folders.ts";
import { sentTexts } from "./support/sent-texts.ts";

const ANNA = { type: "User", id: "u1", body: { userName: "anna", displayName: "A" } } as const;
const DAY = "2026-03-01T08:00:00.000Z";
const TEAM = { type: "Group", id: "g1", body: { displayName: "Team" }, members: ["u1", "u3"] } as const;

function query(resources: ResourceStore, of: Partial<StoreQuery>): Promise<unknown> {
  const page = indexPage(0, 10);
  return resources.query(SCOPE, { type: "User", filter: null, sort: null, page, select: NOTHING, ...of });
}

type Operation = (resources: ResourceStore) => Promise<unknown>;

/** Makes the team hold a thousand new values, and some that it holds. */
async function takingOver(resources: ResourceStore, held: readonly string[]): Promise<Operation> {
  const stage = await resources.stage(SCOPE, "Group");
  const others = Array.from({ length: 1001 }, (_, index) => `m${held.length}-${index}`);
  await stage.add("members", referenceBatch([...held, ...others].map((value) => ({ value, rest: {} }))));
  const difference = await stage.compare({ ...TEAM, path: "members" }, (_, staged) => staged);
  if (difference.kind === "short") throw new TypeError("The list is long");
  const staged = { stage: stage.id, changes: [difference.change] };
  const plan = { ...updatePlan(await fetchOne(resources, TEAM), {}), staged };
  return (store) => store.write(SCOPE, plan);
}

/** What is done, and what has to be read for it beforehand. */
const OPERATIONS: readonly (readonly [string, (resources: ResourceStore) => Promise<Operation>])[] = [
  ["read by id", async () => async (resources) => resources.read(SCOPE, ANNA, NOTHING)],
  ["read by id, with groups", async () => async (resources) => resources.read(SCOPE, ANNA, withGroups(1))],
  ["read by id, with members", async () => async (resources) => resources.read(SCOPE, TEAM, MEMBERS)],
  [
    "look some members up",
    async () => async (resources) => resources.references(SCOPE, { ...TEAM, path: "members" }, ["u1", "u2"]),
  ],
  ["list", async () => async (resources) => query(resources, {})],
  [
    "find by userName",
    async () => async (resources) => query(resources, { filter: filterOf("User", 'userName eq "anna"') }),
  ],
  [
    "find by the beginning of displayName",
    async () => async (resources) => query(resources, { filter: filterOf("User", 'displayName sw "a"') }),
  ],
  [
    "find by member",
    async () => async (resources) =>
      query(resources, { type: "Group", filter: filterOf("Group", 'members.value eq "u1"') }),
  ],
  [
    "list by userName, behind a place",
    async () => async (resources) =>
      query(resources, {
        sort: sortOf("User", "userName", false),
        page: { kind: "keyset", from: { key: "anna", id: "u1" }, direction: "forward", limit: 10 },
      }),
  ],
  [
    "create",
    async () => async (resources) =>
      resources.write(SCOPE, createPlan({ type: "User", id: "u2", body: { userName: "bert" } })),
  ],
  [
    "create a taken name",
    async () => async (resources) =>
      resources.write(SCOPE, createPlan({ type: "User", id: "u4", body: { userName: "anna" } })),
  ],
  [
    "change the userName",
    async (resources) => {
      const plan = updatePlan(await fetchOne(resources, ANNA), { body: { userName: "anne" } });
      return (store) => store.write(SCOPE, plan);
    },
  ],
  [
    "set a secret and remove another",
    async (resources) => {
      const secrets = [
        { path: "password", hash: "$test$c2FsdA$aGFzaA" },
        { path: "pin", hash: null },
      ];
      const plan = { ...updatePlan(await fetchOne(resources, ANNA), {}), secrets };
      return (store) => store.write(SCOPE, plan);
    },
  ],
  [
    "find the hash of a secret",
    async () => async (resources) => resources.secrets?.find(SCOPE, { ...ANNA, path: "password" }),
  ],
  [
    "change another version",
    async (resources) => {
      const plan = updatePlan(await fetchOne(resources, ANNA), { body: { userName: "anne" } });
      return (store) => store.write(SCOPE, { ...plan, expectedVersion: "9-other" });
    },
  ],
  [
    "add a member",
    async (resources) => {
      const plan = updatePlan(await fetchOne(resources, TEAM), { collections: [adding("u2")] });
      return (store) => store.write(SCOPE, plan);
    },
  ],
  [
    "remove a member",
    async (resources) => {
      const plan = updatePlan(await fetchOne(resources, TEAM), { collections: [removing("u3")] });
      return (store) => store.write(SCOPE, plan);
    },
  ],
  [
    "take over a long list, of which all was compared before",
    async (resources) => takingOver(resources, ["u1"]),
  ],
  [
    "take over a long list that has nothing in common with what is held",
    async (resources) => takingOver(resources, []),
  ],
  [
    "preview a deletion",
    async (resources) => {
      const plan = deletePlan(await fetchOne(resources, ANNA));
      return (store) => store.preview(SCOPE, plan);
    },
  ],
  [
    "delete",
    async (resources) => {
      const plan = deletePlan(await fetchOne(resources, ANNA));
      return (store) => store.write(SCOPE, plan);
    },
  ],
  [
    "list what was deleted, behind a place",
    async () => async (resources) =>
      resources.deleted?.list(SCOPE, {
        since: DAY,
        after: { deleted: DAY, type: "User", id: "u5" },
        limit: 10,
      }),
  ],
  [
    "restore",
    async (resources) => {
      const kept = await resources.deleted?.read(SCOPE, ANNA);
      if (kept === undefined || kept === null) throw new TypeError("Anna was deleted");
      const plan = restorePlan(kept);
      return (store) => store.write(SCOPE, plan);
    },
  ],
];

/** Clauses that begin a line, where they are not within brackets. */
const CLAUSES =
  / (?=(?:(?<!DELETE |DISTINCT )FROM|WHERE|VALUES|ON CONFLICT|ORDER BY|(?<!DO UPDATE )SET|SELECT) )/g;

/** A statement in lines that people read; on PostgreSQL an empty line stands where an answer is waited for. */
function readable(text: string): string {
  const words = text.replaceAll(/\s+/g, " ").trim();
  if (words === "") return "";
  const lined = words.replaceAll(CLAUSES, (space, offset: number) =>
    depthAt(words, offset) === 0 ? "\n  " : space,
  );
  return `${lined};`;
}

/** How many brackets are open at a place. */
function depthAt(text: string, offset: number): number {
  const before = text.slice(0, offset);
  return before.split("(").length - before.split(")").length;
}

test.each([
  ["sqlite", () => open(":memory:")],
  ["postgres", () => openPostgres({ poolSize: 1 })],
])("the statements of each operation on %s", async (engine, openStore) => {
  // Between operations a store looks what indexes there are, each second: here none passes.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  const { resources } = await openStore();
  await seed(resources, [ANNA, TEAM]);
  const { texts, forget } = sentTexts();
  const parts: string[] = [];
  for (const [name, prepare] of OPERATIONS) {
    const run = await prepare(resources);
    // The first time it is learnt what needs a transaction; what follows an answer has ended with the next one.
    if (/^(?:read|look|list|find)/.test(name)) await run(resources);
    await resources.read(SCOPE, ANNA, NOTHING);
    forget();
    await run(resources);
    const statements = texts().map(readable).join("\n").trim();
    parts.push(`-- ${name}\n${statements}\n`);
  }
  await expect(parts.join("\n")).toMatchFileSnapshot(`golden/${engine}.sql`);
});
