/**
 * Rules of connections: held for whoever writes, from the moment they are begun.
 * @module
 */
import { modelOf } from "./models.ts";
import { connectionRule, ruledEntry } from "../../plan/entries.ts";
import { GROUP_NAME_UNIQUE } from "../../profiles/group-name-unique.ts";
import type { ConnectionRule, ConnectionRules, FilledPage, HeldTwice } from "../../store/connection-rules.ts";
import type { ResourceStore, StoreScope } from "../../store/port.ts";
import { expectEqual } from "./expect.ts";
import type { ResourceStoreRule } from "./rule.ts";
import {
  createPlan,
  deletePlan,
  fetchOne,
  type NewResource,
  restorePlan,
  SCOPE,
  seed,
  updatePlan,
} from "./sample.ts";

const RULE = connectionRule(GROUP_NAME_UNIQUE, SCOPE);

/** Another connection of the tenant. */
const OTHERS: StoreScope = { tenant: SCOPE.tenant, connection: "second" };

function group(id: string, displayName: string): NewResource {
  return { type: "Group", id, body: { displayName } };
}

/** A store with its rules; null where it keeps none, and promises nothing. */
function rulesOf(store: ResourceStore): ConnectionRules | null {
  return store.rules ?? null;
}

/** Goes through all resources. */
async function fill(rules: ConnectionRules, rule: ConnectionRule = RULE): Promise<Omit<FilledPage, "next">> {
  const { connection } = rule;
  const model = modelOf("Group");
  let [seen, refused] = [0, 0];
  const first: HeldTwice[] = [];
  for (let after: string | null = null; ;) {
    const page = await rules.fill(rule, after, (body) =>
      ruledEntry(model, GROUP_NAME_UNIQUE, { connection, body }),
    );
    seen += page.seen;
    refused += page.refused;
    first.push(...page.first);
    if (page.next === null) return { seen, refused, first };
    after = page.next;
  }
}

async function create(store: ResourceStore, id: string, name: string): Promise<string> {
  return (await store.write(SCOPE, createPlan(group(id, name)))).kind;
}

/** Creates a group on behalf of another connection. */
async function createOther(store: ResourceStore, id: string, name: string): Promise<string> {
  const plan = createPlan(group(id, name));
  const { scope } = connectionRule(GROUP_NAME_UNIQUE, OTHERS);
  const whereHeld = (plan.whereHeld ?? []).map((entry) => ({ ...entry, scope }));
  return (await store.write(OTHERS, { ...plan, whereHeld })).kind;
}

async function rename(store: ResourceStore, id: string, displayName: string): Promise<string> {
  const stored = await fetchOne(store, { type: "Group", id });
  return (await store.write(OTHERS, updatePlan(stored, { body: { displayName } }))).kind;
}

export const CONNECTION_RULES: readonly ResourceStoreRule[] = [
  {
    rule: "connection-rules/begun",
    name: "what is written behind the beginning of a rule takes its value, whoever writes it; before, it takes none",
    run: async (open) => {
      const store = await open();
      const rules = rulesOf(store);
      if (rules === null) return;
      expectEqual(await create(store, "g1", "a"), "written", "before");
      expectEqual(await create(store, "g2", "a"), "written", "before, again");
      expectEqual(await rules.state(RULE), null, "state before");
      await rules.begin(RULE, "one");
      expectEqual(await rules.state(RULE), { token: "one", complete: false }, "state");
      expectEqual(await create(store, "g3", "b"), "written", "behind it");
      expectEqual(await create(store, "g4", "B"), "duplicate", "the same");
      expectEqual(await createOther(store, "g4", "b"), "written", "of another connection");
      expectEqual(await rename(store, "g1", "b"), "duplicate", "renamed");
      expectEqual(await rename(store, "g3", "c"), "written", "gives its value up");
      expectEqual(await rename(store, "g1", "b"), "written", "takes it");
      await store.write(SCOPE, deletePlan(await fetchOne(store, { type: "Group", id: "g1" })));
      expectEqual(await create(store, "g5", "b"), "written", "freed by a deletion");
      const kept = await store.deleted?.read(SCOPE, { type: "Group", id: "g1" });
      if (kept === undefined || kept === null) return;
      const { unique, whereHeld } = createPlan(group("g1", "b"));
      const back = { ...restorePlan(kept), unique, whereHeld: whereHeld ?? [] };
      expectEqual((await store.write(SCOPE, back)).kind, "duplicate", "restored");
    },
  },
  {
    rule: "connection-rules/filled",
    name: "the values of resources from before are taken step by step; where another holds one, both are named",
    run: async (open) => {
      const store = await open();
      const rules = rulesOf(store);
      if (rules === null) return;
      const names = ["a", "b", "c", "B", "d", "e"];
      for (const [n, name] of names.entries()) await create(store, `g${n}`, name);
      await createOther(store, "g7", "a");
      await create(store, "g8", "x");
      await store.write(SCOPE, deletePlan(await fetchOne(store, { type: "Group", id: "g8" })));
      const twice = { seen: 6, refused: 1, first: [{ id: "g3", body: { displayName: "B" }, holder: "g1" }] };
      expectEqual(await fill(rules), twice, "first time");
      expectEqual(await fill(rules), twice, "again");
      expectEqual(await create(store, "g9", "a"), "written", "no rule was begun");
      await store.write(SCOPE, deletePlan(await fetchOne(store, { type: "Group", id: "g9" })));
      expectEqual(await rename(store, "g3", "f"), "written", "another name");
      await rules.begin(RULE, "one");
      await rules.earlierWritesOver(RULE.tenant);
      expectEqual(await fill(rules), { seen: 6, refused: 0, first: [] }, "without duplicates");
      expectEqual(await rules.complete(RULE, "one"), true, "complete");
      expectEqual(await rules.state(RULE), { token: "one", complete: true }, "state");
      for (const name of ["a", "b", "C", "d", "e", "F"])
        expectEqual(await create(store, "g10", name), "duplicate", name);
      expectEqual(await create(store, "g10", "x"), "written", "that of a deleted one");
    },
  },
  {
    rule: "connection-rules/tokens",
    name: "who began a rule first neither completes nor ends what another took over",
    run: async (open) => {
      const store = await open();
      const rules = rulesOf(store);
      if (rules === null) return;
      await rules.begin(RULE, "one");
      await rules.begin(RULE, "two");
      expectEqual(await rules.complete(RULE, "one"), false, "completed by the first");
      await rules.end(RULE, "one");
      expectEqual(await rules.state(RULE), { token: "two", complete: false }, "state");
      expectEqual(await rules.complete(RULE, "two"), true, "completed by the second");
      await rules.end(RULE, "two");
      expectEqual(await rules.state(RULE), null, "ended");
      expectEqual(await rules.complete(RULE, "two"), false, "completed when it is ended");
      expectEqual(await create(store, "g1", "a"), "written", "first");
      expectEqual(await create(store, "g2", "a"), "written", "second");
    },
  },
  {
    rule: "connection-rules/imports",
    name: "resources that are written together break no rule: all of them are refused",
    run: async (open) => {
      const store = await open();
      const rules = rulesOf(store);
      if (rules === null || store.imports === undefined) return;
      const many = (from: number): readonly NewResource[] =>
        Array.from({ length: 20 }, (_, n) => group(`g${from + n}`, `name ${n}`));
      await seed(store, many(100));
      expectEqual(
        (await store.imports.writeAll(SCOPE, many(200).map(createPlan), null)).kind,
        "written",
        "before",
      );
      await rules.begin(RULE, "one");
      expectEqual(
        (await store.imports.writeAll(SCOPE, many(300).map(createPlan), null)).kind,
        "refused",
        "behind it",
      );
    },
  },
];
