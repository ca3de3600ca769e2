import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { JsonObject } from "@scim/schemas";
import type { FastifyInstance, RouteOptions } from "fastify";
import pino from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../eventually.ts";
import { clientOf } from "../over-http/client.ts";
import { SECRET_KEYS } from "../over-http/engines.ts";
import { idOfGiven } from "../../src/credentials/start-tokens.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { startStore } from "../../src/store/start-store.ts";
import { newFolder } from "../command-line/program.ts";
import { ADMIN_TOKEN } from "./admin-client.ts";
import { type Administration, startAdministration } from "./administering.ts";

/** A guard that holds what comes behind two deletions, and receivers that may be anywhere. */
const SETTINGS = {
  SCIM_DATABASE_URL: "sqlite::memory:",
  SCIM_SECRET_KEYS: SECRET_KEYS,
  SCIM_GUARD_MODE: "hold",
  SCIM_GUARD_AT_LEAST: "2",
  SCIM_GUARD_PERCENT: "0",
  SCIM_DELIVERY_PRIVATE_ADDRESSES: "allow",
  SCIM_DELIVERY_PLAIN_HTTP: "allow",
};

const THING = "urn:example:params:scim:schemas:extension:acme:1.0:Thing";
const DOCUMENT = { id: THING, name: "Thing", attributes: [{ name: "size", type: "string" }] };
const ISSUER = { issuer: "https://id.example", audience: "us", jwksUri: "https://id.example/keys" };

const ACME = "/tenants/:tenant";
const OKTA = `${ACME}/connections/:connection`;
const CLIENT = `${OKTA}/clients/:client`;
const DELETED = `${ACME}/deleted/:type/:id`;
const RELEASE = `POST ${ACME}/guard/release`;

/** What the parts of addresses stand for, but for ids. */
const NAMES = {
  tenant: "acme",
  connection: "okta",
  name: encodeURIComponent(THING),
  type: "User",
  path: "nickName",
};

/** Who asks in these tests, and from where. */
const BY = { admin: idOfGiven(ADMIN_TOKEN), credential: idOfGiven(ADMIN_TOKEN), address: "127.0.0.1" };

/** A route, what the trail tells of it (null where nothing is there to change), what is sent, and what the id in the address is of. */
type Call = readonly [
  route: string,
  told: string | null,
  body?: ((id: IdOf) => JsonObject) | null,
  of?: string,
];

/** The id of what was made. */
type IdOf = (made: string) => string;

/** The calls of receivers of events: made, changed, tried out, taken away. */
function receivers(all: string, type: string, body: JsonObject): readonly Call[] {
  const one = `${all}/:id`;
  return [
    [`POST ${all}`, `created ${type}`, () => body],
    [`PATCH ${one}`, `replaced ${type}`, () => ({ state: "paused" }), all],
    [`POST ${one}/rotate`, `replaced ${type}`, null, all],
    [`POST ${one}/replay`, `replaced ${type}`, () => ({ since: 0 }), all],
    [`POST ${one}/drop`, null, null, all],
    [`DELETE ${one}`, `deleted ${type}`, null, all],
  ];
}

function webhooks(all: string): readonly Call[] {
  const calls = receivers(all, "Webhook", { url: "http://127.0.0.1:9/" });
  return [...calls.slice(0, -1), [`POST ${all}/:id/test`, "replaced Request", null, all], ...calls.slice(-1)];
}

/** Every route that changes something, in an order in which each has something to do. */
const CALLS: readonly Call[] = [
  ["POST /tenants", "created Tenant", () => ({ tenant: "acme" })],
  [`PATCH ${ACME}`, "replaced Tenant", () => ({ displayName: "Acme" })],
  [`POST ${ACME}/connections`, "created Connection", () => ({ connection: "okta" })],
  [`PATCH ${OKTA}`, "replaced Connection", () => ({ profile: "okta" })],
  [`POST ${OKTA}/tokens`, "created Token", () => ({})],
  [`DELETE ${OKTA}/tokens/:id`, "replaced Token", null, `${OKTA}/tokens`],
  [`POST ${OKTA}/clients`, "created Client", () => ({})],
  [`PATCH ${CLIENT}`, "replaced Client", () => ({ name: "Okta" })],
  [`POST ${CLIENT}/secrets`, "created ClientSecret", () => ({})],
  [`DELETE ${CLIENT}/secrets/:id`, "deleted ClientSecret", null, `${CLIENT}/secrets`],
  [`POST ${CLIENT}/trusts`, "created ClientTrust", () => ({ ...ISSUER, subject: "them" })],
  [`DELETE ${CLIENT}/trusts/:id`, "deleted ClientTrust", null, `${CLIENT}/trusts`],
  [`DELETE ${CLIENT}`, "deleted Client"],
  [`DELETE ${OKTA}`, "deleted Connection"],
  [`POST ${ACME}/schemas`, "created Schema", () => DOCUMENT],
  [`PUT ${ACME}/schemas/:name`, "replaced Schema", () => ({ ...DOCUMENT, description: "A thing" })],
  [`DELETE ${ACME}/schemas/:name`, "deleted Schema"],
  [`POST ${ACME}/indexes`, "created Index", () => ({ type: "User", path: "nickName" })],
  [`DELETE ${ACME}/indexes/:type/:path`, "deleted Index"],
  ...webhooks(`${ACME}/webhooks`),
  ...webhooks("/webhooks"),
  ...receivers(`${ACME}/streams`, "Stream", { method: "poll", audience: "https://receiver.example" }),
  ["POST /signing-keys/rotate", "created SigningKey"],
  ["POST /issuers", "created AdminIssuer", () => ISSUER],
  ["PATCH /issuers/:id", "replaced AdminIssuer", () => ({ state: "suspended" }), "/issuers"],
  [
    "POST /admins",
    "created Administrator",
    (id) => ({ issuer: id("/issuers"), subject: "ann", name: "Ann", role: "support" }),
  ],
  ["PATCH /admins/:id", "replaced Administrator", () => ({ role: "operator" }), "/admins"],
  ["DELETE /admins/:id", "deleted Administrator", null, "/admins"],
  ["DELETE /issuers/:id", "deleted AdminIssuer", null, "/issuers"],
  [RELEASE, "replaced GuardHold", (id) => ({ id: id("a change that is held") })],
  [`POST ${ACME}/guard/dismiss`, "replaced GuardHold", () => ({ connection: "default" })],
  [`POST ${DELETED}/restore`, "replaced Request", null, "ann"],
  [`DELETE ${ACME}/subjects/:id`, "replaced Request", null, "ann"],
  ["DELETE /subjects/:id?tenant=acme", "replaced Request", null, "bo"],
  [`POST ${ACME}/erasures`, "replaced Request", () => ({ erasures: [] })],
  [`PATCH ${ACME}`, "replaced Tenant", () => ({ state: "suspended" })],
  [`DELETE ${ACME}?exported=true`, "replaced Tenant"],
];

/** The routes that change something, as the server adds them. */
function changingRoutes(): () => readonly string[] {
  const found = new Set<string>();
  const note = ({ method, url }: RouteOptions): void => {
    const path = /^\/admin\/v1(?<path>\/.*)$/.exec(url)?.groups?.["path"];
    for (const each of [method].flat())
      if (path !== undefined && !["GET", "HEAD", "OPTIONS"].includes(each)) found.add(`${each} ${path}`);
  };
  const listen = (message: unknown): void =>
    // What the framework documents of this channel.
    void (message as { readonly fastify: FastifyInstance }).fastify.addHook("onRoute", note);
  subscribe("fastify.initialization", listen);
  onTestFinished(() => void unsubscribe("fastify.initialization", listen));
  return () => [...found].toSorted();
}

test("every route that changes something is in the trail: who, what, when, from where, in which request", async () => {
  const routes = changingRoutes();
  const server = await startAdministration(SETTINGS);
  const ids = new Map<string, string>();
  const idOf: IdOf = (made) => ids.get(made) ?? "";
  const expected: object[] = [];
  for (const [route, what, body = null, of = ""] of CALLS) {
    if (route === RELEASE) await fill(server, ids);
    const [method = "", path = ""] = route.split(" ");
    const names: Readonly<Record<string, string>> = {
      ...NAMES,
      client: idOf(`${OKTA}/clients`),
      id: idOf(of),
    };
    const at = path.replaceAll(/:(\w+)/g, (_, name: string) => names[name] ?? "");
    const call = { match: "*", ...(body === null ? {} : { body: body(idOf) }) };
    const { status, headers, text, body: made } = await server.send(method, at, call);
    expect([route, status < 300 ? "done" : text]).toEqual([route, "done"]);
    if (method === "POST") ids.set(path, String(made["id"]));
    if (what === null) continue;
    const [kind, type] = what.split(" ");
    expected.push({
      kind,
      type,
      at: expect.stringMatching(/^20/),
      origin: { ...BY, request: headers["x-request-id"] },
    });
  }
  const called = new Set(CALLS.map(([route]) => route.replace(/\?.*/, "")));
  expect([...called].toSorted()).toEqual(routes());
  await eventually(async () => {
    const { body } = await server.send("GET", "/audit?limit=1000");
    const told = expected.map((entry) => expect.objectContaining(entry));
    expect(body["entries"]).toEqual(expect.arrayContaining(told));
  });
});

/** Two users who were deleted, and two whose deletion the guard holds. */
async function fill(server: Administration, ids: Map<string, string>): Promise<void> {
  const token = await server.tenantToken("acme");
  const acme = clientOf({ origin: server.origin, base: "/scim/v2", token });
  for (const userName of ["ann", "bo", "cid", "eve"]) {
    const { id, path } = await acme.user({ userName });
    ids.set(userName, id);
    await acme.call("DELETE", path);
  }
  const { body } = await server.send("GET", "/tenants/acme/guard");
  // The admin API answers a list of objects.
  const [held] = body["held"] as readonly JsonObject[];
  ids.set("a change that is held", String(held?.["id"]));
}

describe.each([
  ["webhooks", "Webhook", {}],
  ["streams", "Stream", { method: "push", audience: "https://hooks.example" }],
] as const)("the addresses of %s", (list, type, more) => {
  /** Longer than what a hash of the trail spells by chance. */
  const mark = "what-opens-it";
  const url = `https://hooks.example/${mark}?key=${mark}`;

  /** What the trail tells of receivers, as somebody reads it. */
  async function told(server: Administration, token?: string): Promise<readonly JsonObject[]> {
    const answer = await server.send("GET", `/audit?type=${type}`, token === undefined ? {} : { token });
    return Array.isArray(answer.body["entries"]) ? (answer.body["entries"] as readonly JsonObject[]) : [];
  }

  test("are in the trail without what often opens them, and that it changed is told", async () => {
    const server = await startAdministration(SETTINGS);
    await server.make("/tenants", { tenant: "acme" });
    const { id } = (await server.make(`/tenants/acme/${list}`, { url, ...more })) as { readonly id: string };
    const path = `/tenants/acme/${list}/${id}`;
    await server.send("PATCH", path, { match: "*", body: { url: `${url}&more` } });
    const [made, changed] = await eventually(async () => {
      const entries = await told(server);
      expect(entries).toHaveLength(2);
      return entries;
    });
    expect(made?.["changes"]).toContainEqual({ path: "url", after: { value: "https://hooks.example/…" } });
    expect(changed?.["changes"]).toEqual([{ path: "url.path" }]);
    expect(JSON.stringify([made, changed])).not.toContain(mark);
  });

  test("that earlier releases told whole are read so by those alone who may change them", async () => {
    const database = { ...SETTINGS, SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db` };
    const { values } = resolveSettings({ flags: {}, environment: database });
    const { opened } = await startStore(values, pino({ level: "silent" }));
    for (const tenant of ["acme", "admin"])
      await opened.store.trail.tell({
        at: "2026-01-01T00:00:00.000Z",
        origin: { command: "scim" },
        kind: "replaced",
        type,
        id: `${tenant}/r1`,
        before: { url },
        after: { url: "https://elsewhere.example/zz" },
        revision: 2,
      });
    await opened.store.close();
    const server = await startAdministration(database);
    await eventually(async () => expect(await told(server)).toHaveLength(2));
    const whole = [url, "https://elsewhere.example/zz"];
    const withoutWay = ["https://hooks.example/…", "https://elsewhere.example/…"];
    for (const [role, ofTenant, ofTrail] of [
      ["owner", whole, whole],
      ["operator", whole, withoutWay],
      ["support", withoutWay, withoutWay],
    ] as const) {
      const read = (await told(server, await server.administrator(role))).map(({ changes }) => changes);
      const shown = [ofTenant, ofTrail].map(([before, after]) => [
        { path: "url", before: { value: before }, after: { value: after } },
      ]);
      expect([role, read]).toEqual([role, shown]);
    }
  });
});
