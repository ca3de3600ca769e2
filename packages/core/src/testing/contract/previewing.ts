/**
 * Rules of previews: the answer of a write, and nothing kept.
 * @module
 */
import type { ResourceStore, StorePage } from "../../store/port.ts";
import type { StoredResource } from "../../store/stored-resource.ts";
import type { WritePlan } from "../../store/write-plan.ts";
import { ContractViolation, expectEqual } from "./expect.ts";
import { indexPage } from "./query-check.ts";
import type { ResourceStoreRule } from "./rule.ts";
import {
  adding,
  AT,
  createPlan,
  deletePlan,
  fetchOne,
  MEMBERS,
  NOTHING,
  removing,
  SCOPE,
  seed,
  updatePlan,
} from "./sample.ts";

const ANNA = { type: "User", id: "u1", body: { userName: "anna" } } as const;
const BERT = { type: "User", id: "u2", body: { userName: "bert" } } as const;
const TEAM = { type: "Group", id: "g1", body: { displayName: "Team" }, members: ["u1", "u2"] } as const;

/** What a store holds of the sample. */
interface Sample {
  readonly store: ResourceStore;
  readonly anna: StoredResource;
  readonly team: StoredResource;
}

async function sampled(open: () => Promise<ResourceStore>): Promise<Sample> {
  const store = await open();
  await seed(store, [ANNA, BERT, TEAM]);
  return { store, anna: await fetchOne(store, ANNA), team: await fetchOne(store, TEAM, MEMBERS) };
}

/** A plan of every kind and every fate. */
const PLANS: Readonly<Record<string, (sample: Sample) => WritePlan>> = {
  create: () =>
    createPlan({ type: "Group", id: "g2", body: { displayName: "New" }, members: ["u1", "u2"], at: AT }),
  "create with a taken id": () => createPlan({ ...ANNA, body: { userName: "other" } }),
  "create with a taken value": () => createPlan({ ...ANNA, id: "u3" }),
  update: ({ anna }) => updatePlan(anna, { body: { userName: "anna2", title: "Dr" } }),
  "update of references": ({ team }) => updatePlan(team, { collections: [removing("u1"), adding("u3")] }),
  "update to a taken value": ({ anna }) => updatePlan(anna, { body: BERT.body }),
  "update of another version": ({ anna }) => ({
    ...updatePlan(anna, { body: ANNA.body }),
    expectedVersion: "no such version",
  }),
  "update of nobody": ({ anna }) => updatePlan({ ...anna, id: "nobody" }, { body: ANNA.body }),
  delete: ({ team }) => deletePlan(team),
  "delete of another version": ({ team }) => deletePlan({ ...team, version: "no such version" }),
};

/** Everything that a client could see of the sample. */
async function seen(store: ResourceStore): Promise<unknown> {
  const pages: StorePage[] = [];
  for (const type of ["User", "Group"]) {
    const select = type === "Group" ? MEMBERS : NOTHING;
    const answer = await store.query(SCOPE, {
      type,
      filter: null,
      sort: null,
      page: indexPage(0, 10),
      select,
    });
    if (answer.kind !== "page") throw new ContractViolation(`all of ${type}`, answer.kind, "page");
    pages.push(answer);
  }
  return pages;
}

export const PREVIEWING_RULES: readonly ResourceStoreRule[] = [
  ...Object.entries(PLANS).map(([name, planOf]): ResourceStoreRule => ({
    rule: "preview/keeps-nothing",
    name: `a preview answers as the write that follows it, and leaves no trace: ${name}`,
    run: async (open) => {
      const sample = await sampled(open);
      const before = await seen(sample.store);
      const plan = planOf(sample);
      const first = await sample.store.preview(SCOPE, plan);
      expectEqual(await sample.store.preview(SCOPE, plan), first, "a second preview");
      expectEqual(await seen(sample.store), before, "the store after the previews");
      expectEqual(await sample.store.write(SCOPE, plan), first, "the write");
    },
  })),
  {
    rule: "preview/beside-writes",
    name: "writes that run at the same time do not notice previews, and previews see those before them",
    run: async (open) => {
      const { store } = await sampled(open);
      const user = (id: string, userName: string): WritePlan =>
        createPlan({ type: "User", id, body: { userName } });
      const [, carl, , dora] = await Promise.all([
        store.preview(SCOPE, user("u3", "carl")),
        store.write(SCOPE, user("u4", "carl")),
        store.preview(SCOPE, user("u5", "carl")),
        store.write(SCOPE, user("u5", "dora")),
        store.preview(SCOPE, user("u5", "emil")),
      ]);
      expectEqual([carl.kind, dora.kind], ["written", "written"], "writes");
      // Which of those that run at the same time comes first is the store's choice; what is done is seen.
      const held = await store.preview(SCOPE, user("u6", "carl"));
      const taken = await store.preview(SCOPE, user("u5", "emil"));
      expectEqual([held.kind, taken.kind], ["duplicate", "exists"], "previews behind them");
      expectEqual((await fetchOne(store, { type: "User", id: "u5" })).body, { userName: "dora" }, "u5");
      expectEqual(await store.read(SCOPE, { type: "User", id: "u3" }, NOTHING), null, "u3");
    },
  },
  {
    rule: "preview/tenants",
    name: "a preview sees its own tenant alone",
    run: async (open) => {
      const { store } = await sampled(open);
      const south = { ...SCOPE, tenant: "south" };
      const plan = createPlan(ANNA);
      expectEqual((await store.preview(south, plan)).kind, "written", "the same resource in another tenant");
      expectEqual(await store.preview(SCOPE, plan), { kind: "exists" }, "in its own");
    },
  },
];
