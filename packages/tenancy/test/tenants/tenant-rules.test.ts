import { createDefaultRegistry, type SchemaRegistry } from "@scim/schemas";
import { beforeEach, expect, test } from "vitest";
import { createTenantRules, ownRegistry, type Tenant, type TenantRules } from "../../src/index.ts";
import { sampleTenant } from "../../src/testing/index.ts";

const SHARED = "shared";

let rows: Map<string, Tenant>;
let made: string[];
let found: number;
let now: number;
let rules: TenantRules<string>;

beforeEach(() => {
  rows = new Map([["plain", sampleTenant("plain")]]);
  made = [];
  found = 0;
  now = 0;
  rules = createTenantRules({
    tenants: {
      find: async (tenant) => {
        found += 1;
        return rows.get(tenant) ?? null;
      },
    },
    shared: () => SHARED,
    make: async ({ tenant, revision }) => {
      made.push(`${tenant} ${revision}`);
      return `${tenant} ${revision}`;
    },
    now: () => now,
    most: 2,
  });
});

function narrow(tenant: string, revision = 1): void {
  rows.set(tenant, sampleTenant(tenant, { limits: { "page.size": 5 }, revision }));
}

test("who has nothing of its own shares the rules of the service, and is looked at twice a second at most", async () => {
  expect([await rules.of("plain"), await rules.of("nobody")]).toEqual([SHARED, SHARED]);
  now = 499;
  expect([rules.of("plain"), rules.of("nobody")]).toEqual([SHARED, SHARED]);
  expect([found, made]).toEqual([2, []]);
});

test("own rules are made once for all who ask, and again within a second of a change", async () => {
  narrow("acme");
  expect(await Promise.all([rules.of("acme"), rules.of("acme")])).toEqual(["acme 1", "acme 1"]);
  expect(made).toEqual(["acme 1"]);
  expect(rules.known("acme")).toBe("acme 1");
  narrow("acme", 2);
  now = 499;
  expect(rules.of("acme")).toBe("acme 1");
  now = 501;
  expect(await rules.of("acme")).toBe("acme 2");
  rows.set("acme", sampleTenant("acme", { revision: 3 }));
  // An authenticator that reads the tenant spares the looking.
  await rules.find("acme");
  expect([rules.of("acme"), rules.known("acme")]).toEqual([SHARED, SHARED]);
});

test("a change acts within a second, also where the clock was set back", async () => {
  narrow("acme");
  expect(await rules.of("acme")).toBe("acme 1");
  narrow("acme", 2);
  now = -3_600_000;
  expect(await rules.of("acme")).toBe("acme 2");
});

test("of two answers that of the later question is believed, also where a promoted replica lacks the last change", async () => {
  const answers: ((revision: number) => void)[] = [];
  const slow = createTenantRules({
    tenants: {
      find: () =>
        new Promise((resolve) => {
          answers.push((revision) => resolve(sampleTenant("acme", { documents: revision, revision })));
        }),
    },
    shared: () => SHARED,
    make: async ({ revision }) => String(revision),
    now: () => now,
  });
  const [early, late] = [slow.find("acme"), slow.find("acme")];
  answers[1]?.(5);
  await late;
  answers[0]?.(4);
  await early;
  expect(await slow.of("acme")).toBe("5");
  now = 501;
  const behind = slow.find("acme");
  answers[2]?.(3);
  await behind;
  expect(await slow.of("acme")).toBe("3");
  expect(answers).toHaveLength(3);
});

test("so many with documents are kept; those used longest ago go, and are made again when they are needed", async () => {
  for (const tenant of ["a", "b", "c"]) rows.set(tenant, sampleTenant(tenant, { documents: 1 }));
  for (const tenant of ["a", "b", "a", "c", "a", "b"]) await rules.of(tenant);
  expect(made).toEqual(["a 1", "b 1", "c 1", "b 1"]);
});

test("who has no documents takes the place of none who has, and keeps its own", async () => {
  for (const tenant of ["a", "b"]) rows.set(tenant, sampleTenant(tenant, { documents: 1 }));
  for (const tenant of ["c", "d", "e"]) narrow(tenant);
  for (const tenant of ["a", "b", "c", "d", "e", "a", "b", "c"]) await rules.of(tenant);
  expect(made).toEqual(["a 1", "b 1", "c 1", "d 1", "e 1"]);
  narrow("a", 2);
  now = 501;
  expect([await rules.of("a"), rules.known("a")]).toEqual(["a 2", "a 2"]);
});

test("what could not be made is tried again", async () => {
  narrow("acme");
  let fails = true;
  const flaky = createTenantRules({
    tenants: rules,
    shared: () => SHARED,
    make: async () => {
      if (fails) throw new Error("no database");
      return "made";
    },
    now: () => now,
  });
  await expect(flaky.of("acme")).rejects.toThrow("no database");
  fails = false;
  expect(await flaky.of("acme")).toBe("made");
});

test("documents that the service has outgrown are read once, however many ask, and again when the tenant is changed", async () => {
  narrow("acme");
  let reads = 0;
  const outgrown = createTenantRules<SchemaRegistry | string>({
    tenants: { find: async (tenant) => rows.get(tenant) ?? null },
    shared: () => SHARED,
    make: async () => {
      reads += 1;
      return ownRegistry(createDefaultRegistry(), [
        { kind: "Schema", name: "urn:x:y", document: { id: "no URN" }, changed: "2026-01-01T00:00:00.000Z" },
      ]);
    },
    now: () => now,
  });
  for (let asked = 0; asked < 3; asked += 1)
    await expect(outgrown.of("acme")).rejects.toMatchObject({ code: "unavailable" });
  expect([reads, outgrown.known("acme")]).toEqual([1, SHARED]);
  narrow("acme", 2);
  now = 501;
  await expect(outgrown.of("acme")).rejects.toThrow("do not fit");
  expect(reads).toBe(2);
});
