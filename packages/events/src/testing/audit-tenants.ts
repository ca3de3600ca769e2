/**
 * What audit logs hold of each tenant, and of each resource, apart.
 * @module
 */
import {
  assignAll,
  ContractViolation,
  expectEqual,
  NOTHING,
  SCOPE,
  seed,
  updatePlan,
} from "@scim/core/testing";
import { type ChainedEntry, statedEntry } from "../audit/entry.ts";
import type { AuditPurge, AuditStore } from "../audit/port.ts";
import { signCheckpoints } from "../audit/upkeep.ts";
import { signRemoval } from "../audit/checkpoint.ts";
import { type AuditedStore, type AuditRule, hour, placeUpTo, TENANT, upkeep } from "./audited-store.ts";
import { SAMPLE_KEYS } from "./sample-keys.ts";

const OTHER = "south";
const BODY = { displayName: "Same" };

interface Named {
  readonly tenant: string;
  readonly type?: "User" | "Group";
  readonly id: string;
}

/** A new resource, an hour after the one before. */
async function add(store: AuditedStore, { tenant, type = "User", id }: Named, hours: number): Promise<void> {
  await seed(store.resources, [{ type, id, body: BODY, at: hour(hours) }], { ...SCOPE, tenant });
  await assignAll(store, 1);
}

/** Takes the name of a resource away and gives it again. Resolves to what stands for it in the log. */
export async function pseudonym(
  store: AuditedStore,
  { tenant, type = "User", id }: Named,
  hours: number,
): Promise<string> {
  const scope = { ...SCOPE, tenant };
  for (const named of [{}, BODY]) {
    const stored = await store.resources.read(scope, { type, id }, NOTHING);
    if (stored === null) throw new ContractViolation(`reading ${id}`, null, "a resource");
    const unnamed = Object.entries(stored.body).filter(([name]) => name !== "displayName");
    const body = { ...Object.fromEntries(unnamed), ...named };
    await store.resources.write(scope, updatePlan(stored, { body, at: hour(hours) }));
  }
  await placeUpTo(store, { tenant, type, id });
  const { entries } = await store.audit.find(tenant, { after: 0, limit: 100, type, id });
  const [change] = statedEntry(lastOf(entries))?.changes ?? [];
  return JSON.stringify(change?.after ?? null);
}

function lastOf(entries: readonly ChainedEntry[]): ChainedEntry {
  const last = entries.at(-1);
  if (last === undefined) throw new ContractViolation("entries of a resource", [], "some");
  return last;
}

function purgeOf(of: Pick<AuditPurge, "before" | "limit">): AuditPurge {
  const at = hour(9);
  return { ...of, present: at, sign: (tenant, end) => signRemoval(SAMPLE_KEYS, tenant, { ...end, at }) };
}

async function positionsOf({ audit }: AuditedStore, tenant: string): Promise<readonly unknown[]> {
  const entries = await audit.read(tenant, { after: 0, limit: 100 });
  const checkpoints = await audit.checkpoints(tenant, 0, 100);
  return [entries, checkpoints].map((all) => all.map(({ position }: { position: number }) => position));
}

/** Rules of logs beside each other. */
export const APART_RULES: readonly AuditRule[] = [
  {
    rule: "audit/tenants",
    name: "checkpoints and removals are of one tenant; so many entries go as may, and none of the instant itself",
    run: async (open) => {
      const store = await open();
      const { audit } = store;
      for (const tenant of [TENANT, OTHER])
        for (let n = 1; n <= 4; n += 1) await add(store, { tenant, id: `u${n}` }, n);
      expectEqual(await signCheckpoints(upkeep(store, 5)), 2, "one of each");
      await add(store, { tenant: TENANT, id: "u5" }, 5);
      await signCheckpoints(upkeep(store, 7));
      expectEqual(
        await positionsOf(store, TENANT),
        [
          [1, 2, 3, 4, 5],
          [4, 5],
        ],
        "of one tenant",
      );
      expectEqual(await positionsOf(store, OTHER), [[1, 2, 3, 4], [4]], "of the other");
      expectEqual((await audit.checkpointAt(OTHER, 9))?.position, 4, "the last of the other");
      const paged = await audit.checkpoints(TENANT, 4, 1);
      expectEqual(
        paged.map(({ position }) => position),
        [4],
        "a page of checkpoints, its position too",
      );
      const early = signRemoval(SAMPLE_KEYS, OTHER, { position: 1, hash: "one", at: hour(2) });
      await audit.addCheckpoint(OTHER, early);
      const before = async (tenant: string): Promise<string> => hour(tenant === TENANT ? 3 : 0);
      expectEqual(await audit.purge(purgeOf({ before, limit: 9 })), 2, "what is from before the instant");
      expectEqual(
        await positionsOf(store, TENANT),
        [
          [3, 4, 5],
          [2, 4, 5],
        ],
        "kept, and what stands for the rest",
      );
      expectEqual(
        await positionsOf(store, OTHER),
        [
          [1, 2, 3, 4],
          [1, 4],
        ],
        "not of the other",
      );
      expectEqual(await audit.purge(purgeOf({ before: hour(9), limit: 4 })), 4, "so many over all tenants");
      const left = await Promise.all(
        [TENANT, OTHER].map((tenant) => audit.read(tenant, { after: 0, limit: 9 })),
      );
      expectEqual(left.flat().length, 3, "left");
      expectEqual(await audit.catchUp(TENANT, 9), 0, "nothing lacks its entry");
    },
  },
  {
    rule: "audit/tenants-that-fail",
    name: "a tenant whose log cannot be seen to holds up no checkpoint of another, and is told of",
    run: async (open) => {
      const store = await open();
      for (const tenant of [TENANT, OTHER]) await add(store, { tenant, id: "u1" }, 1);
      const [failing, other] = [TENANT, OTHER].toSorted();
      if (failing === undefined || other === undefined) throw new TypeError("There are two tenants");
      const failure = new Error("no such document");
      const catchUp: AuditStore["catchUp"] = async (tenant, limit) => {
        if (tenant === failing) throw failure;
        return store.audit.catchUp(tenant, limit);
      };
      const audit: AuditStore = { ...store.audit, catchUp };
      const told = await signCheckpoints({ ...upkeep(store, 5), audit }).catch((error: unknown) => error);
      expectEqual(told === failure, true, "the failure is told");
      expectEqual(await positionsOf(store, other), [[1], [1]], "signed");
      expectEqual(await positionsOf(store, failing), [[1], []], "not signed");
    },
  },
  {
    rule: "audit/secrets",
    name: "values are hashed under a secret of their resource alone, which goes with the last of its entries",
    run: async (open) => {
      const store = await open();
      const named: readonly Named[] = [
        { tenant: TENANT, id: "x" },
        { tenant: TENANT, type: "Group", id: "x" },
        { tenant: TENANT, id: "y" },
        { tenant: OTHER, id: "x" },
        { tenant: OTHER, id: "y" },
      ];
      for (const each of named) await add(store, each, 1);
      const told = async (hours: number): Promise<readonly string[]> => {
        const all: string[] = [];
        for (const each of named) all.push(await pseudonym(store, each, hours));
        return all;
      };
      const [first, again] = [await told(2), await told(2)];
      expectEqual(new Set(first).size, named.length, "different secrets");
      expectEqual(again, first, "the same of each resource");
      const [x] = named;
      if (x === undefined) throw new TypeError("There are names");
      await pseudonym(store, x, 5);
      const before = async (tenant: string): Promise<string> => hour(tenant === TENANT ? 4 : 0);
      await store.audit.purge(purgeOf({ before, limit: 100 }));
      const later = await told(6);
      expectEqual(
        later.map((hash, index) => hash === first[index]),
        [true, false, false, true, true],
        "kept with entries that are left, and in another tenant",
      );
    },
  },
];
