import { createPlan, fetchOne, SCOPE, seed, updatePlan } from "@scim/core/testing";
import {
  type AuditChain,
  type AuditStore,
  type ChainedEntry,
  type ErasureStore,
  signCheckpoints,
  signRemoval,
  statedEntry,
  TenantHeldUp,
  verifyAudit,
} from "@scim/events";
import {
  AUDIT_CONTRACT,
  ERASURE_CONTRACT,
  type ErasingStore,
  SAMPLE_AUDIT,
  SAMPLE_KEYS,
} from "@scim/events/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Store } from "../src/store.ts";
import { emptyDatabase, openPostgresAt } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";

/** What a verification reads. */
type Look = "read" | "checkpoints" | "checkpointAt";

type Open = (audited: boolean, audit?: AuditChain) => Promise<Store>;

/** Opens stores on one new database. */
const DATABASES: readonly (readonly [string, () => Promise<Open>])[] = [
  [
    "SQLite",
    async () => {
      const path = newFile();
      return (audited, audit = SAMPLE_AUDIT) => open(path, audited ? { audit } : {});
    },
  ],
  [
    "PostgreSQL",
    async () => {
      const url = await emptyDatabase();
      return (audited, audit = SAMPLE_AUDIT) => openPostgresAt(url, audited ? { audit } : {});
    },
  ],
];

async function add(store: Store, ids: readonly string[]): Promise<void> {
  for (const id of ids) await seed(store.resources, [{ type: "User", id, body: { userName: id } }]);
}

async function place(store: Store, count: number): Promise<void> {
  let given = 0;
  while (given < count) given += await store.events.assign(count);
}

describe.each(DATABASES)("%s", (_name, newDatabase) => {
  test.each(AUDIT_CONTRACT)("$rule: $name", async ({ run }) => {
    const openStore = await newDatabase();
    await expect(run(() => openStore(true))).resolves.toBeUndefined();
  });

  test("resources that have come to equal versions by chance have entries of their own", async () => {
    const store = await (await newDatabase())(true);
    for (const id of ["u1", "u2"]) {
      const plan = createPlan({ type: "User", id, body: { userName: id, active: id === "u1" } });
      await store.resources.write(SCOPE, { ...plan, nonce: "chance" });
    }
    await place(store, 2);
    const entries = (await store.audit.read(SCOPE.tenant, { after: 0, limit: 9 })).map(statedEntry);
    expect(entries.map((entry) => [entry?.id, entry?.changes.find(({ path }) => path === "active")])).toEqual(
      [
        ["u1", { path: "active", after: { value: true } }],
        ["u2", { path: "active", after: { value: false } }],
      ],
    );
  });

  test.each(ERASURE_CONTRACT)("$rule: $name", async ({ run }) => {
    const openStore = await newDatabase();
    await expect(run(() => openStore(true))).resolves.toBeUndefined();
  });

  test.each(ERASURE_CONTRACT.filter(({ rule }) => /half-way|unended/.test(rule)))(
    "$rule holds where erasures are a class",
    async ({ run }) => {
      const openStore = await newDatabase();
      const ofClass = async (): Promise<ErasingStore> => {
        const { resources, events, audit, erasures } = await openStore(true);
        // Its calls stand in its prototype, as those of a class do.
        return { resources, events, audit, erasures: Object.create(erasures) as ErasureStore };
      };
      await expect(run(ofClass)).resolves.toBeUndefined();
    },
  );

  test.each(["prepare", "link"] as const)(
    "a tenant that fails to %s is told of, holds up no other, and is tried again in five seconds",
    async (failing) => {
      const openStore = await newDatabase();
      const cause = new Error("no such document");
      let fails = true;
      const failOf = (step: typeof failing, tenant: string): void => {
        if (step === failing && tenant === "apart" && fails) throw cause;
      };
      const { resources, events } = await openStore(true, {
        ...SAMPLE_AUDIT,
        prepare: async (tenant) => failOf("prepare", tenant),
        link: (tenant, ...given) => {
          failOf("link", tenant);
          return SAMPLE_AUDIT.link(tenant, ...given);
        },
      });
      const write = (tenant: string, id: string) =>
        resources.write({ ...SCOPE, tenant }, createPlan({ type: "User", id, body: { userName: id } }));
      await write("apart", "u1");
      // Transactions that others have open on the same server may hold positions up.
      const told = (): Promise<unknown> => events.assign(10).catch((error: unknown) => error);
      await expect.poll(told).toEqual(new TenantHeldUp("apart", cause));
      await write("beside", "u2");
      const placed = async (tenant: string): Promise<number> => {
        await events.assign(10);
        return events.head(tenant);
      };
      await expect.poll(() => placed("beside")).toBe(1);
      expect(await events.head("apart")).toBe(0);
      fails = false;
      const later = performance.now() + 5000;
      const now = vi.spyOn(performance, "now").mockImplementation(() => later);
      onTestFinished(() => now.mockRestore());
      await expect.poll(() => placed("apart")).toBe(1);
    },
  );

  test("an entry tells what the row of its event holds, whatever this process wrote at its place before", async () => {
    const openStore = await newDatabase();
    const [one, other] = [await openStore(true), await openStore(true)];
    await add(one, ["u1"]);
    await place(other, 1);
    while ((await other.tenants.removeRows(SCOPE.tenant, 100)) > 0);
    await add(other, ["u2"]);
    await place(one, 1);
    const entries = await one.audit.read(SCOPE.tenant, { after: 0, limit: 9 });
    const [event] = await one.events.read(SCOPE.tenant, { after: 0, limit: 9 });
    expect(entries.map(statedEntry)).toMatchObject([{ id: "u2", version: { after: event?.version } }]);
  });

  test("entries tell the same of what this process wrote and of what another one did", async () => {
    const openStore = await newDatabase();
    const [one, other] = [await openStore(true), await openStore(true)];
    for (const [index, store] of [one, other, one, one, other, one].entries()) {
      const target = { type: "User", id: `u${index % 3}` } as const;
      if (index < 3) await add(store, [target.id]);
      else {
        const body = { userName: target.id, title: `title ${index}`, active: true };
        await store.resources.write(SCOPE, updatePlan(await fetchOne(store.resources, target), { body }));
      }
    }
    await place(one, 6);
    const page = { after: 0, limit: 9 };
    const secretOf = (): string => SAMPLE_AUDIT.newSecret();
    const told = SAMPLE_AUDIT.link(
      SCOPE.tenant,
      { previous: null, secretOf },
      await one.events.read(SCOPE.tenant, page),
    );
    const stated = (entries: readonly ChainedEntry[]): string =>
      JSON.stringify(entries.map(statedEntry)).replaceAll(/"hash":"[^"]*"/g, '"hash":"…"');
    expect(stated(await one.audit.read(SCOPE.tenant, page))).toBe(stated(told));
    expect(told).toHaveLength(6);
  });

  /** Every look that a verification takes at a log, some of which something happens behind. */
  function lookedAt(store: Store, happens: (looks: number) => Promise<void>): Pick<AuditStore, Look> {
    const { audit } = store;
    let looks = 0;
    const behind = async <Result>(look: Promise<Result>): Promise<Result> => {
      const found = await look;
      await happens((looks += 1));
      return found;
    };
    return {
      // Pages may be shorter than they were asked for.
      read: (tenant, { after, limit }) => behind(audit.read(tenant, { after, limit: Math.min(limit, 2) })),
      checkpoints: (...page) => behind(audit.checkpoints(...page)),
      checkpointAt: (...asked) => behind(audit.checkpointAt(...asked)),
    };
  }

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    "what goes by retention behind look %i of a verification is no fault",
    async (at) => {
      const store = await (await newDatabase())(true);
      await add(store, ["u1", "u2", "u3", "u4", "u5", "u6"]);
      await place(store, 6);
      const purge = (limit: number): Promise<number> =>
        store.audit.purge({
          before: "2099-01-01T00:00:00.000Z",
          present: "2099-01-01T00:00:00.000Z",
          limit,
          sign: (tenant, end) => signRemoval(SAMPLE_KEYS, tenant, { ...end, at: "2099-01-01T00:00:00.000Z" }),
        });
      await purge(1);
      const audit = lookedAt(store, async (looks) => void (looks === at && (await purge(3))));
      const { faults, last } = await verifyAudit(SCOPE.tenant, {
        ...SAMPLE_KEYS,
        events: store.events,
        audit,
      });
      expect({ faults, last }).toEqual({ faults: [], last: 6 });
      const since = lookedAt(store, async (looks) => void (looks === at && (await purge(1))));
      const from = { ...SAMPLE_KEYS, events: store.events, audit: since, since: 4 };
      expect((await verifyAudit(SCOPE.tenant, from)).faults).toEqual([]);
    },
  );

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    "what comes and is signed behind look %i of a verification is no fault",
    async (at) => {
      const store = await (await newDatabase())(true);
      await add(store, ["u1", "u2", "u3"]);
      await place(store, 3);
      const audit = lookedAt(store, async (looks) => {
        if (looks !== at) return;
        await add(store, ["u4"]);
        await place(store, 1);
        const now = (): number => Date.parse("2099-01-01T00:00:00.000Z");
        await signCheckpoints({ ...SAMPLE_KEYS, audit: store.audit, now, isStopped: () => false });
      });
      const { faults } = await verifyAudit(SCOPE.tenant, { ...SAMPLE_KEYS, events: store.events, audit });
      expect(faults).toEqual([]);
    },
  );

  test("what a program without an audit log gave positions to is linked before what comes next", async () => {
    const openStore = await newDatabase();
    const [old, present] = [await openStore(false), await openStore(true)];
    const { audit, events } = present;
    const verified = async (): Promise<readonly unknown[]> => {
      const { entries, faults } = await verifyAudit(SCOPE.tenant, { ...SAMPLE_KEYS, audit, events });
      return [entries, ...faults.map(({ kind, position }) => `${kind} from ${position} on`)];
    };
    await add(old, ["before"]);
    await place(old, 1);
    expect(await present.audit.catchUp(SCOPE.tenant, 100), "the chain has not begun").toBe(0);

    await add(present, ["u1", "u2"]);
    await place(present, 2);
    await add(old, ["u3", "u4"]);
    await place(old, 2);
    expect(await verified()).toEqual([2, "removed from 4 on"]);
    expect(await present.events.purge("2099-01-01T00:00:00.000Z", 100), "not what has no entry").toBe(3);

    await add(old, ["u5"]);
    await place(present, 1);
    expect(await verified()).toEqual([5]);
    await add(old, ["u6"]);
    await place(old, 1);
    expect(await present.audit.catchUp(SCOPE.tenant, 100)).toBe(1);
    expect(await present.audit.catchUp(SCOPE.tenant, 100)).toBe(0);
    expect(await verified()).toEqual([6]);
  });
});
