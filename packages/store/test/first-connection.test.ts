import { sampleConnection, sampleTenant } from "@scim/tenancy/testing";
import { expect, test } from "vitest";
import { sql } from "../src/sql.ts";
import { createTenantStore } from "../src/tenancy/tenant-store.ts";
import { PLAIN_DATABASES } from "./support/plain-databases.ts";

test.each(PLAIN_DATABASES)(
  "a tenant is not there where what adds it ends before its first connection is, on %s",
  async (_, make) => {
    const { executor, dialect } = await make();
    const tenants = createTenantStore(executor, dialect);
    const add = (): Promise<boolean> =>
      tenants.add(sampleTenant("north"), undefined, { connection: sampleConnection("default") });
    await executor.run(sql`ALTER TABLE connections RENAME TO away`);
    await expect(add()).rejects.toThrow("connections");
    expect(await tenants.find("north")).toBeNull();
    await executor.run(sql`ALTER TABLE away RENAME TO connections`);
    expect(await add()).toBe(true);
  },
);
