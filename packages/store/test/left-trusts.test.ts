import { sampleClient, sampleTrust } from "@scim/tenancy/testing";
import { expect, test } from "vitest";
import { sql } from "../src/sql.ts";
import { createClientStore } from "../src/tenancy/client-store.ts";
import { PLAIN_DATABASES } from "./support/plain-databases.ts";

test.each(PLAIN_DATABASES)(
  "a trust that an earlier release left of a client that is gone keeps no other out on %s",
  async (_, make) => {
    const { executor, dialect } = await make();
    const clients = createClientStore(executor, dialect);
    const trust = sampleTrust("t1", { purpose: "access-token" });
    for (const id of ["c1", "c2"]) await clients.addClient(sampleClient(id));
    expect(await clients.addTrust(trust)).toBe(true);
    expect(await clients.addTrust({ ...trust, client: "c2" })).toBe(false);
    await executor.run(sql`DELETE FROM oauth_clients WHERE id = 'c1'`);
    expect(await clients.addTrust({ ...trust, client: "c2" })).toBe(true);
    expect(await clients.listTrusts({ tenant: "north", id: "c1" })).toEqual([]);
  },
);
