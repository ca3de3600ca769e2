import { describe, expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { startAdministered } from "../admin/admin-client.ts";
import { startAdministration } from "../admin/administering.ts";
import { keepUp } from "../../src/upkeep/event-upkeep.ts";
import { openStore } from "../../src/store/open-store.ts";
import { createPurgeCounts } from "../../src/upkeep/purge-counts.ts";
import { keepRequests } from "../../src/requests/request-log.ts";
import { keptFor, serviceRetention } from "../../src/upkeep/retention.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { purgeAll } from "../../src/upkeep/tombstones.ts";
import { BULK_REQUEST, clientOf, USER, type Client } from "../over-http/client.ts";
import { ENGINES, type Engine } from "../over-http/engines.ts";

const DAY_MS = 86_400_000;

/** Two tenants on one server. */
async function twoTenants(engine: Engine, settings: Readonly<Record<string, string>> = {}) {
  const database = await engine.make();
  const environment = { ...database.environment, ...settings };
  const server = await startAdministration(environment);
  const clientFor = async (tenant: string): Promise<Client> =>
    clientOf({ origin: server.origin, base: "/scim/v2", token: await server.tenantToken(tenant) });
  const [acme, globex] = [await clientFor("acme"), await clientFor("globex")];
  return { database, environment, server, acme, globex };
}

const CONFIG = "/ServiceProviderConfig";

describe.each(ENGINES)("limits of a tenant on $name", (engine) => {
  test("hold for it alone, are shown to it, and act on every process within a second", async () => {
    const { environment, server, acme, globex } = await twoTenants(engine, { SCIM_PAGE_SIZE: "3" });
    const other = await startAdministered(environment);
    const elsewhere = clientOf({ ...other, base: "/scim/v2", token: await server.tenantToken("acme") });
    for (const client of [acme, globex])
      for (const name of ["a", "b", "c"]) await client.user({ userName: name });
    const limits = {
      "filter.maxResults": 2,
      "page.size": 1,
      "bulk.maxOperations": 1,
      "query.scansPerTenant": 1,
    };
    const changed = await server.send("PATCH", "/tenants/acme", { match: "*", body: { limits } });
    expect(changed).toMatchObject({ status: 200, body: { limits, retention: {} } });
    for (const client of [acme, elsewhere]) {
      await eventually(async () => {
        expect((await client.call("GET", CONFIG)).body).toMatchObject({
          filter: { maxResults: 2 },
          bulk: { maxOperations: 1 },
          pagination: { defaultPageSize: 1, maxPageSize: 2 },
        });
      });
      expect((await client.call("GET", "/Users")).body).toMatchObject({ totalResults: 3, itemsPerPage: 1 });
      expect(
        (await client.call("GET", "/Users?count=9&filter=title%20pr%20or%20userName%20pr")).body,
      ).toMatchObject({
        itemsPerPage: 2,
      });
    }
    const operation = {
      method: "POST",
      path: "/Users",
      bulkId: "x",
      data: { schemas: [USER], userName: "d" },
    };
    const bulk = { body: { schemas: [BULK_REQUEST], Operations: [operation, operation] } };
    expect(await acme.call("POST", "/Bulk", bulk)).toMatchObject({ status: 413 });
    expect((await globex.call("GET", CONFIG)).body).toMatchObject({ filter: { maxResults: 1000 } });
    expect((await globex.call("GET", "/Users")).body).toMatchObject({ itemsPerPage: 3 });

    await server.send("PATCH", "/tenants/acme", { match: "*", body: { limits: { "page.size": null } } });
    await eventually(async () => {
      expect((await acme.call("GET", "/Users")).body).toMatchObject({ itemsPerPage: 2 });
    });
  });

  test("are refused above the service's with both numbers, and asked of those alone who operate", async () => {
    const { server } = await twoTenants(engine);
    const own = await server.administrator("tenant-admin", "acme");
    const send = (body: object, token?: string) =>
      server.send("PATCH", "/tenants/acme", {
        match: "*",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
        ...(token === undefined ? {} : { token }),
      });
    for (const [body, status, detail] of [
      [
        { limits: { "filter.maxResults": 1001 } },
        400,
        "'filter.maxResults' cannot be 1001: the service has 1000",
      ],
      [{ limits: { "string.maxLength": 5 } }, 400, "must be one of page.size, filter.maxResults"],
      [{ limits: 5 }, 400, "'limits': it must be an object"],
      [{ limits: { "page.size": "5" } }, 400, "it must be a number"],
      [{ retention: { audit: 0 } }, 400, "'audit' cannot be 0: it is 1 to 3650 days"],
    ] as const) {
      const answer = await send(body);
      expect([answer.status, answer.body["detail"]]).toEqual([status, expect.stringContaining(detail)]);
    }
    expect((await send({ retention: { audit: 1 } }, own)).status).toBe(403);
    expect((await server.send("GET", "/tenants/acme")).body).toMatchObject({ limits: {}, retention: {} });
  });
});

describe.each(ENGINES)("retention of a tenant on $name", (engine) => {
  test("each kind goes when its tenant says, and another's when the service says", async () => {
    const { environment, server, acme, globex } = await twoTenants(engine);
    const retention = { deleted: 2, requests: 3, events: 5, audit: 100 };
    await server.send("PATCH", "/tenants/acme", { match: "*", body: { retention } });
    for (const client of [acme, globex]) {
      const { path } = await client.user({ userName: "anna" });
      await client.call("DELETE", path);
    }
    const at = (tenant: string, what: string) => server.ask("GET", `/tenants/${tenant}/${what}`);
    await eventually(async () => {
      for (const tenant of ["acme", "globex"]) {
        expect((await at(tenant, "changes")).body["next"]).toBe(2);
        expect((await at(tenant, "requests")).body["requests"]).toHaveLength(2);
      }
    });

    const settings = resolveSettings({ flags: {}, environment }).values;
    const opened = await openStore(settings);
    const counts = createPurgeCounts();
    const { store } = opened;
    const kept = keptFor(serviceRetention(settings), store.tenants);
    const upkeepIn = async (days: number): Promise<unknown> => {
      const now = (): number => Date.now() + days * DAY_MS;
      const upkeep = { keptFor: kept, now, onPurged: counts.add };
      await purgeAll({ ...upkeep, store: store.resources }, () => false);
      await keepUp({ ...store, ...upkeep, auditKeys: opened.auditKeys }, () => false);
      const log = { settings, opened, onPurged: counts.add, onSilent: () => undefined };
      await keepRequests(log, () => false, now);
      const { deleted, requests } = counts.counts();
      const gone = async (tenant: string) => (await at(tenant, "changes?since=0")).status;
      const entries = async (tenant: string) => (await at(tenant, "audit")).body["entries"];
      const left = async (tenant: string) => {
        const found = await entries(tenant);
        return Array.isArray(found) ? found.length : -1;
      };
      return [
        [deleted, requests],
        [await gone("acme"), await gone("globex")],
        [await left("acme"), await left("globex")],
      ];
    };
    // Each row: what went so far, the change feeds, the audit logs.
    const [all, none] = [
      [200, 200],
      [2, 2],
    ];
    expect(await upkeepIn(1)).toEqual([[0, 0], all, none]);
    expect(await upkeepIn(2.5)).toEqual([[1, 0], all, none]);
    expect(await upkeepIn(4)).toEqual([[1, 2], all, none]);
    expect(await upkeepIn(6)).toEqual([[1, 2], [410, 200], none]);
    expect((await at("acme", "changes?since=1")).body).toMatchObject({ status: "410", oldestPosition: 3 });
    expect(await upkeepIn(8)).toEqual([[1, 4], [410, 200], none]);
    expect(await upkeepIn(31)).toEqual([[2, 4], [410, 410], none]);
    expect(await upkeepIn(101)).toEqual([
      [2, 4],
      [410, 410],
      [0, 2],
    ]);
    expect(await upkeepIn(401)).toEqual([
      [2, 4],
      [410, 410],
      [0, 0],
    ]);
    await opened.store.close();
  });
});
