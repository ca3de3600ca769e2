import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { ADMIN_TRAIL } from "@scim/events";
import { BULK_REQUEST_URN, type JsonObject, USER_URN } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { idOfGiven } from "../../src/credentials/start-tokens.ts";
import { keepUp } from "../../src/upkeep/event-upkeep.ts";
import { createPurgeCounts } from "../../src/upkeep/purge-counts.ts";
import { openStore } from "../../src/store/open-store.ts";
import { keptFor } from "../../src/upkeep/retention.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { ENGINES, SECRET_KEYS, type Engine, type TestDatabase } from "../over-http/engines.ts";
import { printed } from "../command-line/printed.ts";
import { newToken } from "../over-http/server.ts";
import { ADMIN_TOKEN, startAdministered, type AdministeredServer } from "./admin-client.ts";
import { follow } from "./follow.ts";

const DAY_MS = 86_400_000;
const AUDIT = "/tenants/default/audit";
const CHANGES = "/tenants/default/changes";

/** Four changes: two users come, one is renamed, and goes. */
async function changed(
  engine: Engine,
  settings: Readonly<Record<string, string>> = {},
): Promise<{
  readonly database: TestDatabase;
  readonly server: AdministeredServer;
  readonly anna: string;
}> {
  const database = await engine.make();
  const server = await startAdministered({ ...database.environment, ...settings });
  const anna = await server.user({ userName: "anna" });
  await server.user({ userName: "bo" });
  await server.patch(anna.path, [{ op: "replace", path: "userName", value: "anne" }]);
  await server.call("DELETE", anna.path);
  await eventually(async () => {
    const { body } = await server.ask("GET", CHANGES);
    expect(body["next"]).toBe(4);
  });
  return { database, server, anna: anna.id };
}

/** The creation of a user of 60 KB. */
function large(_: unknown, n: number): JsonObject {
  const data = { schemas: [USER_URN], userName: `large${n}`, title: "x".repeat(60_000) };
  return { method: "POST", path: "/Users", bulkId: `b${n}`, data };
}

/** The positions of a list of events or entries. */
function positions(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list.map(({ position }) => position) : [];
}

const REFUSED = [
  [`${CHANGES}?since=5`, 400, "the last is 4"],
  [`${CHANGES}?since=-1`, 400, "'since'"],
  [`${AUDIT}?limit=1001`, 400, "'limit'"],
  [`${AUDIT}?limit=1&limit=2`, 400, "more than once"],
  [`${AUDIT}?id=1`, 400, "together"],
  [`${AUDIT}?admin=`, 400, "'admin' is empty"],
  [`${AUDIT}?kind=made`, 400, "created, replaced, patched, deleted"],
  [`${AUDIT}?from=then`, 400, "'from' is a span"],
  [`${AUDIT}?from=2027-01-02&until=2027-01-02`, 400, "'from' must be before 'until'"],
  [`${AUDIT}?last=1001`, 400, "'last'"],
  [`${CHANGES}?wait=26`, 400, "'wait'"],
  [`${CHANGES}?last=2&since=1`, 400, "not both"],
  [`${AUDIT}?last=2&limit=1`, 400, "not both"],
  [`${AUDIT}?last=2&kind=patched`, 400, "not both"],
  [`${AUDIT}?last=0&from=1h`, 400, "'from'"],
  ["/tenants/v2/changes", 404, "no such tenant"],
  ["/changes?tenant=a.b", 404, "no such tenant"],
] as const;

describe.each(ENGINES)("below /admin/v1 on $name", (engine) => {
  test("the audit log and the change feed are read page by page, and follow on live", async () => {
    const { server, anna, database } = await changed(engine);

    const first = await server.ask("GET", `${AUDIT}?limit=3`);
    expect([positions(first.body["entries"]), first.body["next"]]).toEqual([[1, 2, 3], 3]);
    const second = await server.ask("GET", `${AUDIT}?since=3&limit=3`);
    expect([positions(second.body["entries"]), second.body["next"]]).toEqual([[4], 4]);
    const ofAnna = await server.ask("GET", `${AUDIT}?type=User&id=${anna}`);
    expect(positions(ofAnna.body["entries"])).toEqual([1, 3, 4]);
    expect(ofAnna.text).not.toContain("anne");
    const times: readonly string[] = JSON.parse(first.text).entries.map((entry: { at: string }) => entry.at);
    const [, at = ""] = times;
    const earlier = times.flatMap((time, index) => (time < at ? [index + 1] : []));
    const found = [
      ["kind=patched", [3]],
      ["type=User&limit=2", [1, 2]],
      [`from=${at}&since=1`, [2, 3, 4]],
      [`until=${at}`, earlier],
      [`from=1h&connection=default&credential=${idOfGiven(server.token)}&kind=created`, [1, 2]],
      ["from=2999-01-01T01:00:00%2B01:00", []],
      ["admin=anna", []],
    ] as const;
    for (const [query, expected] of found) {
      const { body } = await server.ask("GET", `${AUDIT}?${query}`);
      expect([positions(body["entries"]), body["more"]], query).toEqual([expected, query.includes("limit")]);
    }
    for (const path of [AUDIT, `${AUDIT}/verification`, CHANGES])
      expect(await server.ask("GET", `${path}?since=5`), path).toMatchObject({
        status: 400,
        body: { scimType: "invalidValue", detail: expect.stringContaining("the last is 4") },
      });
    const checkpoints = await server.ask("GET", `${AUDIT}/checkpoints?since=5`);
    expect(checkpoints.body).toEqual({ checkpoints: [], next: 5 });
    expect(await server.ask("GET", `${AUDIT}/checkpoints?since=6`)).toMatchObject({
      status: 400,
      body: { scimType: "invalidValue", detail: expect.stringContaining("the last is 4") },
    });
    expect(first.body["entries"]).toMatchObject([{ kind: "created", hash: expect.any(String) }, {}, {}]);

    const page = await server.ask("GET", `${CHANGES}?since=1&limit=2`);
    expect([positions(page.body["events"]), page.body["next"]]).toEqual([[2, 3], 3]);
    const same = await server.ask("GET", "/changes?tenant=default&since=1&limit=2");
    expect(same.body).toEqual(page.body);
    expect((await server.ask("GET", "/changes")).body["next"]).toBe(4);

    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const seen: string[] = [];
    const path = `/admin/v1${CHANGES}?since=2`;
    for await (const { id, data } of follow({ origin: server.origin, path, headers })) {
      seen.push(id);
      expect(JSON.parse(data)).toMatchObject({ position: Number(id), type: "User" });
      if (id === "4") await server.user({ userName: "cy" });
      if (id === "5") break;
    }
    expect(seen).toEqual(["3", "4", "5"]);
    const resumed = follow({ origin: server.origin, path, headers: { ...headers, "last-event-id": "4" } });
    expect((await resumed.next()).value).toMatchObject({ id: "5" });
    await resumed.return();
    const elsewhere = { accept: "text/event-stream", "last-event-id": "evt_4" };
    const begun = follow({ origin: server.origin, path, headers: { ...headers, ...elsewhere } });
    expect(await begun.next()).toMatchObject({ done: true });
    const refused = await server.ask("GET", CHANGES, elsewhere);
    expect([refused.status, refused.body["detail"]]).toEqual([400, expect.stringContaining("Last-Event-ID")]);

    const awaited = server.ask("GET", `${CHANGES}?since=5&wait=25`);
    await server.user({ userName: "dee" });
    expect(positions((await awaited).body["events"])).toEqual([6]);
    const last = await server.ask("GET", `${CHANGES}?last=2`);
    expect([positions(last.body["events"]), last.body["next"]]).toEqual([[5, 6], 6]);
    expect((await server.ask("GET", `${CHANGES}?last=0`)).body).toEqual({ events: [], next: 6, more: false });

    // What is read holds values of persons: one entry stands for all that an administrator reads of a tenant in an hour.
    const owner = idOfGiven(ADMIN_TOKEN);
    const by = { admin: owner, credential: owner, request: expect.any(String), address: "127.0.0.1" };
    await eventually(async () => {
      const { body } = await server.ask("GET", "/audit?last=1000");
      expect(body["entries"]).toMatchObject([
        {
          kind: "created",
          type: "Request",
          id: `/admin/v1${CHANGES}`,
          origin: by,
          changes: [
            { path: "method", after: { value: "GET" } },
            { path: "tenant", after: { value: "default" } },
          ],
        },
      ]);
    });

    // 40 events of 60 KB are more than a page holds.
    const Operations = Array.from({ length: 40 }, large);
    await server.call("POST", "/Bulk", { body: { schemas: [BULK_REQUEST_URN], Operations } });
    await eventually(async () =>
      expect((await server.ask("GET", `${CHANGES}?last=0`)).body["next"]).toBe(46),
    );
    const part = await server.ask("GET", `${CHANGES}?since=6`);
    expect(part.body).toMatchObject({ next: 41, more: true });
    expect(positions(part.body["events"])).toHaveLength(35);
    const rest = await server.ask("GET", `${CHANGES}?since=41`);
    expect([positions(rest.body["events"]), rest.body["more"]]).toEqual([[42, 43, 44, 45, 46], false]);
    const { stdout } = await printed(["events", "list", "--json"], database.environment);
    expect(positions(JSON.parse(stdout).events)).toHaveLength(46);
  });

  test("what makes no sense is refused, and nobody but an administrator reads anything", async () => {
    const token = newToken();
    const { server } = await changed(engine, { SCIM_TOKEN: token });
    for (const [path, status, detail] of REFUSED) {
      const answer = await server.ask("GET", path);
      expect(answer, path).toMatchObject({ status, body: { status: String(status) } });
      expect(answer.body["detail"], path).toContain(detail);
    }
    for (const path of [AUDIT, CHANGES, "/changes"]) {
      const by = async (authorization: string): Promise<number> =>
        (await server.ask("GET", path, { authorization })).status;
      expect([await by(""), await by(`Bearer ${newToken("admin")}`)], path).toEqual([401, 401]);
      expect(await by(`Bearer ${token}`), path).toBe(403);
    }
  });

  test("events go after 30 days and entries after 400: 410 names the oldest, and the chain still holds", async () => {
    const { database, server } = await changed(engine);
    const opened = await openStore(resolveSettings({ flags: {}, environment: database.environment }).values);
    const purged = createPurgeCounts();
    const upkeepIn = (days: number): Promise<void> =>
      keepUp(
        {
          ...opened.store,
          auditKeys: opened.auditKeys,
          keptFor: keptFor({ deleted: 30, requests: 7, events: 30, audit: 400 }, opened.store.tenants),
          now: () => Date.now() + days * DAY_MS,
          onPurged: purged.add,
        },
        () => false,
      );
    const kept = async (): Promise<readonly unknown[]> => {
      const { status } = await server.ask("GET", `${CHANGES}?since=0`);
      const { body } = await server.ask("GET", AUDIT);
      return [status, positions(body["entries"]).length];
    };
    await upkeepIn(29);
    expect(await kept()).toEqual([200, 4]);
    await upkeepIn(31);
    expect(await kept()).toEqual([410, 4]);
    const gone = await server.ask("GET", `${CHANGES}?since=2`);
    expect(gone.body).toMatchObject({
      status: "410",
      oldestPosition: 5,
      detail: expect.stringContaining("4"),
    });
    expect((await server.ask("GET", CHANGES)).body).toEqual({ events: [], next: 4, more: false });
    // One more of each: that the change feed was read.
    await eventually(async () => expect(await opened.store.events.head(ADMIN_TRAIL)).toBe(1));
    await upkeepIn(401);
    expect(await kept()).toEqual([410, 0]);
    expect(purged.counts()).toEqual({ events: 5, audit: 5, deleted: 0, requests: 0, tokens: 0 });
    await opened.store.close();
  });
});

// Held up, it would wait for some minutes, until nothing has moved on the connection for long enough.
test("a server that stops waits for nobody who takes nothing of a stream", async () => {
  const inMemory = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_SECRET_KEYS: SECRET_KEYS };
  const server = await startAdministered({ ...inMemory, SCIM_STOP_TIMEOUT: "600" });
  const { path } = await server.user({ userName: "anna" });
  // More than a connection holds on its way.
  for (let n = 1; n <= 20; n += 1)
    await server.patch(path, [{ op: "replace", path: "title", value: `${n}${"€".repeat(65_000)}` }]);
  await eventually(async () => {
    expect((await server.ask("GET", `${CHANGES}?last=0`)).body["next"]).toBe(21);
  });
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, accept: "text/event-stream" };
  const reader = get(`${server.origin}/admin/v1${CHANGES}?since=0`, { headers });
  const [stream] = (await once(reader, "response")) as [IncomingMessage];
  await once(stream, "readable");
  // A stream goes on between the requests of others: by then it has come to more than the client takes.
  for (let n = 1; n <= 100; n += 1) await server.ask("GET", `${CHANGES}?last=0`);
  const isCut = once(stream, "error");
  await server.stop();
  stream.resume();
  expect(await isCut).toMatchObject([{ code: "ECONNRESET" }]);
});

test("a stream ends with the right to it: the next is refused", async () => {
  const inMemory = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_SECRET_KEYS: SECRET_KEYS };
  const server = await startAdministered(inMemory);
  await server.user({ userName: "anna" });
  const json = { "content-type": "application/json" };
  const wanted = { name: "Ann", role: "tenant-admin", tenant: "default" };
  const { body: ann } = await server.ask("POST", "/admins", json, wanted);
  const headers = { authorization: `Bearer ${String(ann["token"])}` };
  const stream = follow({ origin: server.origin, path: `/admin/v1${CHANGES}?since=0`, headers });
  expect((await stream.next()).value).toMatchObject({ id: "1" });
  expect((await server.ask("DELETE", `/admins/${String(ann["id"])}`)).status).toBe(204);
  expect(await stream.next()).toEqual({ done: true, value: undefined });
  expect((await server.ask("GET", CHANGES, headers)).status).toBe(401);
});

test("an administrator waits for changes so many times at once, and holds not all connections", async () => {
  const server = await startAdministered({
    SCIM_DATABASE_URL: "sqlite::memory:",
    SCIM_SECRET_KEYS: SECRET_KEYS,
  });
  const asked = Array.from({ length: 101 }, () => server.ask("GET", `${CHANGES}?wait=25`));
  const refused = await Promise.race(asked);
  expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "30"]);
  expect(refused.body["detail"]).toContain("100 requests of this administrator wait for changes already");
  expect((await server.ask("GET", CHANGES)).status, "it waits for nothing").toBe(200);
  await server.stop();
  expect((await Promise.all(asked)).filter(({ status }) => status === 200)).toHaveLength(100);
});
