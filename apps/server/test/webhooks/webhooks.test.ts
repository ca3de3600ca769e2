import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "@scim/schemas";
import { ADMIN_TOKEN, startAdministered } from "../admin/admin-client.ts";
import { USER } from "../over-http/client.ts";
import { ENGINES, SECRET_KEYS, type TestDatabase } from "../over-http/engines.ts";
import { exchange, type WireAnswer } from "../over-http/exchange.ts";
import { eventOf, startReceiver, take, type Arrived, type TestReceiver } from "./receiver.ts";

const BASE = "/tenants/default/webhooks";
const NEAR = { SCIM_DELIVERY_PRIVATE_ADDRESSES: "allow", SCIM_DELIVERY_PLAIN_HTTP: "allow" };
const MEMORY = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_SECRET_KEYS: SECRET_KEYS };

/** A server whose administrator sends JSON. */
async function started(environment: Readonly<Record<string, string>> = {}) {
  const server = await startAdministered({ ...MEMORY, ...NEAR, ...environment });
  const send = (
    method: string,
    path: string,
    body?: JsonObject,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<WireAnswer> =>
    exchange(server.origin, {
      method,
      path: `/admin/v1${path}`,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json", ...headers },
      body: JSON.stringify(body ?? {}),
    });
  return { ...server, send };
}

type Started = Awaited<ReturnType<typeof started>>;

/** Makes a webhook for a receiver. */
async function made({ send }: Started, { url }: TestReceiver, of: JsonObject = {}) {
  const { status, body } = await send("POST", BASE, { url, ...of });
  expect(status, JSON.stringify(body)).toBe(201);
  return { path: `${BASE}/${String(body["id"])}`, secret: String(body["secret"]), body };
}

/** Verifies by the published library, which throws where a signature is not good. */
function verified({ body, headers }: Arrived, secret: string): unknown {
  return new Webhook(secret).verify(body, {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"]),
  });
}

describe.each(ENGINES)("webhooks on $name", ({ make }) => {
  test("tell of each change in its order, signed, without a value of a person", async () => {
    const database: TestDatabase = await make();
    const [receiver, server] = [await startReceiver(), await started(database.environment)];
    const { secret } = await made(server, receiver);
    const anna = await server.user({ userName: "anna.secret@example.com", name: { familyName: "Ärger" } });
    await server.patch(anna.path, [{ op: "replace", path: "active", value: false }]);
    await server.call("DELETE", anna.path);
    const arrived = await receiver.until(3);
    expect(arrived.map((one) => verified(one, secret))).toEqual(arrived.map(eventOf));
    expect(arrived.map(eventOf)).toMatchObject([
      { type: "User.created", data: { position: 1, kind: "created", resourceType: "User" } },
      {
        type: "User.patched",
        data: { position: 2, id: anna.id, tenant: "default", connection: "default", changed: ["active"] },
      },
      { type: "User.deleted", data: { position: 3, id: anna.id, changed: [] } },
    ]);
    expect(JSON.stringify(arrived)).not.toMatch(/anna|Ärger/);
    expect(new Set(arrived.map(({ headers }) => headers["webhook-id"])).size).toBe(3);
    const rows = await database.query("SELECT * FROM event_receivers");
    expect(JSON.stringify(rows), "the secret is sealed").not.toContain(secret.slice("whsec_".length));
  });

  test("that are under way when their server stops have not failed, and are told by the next", async () => {
    const database = await make();
    const receiver = await startReceiver(() => undefined);
    const first = await started(database.environment);
    const { path } = await made(first, receiver);
    await first.user({ userName: "anna" });
    await receiver.until(1);
    await first.stop();
    receiver.behave(take);
    const next = await started(database.environment);
    await receiver.until(2);
    expect((await next.ask("GET", path)).body).toMatchObject({ failingSince: null, lastProblem: null });
  });
});

describe("a webhook", () => {
  test("is sent the resource and its members where it asks for the whole", async () => {
    const [receiver, server] = [await startReceiver(), await started()];
    await made(server, receiver, { payload: "full" });
    const user = await server.user({ userName: "anna", password: "t0p-secret" });
    await server.group({ displayName: "staff", members: [{ value: user.id }] });
    const [first, second] = (await receiver.until(2)).map(eventOf);
    expect(first?.data["resource"]).toMatchObject({ schemas: [USER], id: user.id, userName: "anna" });
    expect(second?.data).toMatchObject({
      resource: { displayName: "staff" },
      collections: [{ path: "members", added: [user.id] }],
    });
    expect(JSON.stringify(receiver.arrived)).not.toContain("t0p-secret");
  });

  test("is sent what it asks for alone, and what came before it where it says so", async () => {
    const [receiver, server] = [await startReceiver(), await started()];
    const user = await server.user({ userName: "anna" });
    await server.group({ displayName: "staff" });
    await server.call("DELETE", user.path);
    await expect.poll(async () => (await server.ask("GET", "/tenants/default/changes")).body["next"]).toBe(3);
    await made(server, receiver, { types: ["Group", "*.deleted"], since: 0 });
    const arrived = await receiver.until(2);
    expect(arrived.map((one) => eventOf(one).type).toSorted()).toEqual(["Group.created", "User.deleted"]);
  });

  test("whose secret is rotated signs with both, and with the new one alone when the time is over", async () => {
    const [receiver, server] = [await startReceiver(), await started()];
    const { path, secret } = await made(server, receiver);
    const rotated = String((await server.send("POST", `${path}/rotate`)).body["secret"]);
    expect((await server.send("POST", `${path}/test`)).body).toEqual({ kind: "delivered" });
    const [both] = await receiver.until(1);
    if (both === undefined) throw new TypeError("Nothing arrived.");
    expect([verified(both, secret), verified(both, rotated)]).toMatchObject([
      { type: "webhook.test" },
      { type: "webhook.test" },
    ]);
    const last = String((await server.send("POST", `${path}/rotate`, { overlapHours: 0 })).body["secret"]);
    await server.send("POST", `${path}/test`);
    const after = (await receiver.until(2))[1];
    if (after === undefined) throw new TypeError("Nothing arrived.");
    expect(verified(after, last)).toBeTruthy();
    expect(() => verified(after, rotated)).toThrow("No matching signature");
    const shown = await server.ask("GET", path);
    expect(shown.text).not.toContain("sealed");
    expect(shown.body["secrets"]).toHaveLength(1);
  });

  test("that answers 410 is disabled, is shown so, and can be enabled", async () => {
    const receiver = await startReceiver((_request, response) => void response.writeHead(410).end());
    const server = await started();
    const { path } = await made(server, receiver);
    await server.user({ userName: "anna" });
    await expect.poll(async () => (await server.ask("GET", path)).body["state"]).toBe("disabled");
    expect((await server.ask("GET", path)).body).toMatchObject({
      reason: "The receiver answered 410: it wants no more events.",
    });
    receiver.behave((_request, response) => void response.writeHead(200).end("ok"));
    const { headers: shown } = await server.ask("GET", path);
    const enabled = await server.send(
      "PATCH",
      path,
      { state: "active" },
      { "if-match": shown["etag"] ?? "" },
    );
    expect(enabled.body).toMatchObject({ reason: null });
    // It would be tried again by itself, after some seconds.
    await server.send("POST", `${path}/replay`, { since: 0 });
    const { headers } = (await receiver.until(2))[1] ?? {};
    expect(headers?.["webhook-id"], "the same event").toBe(receiver.arrived[0]?.headers["webhook-id"]);
  });

  test("that hangs holds up no other, and its event is tried again", async () => {
    const hanging = await startReceiver(() => undefined);
    const [other, server] = [await startReceiver(), await started({ SCIM_DELIVERY_TIMEOUT: "300" })];
    const { path } = await made(server, hanging);
    await made(server, other);
    await server.user({ userName: "anna" });
    await other.until(1);
    await expect
      .poll(async () => (await server.ask("GET", path)).body)
      .toMatchObject({ waiting: 1, lastProblem: "The receiver did not answer within 300 milliseconds." });
    hanging.behave((_request, response) => void response.writeHead(204).end());
    // It would be tried again by itself, after some seconds.
    await server.send("POST", `${path}/replay`, { since: 0 });
    await hanging.until(2);
  });

  test.each([301, 302, 307, 308])("is not followed where it redirects with %i", async (status) => {
    const [inner, server] = [await startReceiver(), await started()];
    const receiver = await startReceiver(
      (_request, response) => void response.writeHead(status, { location: inner.url }).end(),
    );
    const { path } = await made(server, receiver);
    expect((await server.send("POST", `${path}/test`)).body).toMatchObject({
      kind: "failed",
      problem: `The receiver answered ${status}; redirects are not followed.`,
    });
    expect(inner.arrived).toEqual([]);
  });

  test("is changed and deleted by who knows its present version alone", async () => {
    const [receiver, server] = [await startReceiver(), await started()];
    const { path } = await made(server, receiver);
    const first = { "if-match": (await server.ask("GET", path)).headers["etag"] ?? "" };
    const raw = (tag: unknown): string => String(tag).replaceAll(/^W\/"|"$/g, "");
    const paused = await server.send("PATCH", path, { state: "paused" }, first);
    const second = { "if-match": paused.headers["etag"] ?? "" };
    expect([paused.status, raw(second["if-match"])]).toEqual([200, String(paused.body["revision"])]);
    for (const [method, body] of [
      ["PATCH", { state: "active" }],
      ["DELETE", {}],
    ] as const) {
      expect((await server.send(method, path, body)).status, `${method} without If-Match`).toBe(428);
      const stale = await server.send(method, path, body, first);
      expect(stale.status, `${method} with the version before`).toBe(412);
      expect(stale.body).toMatchObject({
        expectedVersion: raw(first["if-match"]),
        currentVersion: raw(second["if-match"]),
      });
    }
    expect((await server.ask("GET", path)).body).toMatchObject(paused.body);
    expect((await server.send("DELETE", path, {}, second)).status).toBe(204);
  });

  test("is replayed from a position, with the same ids, and is gone when it is deleted", async () => {
    const [receiver, server] = [await startReceiver(), await started()];
    const { path } = await made(server, receiver);
    await server.user({ userName: "anna" });
    await server.user({ userName: "bo" });
    await receiver.until(2);
    await expect.poll(async () => (await server.ask("GET", path)).body["position"]).toBe(2);
    expect((await server.send("POST", `${path}/replay`, { since: 1 })).body).toEqual({ since: 1 });
    const [again] = (await receiver.until(3)).slice(2);
    expect(again && eventOf(again).data.position).toBe(2);
    expect((await server.send("POST", `${path}/replay`, { since: 9 })).status).toBe(400);
    expect((await server.send("POST", `${path}/replay`)).body).toEqual({ revived: 0 });
    expect((await server.ask("GET", `${path}/dead`)).body).toEqual({ dead: [], next: 0 });
    expect((await server.send("DELETE", path, {}, { "if-match": "*" })).status).toBe(204);
    expect((await server.ask("GET", path)).status).toBe(404);
    expect((await server.ask("GET", BASE)).body).toEqual({ webhooks: [], next: null });
  });

  test.each([
    [{}, "'url' is missing"],
    [{ url: 7 }, "'url': it must be text"],
    [{ url: "hooks.example.com" }, "must be an absolute address"],
    [{ url: "ftp://hooks.example.com" }, "must begin with https:"],
    [{ url: "https://a:b@hooks.example.com" }, "must not hold a user name"],
    [{ url: "https://hooks.example.com/#x" }, "must not hold a fragment"],
    [{ url: "https://hooks.example.com", types: ["User.exploded"] }, "says no events"],
    [{ url: "https://hooks.example.com", types: "User" }, "it must be a list of texts"],
    [{ url: "https://hooks.example.com", payload: "all" }, "must be one of reference, full"],
    [{ url: "https://hooks.example.com", since: 5 }, "from 0 to 0"],
    [{ url: "https://hooks.example.com", secret: "x" }, "There is no member 'secret'"],
  ])("asked for with %j is refused", async (body, detail) => {
    const { send } = await started();
    expect(await send("POST", BASE, body)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(detail) },
    });
  });

  test("of the trail is told what administrators do", async () => {
    const [receiver, server] = [await startReceiver(), await started()];
    const { status, body } = await server.send("POST", "/webhooks", { url: receiver.url, types: ["Tenant"] });
    expect([status, body["tenant"]]).toEqual([201, "admin"]);
    await server.send("POST", "/tenants", { tenant: "acme" });
    const [arrived] = await receiver.until(1);
    expect(arrived === undefined ? null : verified(arrived, String(body["secret"]))).toMatchObject({
      type: "Tenant.created",
      data: { tenant: "admin", resourceType: "Tenant", id: "acme" },
    });
    const one = `/webhooks/${String(body["id"])}`;
    const present = { "if-match": (await server.ask("GET", one)).headers["etag"] ?? "" };
    const changed = await server.send("PATCH", one, { state: "paused" }, present);
    expect(changed.body).toMatchObject({ state: "paused" });
    expect((await server.send("DELETE", one, {}, { "if-match": "*" })).status).toBe(204);
    expect((await server.send("GET", "/tenants/admin/webhooks")).status).toBe(404);
  });

  test("is not found in another tenant, nor without the token of an administrator", async () => {
    const [receiver, server] = [await startReceiver(), await started()];
    const { path } = await made(server, receiver);
    expect((await server.ask("GET", path.replace("default", "other"))).status).toBe(404);
    const bare = await exchange(server.origin, { method: "GET", path: `/admin/v1${path}` });
    expect(bare.status).toBe(401);
  });
});
