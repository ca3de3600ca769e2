/**
 * What every store's audit log must do, as data without a test runner.
 * @module
 */
import { createModelCatalog } from "@scim/core";
import { assignAll, deletePlan, expectEqual, fetchOne, SCOPE, seed, updatePlan } from "@scim/core/testing";
import { createDefaultRegistry } from "@scim/schemas";
import { createAuditChain, type AuditChain } from "../audit/chain.ts";
import { signCheckpoint } from "../audit/checkpoint.ts";
import type { AuditStore } from "../audit/port.ts";
import type { AuditQuery } from "../audit/query.ts";
import { CHECKPOINT_MS, purgeAudit, signCheckpoints } from "../audit/upkeep.ts";
import type { AuditReport } from "../audit/chain-walk.ts";
import { verifyAudit } from "../audit/verify.ts";
import { type AuditedStore, type AuditRule, addUsers, hour, TENANT, upkeep } from "./audited-store.ts";
import { APART_RULES } from "./audit-tenants.ts";
import { FINDING_RULES } from "./finding-contract.ts";
import { SAMPLE_KEYS } from "./sample-keys.ts";

/** The chain that a store of the contract is opened with. */
export const SAMPLE_AUDIT: AuditChain = createAuditChain({
  ...SAMPLE_KEYS,
  newSecret: numbered(),
  catalog: createModelCatalog(createDefaultRegistry()),
});

/** Secrets that are no use outside tests. */
function numbered(): () => string {
  let made = 0;
  return () => `secret ${(made += 1)}`;
}

async function verified({ audit: kept, events }: AuditedStore, since?: number): Promise<AuditReport> {
  // Who reads page by page would never come to an end.
  const read: AuditStore["read"] = async (tenant, page) => {
    const entries = await kept.read(tenant, page);
    expectEqual(
      entries.filter(({ position }) => position <= page.after).length,
      0,
      "at the position or before it",
    );
    return entries;
  };
  const audit: Pick<AuditStore, "read" | "checkpoints" | "checkpointAt"> = {
    read,
    checkpoints: (tenant, from, limit) => kept.checkpoints(tenant, from, limit),
    checkpointAt: (tenant, position) => kept.checkpointAt(tenant, position),
  };
  const report = await verifyAudit(TENANT, { ...SAMPLE_KEYS, audit, events, since });
  expectEqual(report.faults, [], "faults");
  return report;
}

/**
 * The contract of a store's audit log.
 *
 * @example
 * for (const { rule, name, run } of AUDIT_CONTRACT) {
 *   test(`${rule}: ${name}`, () => run(() => openStore({ audit: SAMPLE_AUDIT })));
 * }
 */
export const AUDIT_CONTRACT: readonly AuditRule[] = [
  {
    rule: "audit/linked",
    name: "each event has an entry as soon as it has a position, and the chain holds",
    run: async (open) => {
      const store = await open();
      expectEqual(await store.audit.end(TENANT), null, "before");
      await addUsers(store, 1, 3);
      await seed(store.resources, [{ type: "User", id: "x", body: { userName: "x" } }], {
        ...SCOPE,
        tenant: "south",
      });
      await assignAll(store, 1);
      await addUsers(store, 4, 4);
      const entries = await store.audit.read(TENANT, { after: 0, limit: 10 });
      expectEqual(
        entries.map(({ position, at, type, id }) => [position, at, type, id]),
        [1, 2, 3, 4].map((n) => [n, hour(n), "User", `u${n}`]),
        "entries",
      );
      const report = await verified(store);
      expectEqual([report.entries, report.first, report.last], [4, 1, 4], "report");
      expectEqual(await store.audit.end(TENANT), { position: 4, hash: report.hash }, "end");
      const { audit, events } = store;
      expectEqual((await verifyAudit("south", { ...SAMPLE_KEYS, audit, events })).entries, 1, "south");
      expectEqual(await store.audit.tenants("", 10), [TENANT, "south"], "tenants");
      expectEqual(await store.audit.tenants(TENANT, 10), ["south"], "tenants behind one");
    },
  },
  {
    rule: "audit/pages",
    name: "entries are read behind a position, and those of one resource are found alone",
    run: async (open) => {
      const store = await open();
      await addUsers(store, 1, 2);
      const target = { type: "User", id: "u1" } as const;
      const stored = await fetchOne(store.resources, target);
      await store.resources.write(SCOPE, updatePlan(stored, { body: { userName: "anna" } }));
      const changed = await fetchOne(store.resources, target);
      await store.resources.write(SCOPE, deletePlan(changed));
      await assignAll(store, 2);
      const positions = async (page: Parameters<AuditStore["read"]>[1]): Promise<readonly number[]> =>
        (await store.audit.read(TENANT, page)).map(({ position }) => position);
      expectEqual(await positions({ after: 1, limit: 2 }), [2, 3], "page");
      expectEqual(await positions({ after: 4, limit: 2 }), [], "behind the last");
      const found = async (query: AuditQuery): Promise<readonly unknown[]> => {
        const { entries, next, more } = await store.audit.find(TENANT, query);
        return [entries.map(({ position }) => position), next, more];
      };
      expectEqual(await found({ after: 0, limit: 9, ...target }), [[1, 3, 4], 4, false], "of a resource");
      expectEqual(await found({ after: 1, limit: 1, ...target }), [[3], 3, true], "its page");
      expectEqual(await found({ after: 0, limit: 9, type: "User" }), [[1, 2, 3, 4], 4, false], "of a type");
      expectEqual(await found({ after: 0, limit: 9, type: "Use" }), [[], 0, false], "of no type");
      expectEqual(await found({ after: 4, limit: 9 }), [[], 4, false], "behind all");
    },
  },
  {
    rule: "audit/checkpoints",
    name: "a checkpoint is signed each hour in which the chain grew, and found by position",
    run: async (open) => {
      const store = await open();
      await addUsers(store, 1, 2);
      expectEqual(await signCheckpoints(upkeep(store, 3)), 1, "first");
      expectEqual(await signCheckpoints(upkeep(store, 5)), 0, "nothing new");
      await addUsers(store, 3, 4);
      expectEqual(await signCheckpoints(upkeep(store, 3.5)), 0, "too early");
      expectEqual(
        await signCheckpoints(upkeep(store, 2.5)),
        0,
        "too early where the clock went back a little",
      );
      expectEqual(await signCheckpoints(upkeep(store, 6)), 1, "second");
      const all = await store.audit.checkpoints(TENANT, 0, 10);
      expectEqual(
        all.map(({ position, at, key }) => [position, at, key]),
        [
          [2, hour(3), "k2"],
          [4, hour(6), "k2"],
        ],
        "checkpoints",
      );
      const at = async (position: number) => (await store.audit.checkpointAt(TENANT, position))?.position;
      expectEqual([await at(1), await at(2), await at(3), await at(9)], [undefined, 2, 2, 4], "at");
      expectEqual((await store.audit.checkpoints(TENANT, 3, 10)).length, 1, "from a position on");
      expectEqual((await verified(store)).checkpoints, 2, "checked");
      expectEqual((await verified(store, 3)).first, 3, "from a checkpoint on");
      const [first] = all;
      const other = signCheckpoint(SAMPLE_KEYS, TENANT, { position: 2, hash: "other", at: hour(9) });
      await store.audit.addCheckpoint(TENANT, other);
      expectEqual((await store.audit.checkpoints(TENANT, 0, 1))[0], first, "the first of a position stays");
      await addUsers(store, 5, 6);
      expectEqual(await signCheckpoints(upkeep(store, 2)), 1, "the clock went back");
    },
  },
  {
    rule: "audit/purge",
    name: "old entries go from the beginning on; a checkpoint stands for them, and the chain goes on",
    run: async (open) => {
      const store = await open();
      await addUsers(store, 1, 5);
      await signCheckpoints(upkeep(store, 5));
      const keep = CHECKPOINT_MS;
      const purge = (hours: number): Promise<number> =>
        purgeAudit({ ...upkeep(store, hours), keep, batch: 2 });
      expectEqual(await purge(1.5), 0, "nothing is old enough");
      expectEqual(await purge(4.5), 3, "removed");
      const report = await verified(store);
      expectEqual([report.first, report.last, report.behind], [4, 5, { position: 3, at: hour(4.5) }], "kept");
      expectEqual(await purge(99), 2, "all");
      const empty = await verified(store);
      expectEqual([empty.entries, empty.behind?.position], [0, 5], "nothing is kept");
      await addUsers(store, 6, 7);
      const later = await verified(store);
      expectEqual([later.first, later.last, later.behind?.position], [6, 7, 5], "what came later");
    },
  },
  {
    rule: "audit/purge-ahead",
    name: "entries of a clock that was ahead hold up none behind them, and the chain goes on",
    run: async (open) => {
      const store = await open();
      await addUsers(store, 1, 1);
      const ids = ["v1", "v2", "v3"];
      await seed(
        store.resources,
        ids.map((id) => ({ type: "User", id, body: { userName: id }, at: hour(401 * 24) })),
      );
      await assignAll(store, ids.length);
      await addUsers(store, 2, 4);
      const purge = (hours: number): Promise<number> =>
        purgeAudit({ ...upkeep(store, hours), keep: CHECKPOINT_MS, batch: 2 });
      expectEqual(await purge(2.5), 1, "those ahead stay as long as what is behind them");
      expectEqual(await purge(3.5), 4, "and go with it");
      const report = await verified(store);
      expectEqual([report.first, report.last, report.behind?.position], [6, 7, 5], "kept");
      expectEqual(await purge(99), 2, "all");
      expectEqual((await verified(store)).behind?.position, 7, "nothing is kept");
    },
  },
  {
    rule: "audit/events-go",
    name: "entries stay where events go",
    run: async (open) => {
      const store = await open();
      await addUsers(store, 1, 3);
      expectEqual(await store.events.purge(hour(99), 100), 3, "events");
      await addUsers(store, 4, 4);
      expectEqual((await verified(store)).entries, 4, "entries");
    },
  },
  ...FINDING_RULES,
  ...APART_RULES,
];
