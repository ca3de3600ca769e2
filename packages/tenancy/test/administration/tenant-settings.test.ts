import { beforeEach, expect, test } from "vitest";
import {
  changeTenant,
  createTenant,
  forgetSecrets,
  hasOwnRules,
  limitsOfTenant,
  type TenantChange,
} from "../../src/index.ts";
import { CEILINGS, testPorts, type TestPorts } from "./ports.ts";

let ports: TestPorts;
beforeEach(async () => {
  ports = testPorts();
  await createTenant(ports, { tenant: "acme" });
});

const ACME = { tenant: "acme", expected: null };

test("a tenant narrows limits and says how long it keeps what is over; null takes a number back, and all is told", async () => {
  const first = {
    limits: { "page.size": 10, "filter.maxResults": 50 },
    retention: { deleted: 0, audit: 30 },
  };
  expect(await changeTenant(ports, ACME, first)).toMatchObject({ ...first, revision: 2 });
  expect(ports.acts.at(-1)).toMatchObject({ before: { state: "active" }, after: first });
  const second = { limits: { "page.size": null }, retention: { requests: 3 } };
  expect(await changeTenant(ports, ACME, second)).toMatchObject({
    limits: { "filter.maxResults": 50 },
    retention: { deleted: 0, requests: 3, audit: 30 },
    revision: 3,
  });
  // The same once more is no change.
  expect(await changeTenant(ports, ACME, second)).toMatchObject({ revision: 3 });
});

test.each([
  [{ limits: { "page.size": 101 } }, "'page.size' cannot be 101: the service has 100"],
  [{ limits: { "bulk.maxOperations": 0 } }, "'bulk.maxOperations' cannot be 0: the service has 500"],
  [{ limits: { "query.scansPerTenant": 1.5 } }, "'query.scansPerTenant' cannot be 1.5"],
  [{ limits: { "group.answerMembers": Number.NaN } }, "'group.answerMembers' cannot be NaN"],
  [{ retention: { deleted: -1 } }, "'deleted' cannot be -1: it is 0 to 3650 days"],
  [{ retention: { requests: 366 } }, "'requests' cannot be 366: it is 1 to 365 days"],
  [{ retention: { events: 0 } }, "'events' cannot be 0: it is 1 to 3650 days"],
] satisfies readonly (readonly [TenantChange, string])[])(
  "%j is refused with what is possible",
  async (change, detail) => {
    await expect(changeTenant(ports, ACME, change)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining(detail),
    });
  },
);

test("a tenant says what becomes of secrets, is served by rules of its own then, and both are told", async () => {
  const kept = await changeTenant(ports, ACME, { secrets: "hash" });
  expect([kept.secrets, kept.revision, hasOwnRules(kept)]).toEqual(["hash", 2, true]);
  expect(ports.acts.at(-1)).toMatchObject({ before: { state: "active" }, after: { secrets: "hash" } });
  expect((await changeTenant(ports, ACME, { displayName: "Acme" })).secrets).toBe("hash");
  const dropped = await changeTenant(ports, ACME, { secrets: "drop" });
  expect([dropped.secrets, hasOwnRules(dropped)]).toEqual(["drop", false]);
  expect(ports.acts.at(-1)).toMatchObject({ before: { secrets: "hash" }, after: { state: "active" } });
});

test("what was kept of secrets goes behind the last that may be hashed, some at a time, and never where it is kept", async () => {
  const steps: (string | number)[] = [];
  const left = [3, 1, 0];
  const tenants = {
    find: async (tenant: string) => ports.tenants.find(tenant),
    removeHashes: async (_tenant: string, most: number) => {
      steps.push(most);
      return left.shift() ?? 0;
    },
  };
  const removal = {
    tenant: "acme",
    batch: 3,
    settled: async () => {
      steps.push("settled");
    },
  };
  expect(await forgetSecrets({ tenants }, removal)).toBe(4);
  expect(steps).toEqual(["settled", 3, 3, 3]);
  await changeTenant(ports, ACME, { secrets: "hash" });
  await expect(forgetSecrets({ tenants }, removal)).rejects.toMatchObject({ code: "refused" });
  await expect(forgetSecrets({ tenants }, { ...removal, tenant: "nobody" })).rejects.toMatchObject({
    code: "notFound",
  });
});

test("where the service lowers a limit, it counts", () => {
  const limits = { "page.size": 80, "filter.maxResults": 400 };
  expect(limitsOfTenant({ ...CEILINGS, "page.size": 20 }, { limits })).toEqual({
    ...CEILINGS,
    "page.size": 20,
    "filter.maxResults": 400,
  });
});
