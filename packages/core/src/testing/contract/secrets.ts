/**
 * Rules of the hashes of secrets: written with the resource or not at all, and gone with it. A store without `secrets`
 * keeps nothing that they are about.
 * @module
 */
import type { SecretChange } from "../../secrets/secret-sink.ts";
import type { ResourceStore } from "../../store/port.ts";
import { expectEqual } from "./expect.ts";
import { rulesOfStoresWith, type ResourceStoreRule, type StoreWith } from "./rule.ts";
import {
  createPlan,
  deletePlan,
  fetchOne,
  NOTHING,
  restorePlan,
  SCOPE,
  updatePlan,
  type NewResource,
} from "./sample.ts";

const ANNA = { type: "User", id: "u1", body: { userName: "anna" } } as const;
const BERT = { type: "User", id: "u2", body: { userName: "bert" } } as const;
const SOUTH = { tenant: "south", connection: "second" };

const FIRST = "$test$c2FsdA$Zmlyc3Q";
const SECOND = "$test$c2FsdA$c2Vjb25k";

const keeping = rulesOfStoresWith("secrets", "secret");

/** The hashes of a resource, as paths with hashes. */
async function hashesOf(
  store: StoreWith<"secrets">,
  target: Pick<NewResource, "type" | "id">,
  scope = SCOPE,
): Promise<string> {
  const found = ["password", "pin"].map(async (path) => store.secrets.find(scope, { ...target, path }));
  return JSON.stringify(await Promise.all(found));
}

const none = JSON.stringify([null, null]);
const first = JSON.stringify([FIRST, null]);

function password(hash: string | null): readonly SecretChange[] {
  return [{ path: "password", hash }];
}

async function create(store: ResourceStore, resource: NewResource): Promise<void> {
  await store.write(SCOPE, { ...createPlan(resource), secrets: password(FIRST) });
}

/** Changes a resource with and without a new body. */
async function update(
  store: ResourceStore,
  change: { readonly secrets?: readonly SecretChange[]; readonly displayName?: string },
): Promise<void> {
  const { secrets, displayName } = change;
  const body = displayName === undefined ? {} : { body: { ...ANNA.body, displayName } };
  const plan = updatePlan(await fetchOne(store, ANNA), body);
  const { kind } = await store.write(SCOPE, secrets === undefined ? plan : { ...plan, secrets });
  expectEqual(kind, "written", "change");
}

export const SECRET_RULES: readonly ResourceStoreRule[] = [
  keeping(
    "change",
    "a hash is written, replaced and removed by path, and stays where no change names it",
    async (store) => {
      await create(store, ANNA);
      await store.write(SCOPE, createPlan(BERT));
      expectEqual(await hashesOf(store, ANNA), first, "created with one");
      expectEqual(await hashesOf(store, BERT), none, "created without");
      await update(store, { displayName: "Anna" });
      expectEqual(await hashesOf(store, ANNA), first, "a change that names none");
      await update(store, { secrets: [...password(SECOND), { path: "pin", hash: FIRST }] });
      expectEqual(await hashesOf(store, ANNA), JSON.stringify([SECOND, FIRST]), "replaced");
      await update(store, { secrets: password(null), displayName: "A." });
      expectEqual(await hashesOf(store, ANNA), JSON.stringify([null, FIRST]), "removed");
      await update(store, { secrets: password(null) });
      expectEqual(await hashesOf(store, ANNA), JSON.stringify([null, FIRST]), "removed once more");
      expectEqual(await hashesOf(store, BERT), none, "of another");
    },
  ),
  keeping("refused", "what is refused or only tried out leaves no hash, and changes none", async (store) => {
    await create(store, ANNA);
    const stale = updatePlan({ ...(await fetchOne(store, ANNA)), version: "1-stale" }, {});
    await store.write(SCOPE, { ...stale, secrets: password(SECOND) });
    expectEqual(await hashesOf(store, ANNA), first, "an outdated change");
    const tried = updatePlan(await fetchOne(store, ANNA), {});
    await store.preview(SCOPE, { ...tried, secrets: password(SECOND) });
    expectEqual(await hashesOf(store, ANNA), first, "a change that is tried out");
    const namesake = { ...BERT, body: ANNA.body };
    await store.write(SCOPE, { ...createPlan(namesake), secrets: password(SECOND) });
    expectEqual(await hashesOf(store, BERT), none, "a creation that clashes");
    await store.preview(SCOPE, { ...createPlan(BERT), secrets: password(SECOND) });
    expectEqual(await hashesOf(store, BERT), none, "a creation that is tried out");
    await store.write(SCOPE, createPlan(BERT));
    expectEqual(await hashesOf(store, BERT), none, "created after that");
  }),
  keeping(
    "deleted",
    "a deletion takes the hashes at once, and a restoration brings none back",
    async (store) => {
      await create(store, ANNA);
      await create(store, BERT);
      await store.write(SCOPE, deletePlan(await fetchOne(store, ANNA)));
      expectEqual(await hashesOf(store, ANNA), none, "deleted");
      const kept = (await store.deleted?.read(SCOPE, ANNA)) ?? null;
      if (kept !== null) {
        await store.write(SCOPE, restorePlan(kept));
        expectEqual(await hashesOf(store, ANNA), none, "restored");
      }
      expectEqual(await hashesOf(store, BERT), first, "of another");
    },
  ),
  keeping("many", "resources that are written together have the hashes that they bring", async (store) => {
    const ids = Array.from({ length: 40 }, (_, index) => `many-${String(index)}`);
    const plans = ids.map((id) => ({
      ...createPlan({ type: "User", id, body: { userName: id } }),
      secrets: password(`${FIRST}${id}`),
    }));
    if (store.imports === undefined) for (const plan of plans) await store.write(SCOPE, plan);
    else await store.imports.writeAll(SCOPE, plans, null);
    for (const id of ids) {
      const expected = JSON.stringify([`${FIRST}${id}`, null]);
      expectEqual(await hashesOf(store, { type: "User", id }), expected, id);
    }
  }),
  keeping(
    "of-whom",
    "a hash belongs to one resource of one type and tenant, and is in no answer",
    async (store) => {
      await create(store, ANNA);
      expectEqual(await hashesOf(store, { type: "Group", id: ANNA.id }), none, "another type");
      expectEqual(await hashesOf(store, ANNA, SOUTH), none, "another tenant");
      const shown = JSON.stringify([
        await store.read(SCOPE, ANNA, NOTHING),
        (await store.readText?.(SCOPE, ANNA, NOTHING)) ?? null,
        await store.readMany(SCOPE, { type: "User", ids: [ANNA.id] }, NOTHING),
      ]);
      expectEqual(shown.includes(FIRST), false, "in an answer");
    },
  ),
];
