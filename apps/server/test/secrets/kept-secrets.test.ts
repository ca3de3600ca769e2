/**
 * Tenants that keep hashes of passwords, and those that keep nothing of them.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { removeDropped } from "../../src/upkeep/dropped-secrets.ts";
import { startAdministration } from "../admin/administering.ts";
import { newFolder } from "../command-line/program.ts";
import { printed } from "../command-line/printed.ts";
import { tablesWith } from "../erasure/remains.ts";
import { eventually } from "../eventually.ts";
import { BULK_REQUEST, clientOf, USER, type Client } from "../over-http/client.ts";
import { ENGINES, SQLITE, type Engine } from "../over-http/engines.ts";
import { startInProcess } from "../over-http/in-process.ts";

const CONFIG = "/ServiceProviderConfig";
/** What every password of these tests has in it. */
const PLANT = "pl4nted";

/** A server with the tenants `acme`, which keeps hashes, and `globex`, which does not. */
async function start(engine: Engine) {
  const database = await engine.make();
  const lines: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  const server = await startAdministration(database.environment, log);
  const base = "/scim/v2";
  const clientFor = async (tenant: string, of = {}): Promise<Client> =>
    clientOf({ origin: server.origin, base, token: await server.tenantToken(tenant, of) });
  const [acme, globex] = [await clientFor("acme"), await clientFor("globex")];
  // So that it is served by rules of its own as well.
  await server.send("PATCH", "/tenants/globex", { match: "*", body: { limits: { "page.size": 50 } } });
  const changed = await server.send("PATCH", "/tenants/acme", { match: "*", body: { secrets: "hash" } });
  expect(changed).toMatchObject({ status: 200, body: { secrets: "hash", limits: {}, retention: {} } });
  await eventually(async () => {
    expect((await acme.call("GET", CONFIG)).body).toMatchObject(supported(true));
    expect((await globex.call("GET", CONFIG)).body).toMatchObject({ pagination: { defaultPageSize: 50 } });
  });
  const opened = await openStore(resolveSettings({ flags: {}, environment: database.environment }).values);
  onTestFinished(() => opened.store.close());
  const verifies = (id: string, value: string, tenant = "acme"): Promise<boolean> =>
    opened.store.secrets.verify(
      { tenant, connection: "login" },
      { type: "User", id, path: "password" },
      value,
    );
  const rows = async (): Promise<number> => (await database.query("SELECT id FROM secret_hashes")).length;
  return {
    database,
    server,
    acme,
    globex,
    clientFor,
    store: opened.store,
    verifies,
    rows,
    log: () => lines.join(""),
  };
}

/** No table and no line of the log has a password in it, and one table its hash. */
async function expectInClearNowhere({
  database,
  server,
  log,
}: Awaited<ReturnType<typeof start>>): Promise<void> {
  // What reads of it and what follows it: change feed, audit log, request log.
  await eventually(async () => {
    const { text } = await server.send("GET", "/tenants/acme/requests");
    expect(text).toContain("/Users");
  });
  expect(await tablesWith(database, PLANT)).toEqual([]);
  expect(await tablesWith(database, "$scrypt$")).toEqual(["secret_hashes"]);
  expect(log()).not.toContain(PLANT);
  expect(log()).not.toContain("$scrypt$");
}

function supported(is: boolean) {
  return { changePassword: { supported: is } };
}

describe.each(ENGINES)("passwords of a tenant on $name", (engine) => {
  test("R7643-4.1-03 are kept as hashes by every way in, and in clear nowhere", async () => {
    const started = await start(engine);
    const { database, acme, globex, verifies, rows } = started;
    const first = await acme.user({ userName: "anna", password: `${PLANT}-post` });
    expect(first.body).not.toHaveProperty("password");
    expect(await verifies(first.id, `${PLANT}-post`)).toBe(true);

    const data = { schemas: [USER], userName: "bert", password: `${PLANT}-bulk` };
    const bulk = {
      schemas: [BULK_REQUEST],
      Operations: [{ method: "POST", path: "/Users", bulkId: "b", data }],
    };
    expect((await acme.call("POST", "/Bulk", { body: bulk })).status).toBe(200);
    const file = join(newFolder(), "users.jsonl");
    writeFileSync(file, `${JSON.stringify({ ...data, userName: "carla", password: `${PLANT}-import` })}\n`);
    await printed(["import", file, "--tenant", "acme"], database.environment);
    for (const [userName, way] of [
      ["bert", "bulk"],
      ["carla", "import"],
    ] as const) {
      const found = await database.query(`SELECT id FROM resources WHERE body LIKE '%${userName}%'`);
      expect([way, await verifies(String(found[0]?.["id"]), `${PLANT}-${way}`)]).toEqual([way, true]);
    }

    await globex.user({ userName: "anna", password: `${PLANT}-dropped` });
    expect((await globex.call("GET", CONFIG)).body).toMatchObject(supported(false));
    expect(await rows()).toBe(3);
    await expectInClearNowhere(started);
  });

  test("a removal takes the hash, and so does a deletion; a restored resource has none", async () => {
    const { server, acme, rows } = await start(engine);
    const { id, path } = await acme.user({ userName: "anna", password: `${PLANT}-1` });
    await acme.patch(path, [{ op: "remove", path: "password" }]);
    expect(await rows()).toBe(0);
    await acme.patch(path, [{ op: "add", path: "password", value: `${PLANT}-2` }]);
    expect(await rows()).toBe(1);
    await acme.call("DELETE", path);
    expect(await rows()).toBe(0);
    const restore = await server.send("POST", `/tenants/acme/deleted/User/${id}/restore`, { match: "*" });
    expect([restore.status, await rows()]).toEqual([200, 0]);
  });

  test("a dry run keeps nothing", async () => {
    const { acme, rows } = await start(engine);
    const body = { schemas: [USER], userName: "anna", password: `${PLANT}-tried` };
    const tried = await acme.call("POST", "/.dry-run/Users", { body });
    expect(tried).toMatchObject({ status: 200, body: { valid: true, status: "201" } });
    expect([tried.text.includes(PLANT), await rows()]).toEqual([false, 0]);
  });

  test("a tenant that drops them from now on keeps none, in no process", async () => {
    const { server, acme, rows, store } = await start(engine);
    const { path } = await acme.user({ userName: "anna", password: `${PLANT}-1` });
    const dropped = await server.send("PATCH", "/tenants/acme", { match: "*", body: { secrets: "drop" } });
    expect([dropped.body["secrets"], await rows()]).toEqual(["drop", 0]);
    expect((await acme.call("GET", CONFIG)).body).toMatchObject(supported(false));
    await acme.patch(path, [{ op: "replace", path: "password", value: `${PLANT}-2` }]);
    expect(await rows()).toBe(0);
    // A request that had waited for its hash meanwhile.
    const scope = { tenant: "acme", connection: "default" };
    const kept = await store.resources.read(
      scope,
      { type: "User", id: path.slice(7) },
      { collections: [], inverses: [] },
    );
    const at = new Date().toISOString();
    const none = { add: [], remove: [] };
    await store.resources.write(scope, {
      kind: "update",
      type: "User",
      id: path.slice(7),
      at,
      nonce: "late",
      expectedVersion: kept?.version ?? "",
      body: null,
      index: none,
      unique: none,
      collections: [],
      secrets: [{ path: "password", hash: "$test$late" }],
      event: { kind: "patched", subject: null, changed: ["password"] },
    });
    expect(await rows()).toBe(1);
    await removeDropped(store, () => false);
    expect(await rows()).toBe(0);
  });

  test("`scim tenant` changes and shows it, and the trail tells it", async () => {
    const database = await engine.make();
    const scim = async (...args: string[]): Promise<string> =>
      (await printed(args, database.environment)).stdout;
    // Gives positions to what is told.
    await startInProcess(database.environment);
    await scim("tenant", "create", "acme");
    const header = "tenant +state +display name +limits +days kept +discovery +secrets +created";
    expect(await scim("tenant", "change", "acme", "--secrets", "hash")).toMatch(
      new RegExp(`^${header}\nacme +active +- +- +- +token +hash +`),
    );
    expect(JSON.parse(await scim("tenant", "show", "acme", "--json"))).toMatchObject({ secrets: "hash" });
    expect(await scim("tenant", "change", "acme", "--secrets", "drop")).toMatch(/^acme .* drop /m);
    await expect(scim("tenant", "change", "acme", "--secrets", "keep")).rejects.toMatchObject({
      exitCode: 2,
    });
    await eventually(async () =>
      expect(await scim("audit", "list", "--tenant", "admin")).toMatch(
        /Tenant acme +scim tenant change +secrets/,
      ),
    );
  });
});

describe("passwords of a tenant, whatever its database", () => {
  const startOne = () => start(SQLITE);

  test("a later one takes the place of the one before, by PUT, PATCH and at /Me, and stays where none is sent", async () => {
    const started = await startOne();
    const { acme, clientFor, verifies } = started;
    const first = await acme.user({ userName: "anna", password: `${PLANT}-post` });
    const body = { schemas: [USER], userName: "anna", nickName: "A" };
    expect((await acme.call("PUT", first.path, { body })).status).toBe(200);
    expect(await verifies(first.id, `${PLANT}-post`)).toBe(true);
    await acme.call("PUT", first.path, { body: { ...body, password: `${PLANT}-put` } });
    expect([await verifies(first.id, `${PLANT}-put`), await verifies(first.id, `${PLANT}-post`)]).toEqual([
      true,
      false,
    ]);
    await acme.patch(first.path, [{ op: "replace", path: "password", value: `${PLANT}-patch` }]);
    expect(await verifies(first.id, `${PLANT}-patch`)).toBe(true);

    const me = await clientFor("acme", { subject: first.id });
    await me.patch("/Me", [{ op: "replace", path: "password", value: `${PLANT}-me` }]);
    expect(await verifies(first.id, `${PLANT}-me`)).toBe(true);
    await expectInClearNowhere(started);
  });

  test("R8265-4.2-01 one that cannot be prepared is 400, and U+3000 is a space", async () => {
    const { acme, verifies, rows } = await startOne();
    for (const password of ["", "a\tb-pl4nted"]) {
      const refused = await acme.call("POST", "/Users", {
        body: { schemas: [USER], userName: "x", password },
      });
      expect(refused).toMatchObject({ status: 400, body: { scimType: "invalidValue" } });
      expect(refused.text).not.toContain(PLANT);
    }
    expect(await rows()).toBe(0);
    const { id } = await acme.user({ userName: "anna", password: "open\u3000sesame" });
    expect(await verifies(id, "open sesame")).toBe(true);
  });

  test("the admin API names what it can be", async () => {
    const { server } = await startOne();
    const refused = await server.send("PATCH", "/tenants/acme", { match: "*", body: { secrets: "keep" } });
    expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining("drop, hash") } });
  });
});
