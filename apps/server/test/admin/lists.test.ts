import type { JsonObject } from "@scim/schemas";
import { expect, test } from "vitest";
import { printed } from "../command-line/printed.ts";
import { clientOf } from "../over-http/client.ts";
import { SECRET_KEYS } from "../over-http/engines.ts";
import { ADMIN_TOKEN } from "./admin-client.ts";
import { type Administration, startAdministration } from "./administering.ts";

const ACME = "/tenants/acme";
const HOOK = { url: "https://receiver.example/" };
const EXTENSION = "urn:example:params:scim:schemas:extension:acme:1.0:";

/** A list, what makes so many more of it, and the command that prints it. */
interface List {
  readonly path: string;
  readonly name: string;
  readonly add?: (server: Administration, n: number) => Promise<unknown>;
  readonly command: readonly string[];
  /** Members that the server changes by itself, from one reading to the next. */
  readonly moving?: readonly string[];
}

/** How far a receiver is. */
const DELIVERY = ["position", "failingSince", "lastDelivery", "lastProblem", "waiting", "dead"];

/** Makes something of a list by a POST to its address. */
function posting(path: string, body: (n: number) => JsonObject): NonNullable<List["add"]> {
  return (server, n) => server.make(path, body(n));
}

const LISTS: readonly List[] = [
  {
    path: "/tenants",
    name: "tenants",
    add: posting("/tenants", (n) => ({ tenant: `t${n}` })),
    command: ["tenant", "list"],
  },
  {
    path: `${ACME}/connections`,
    name: "connections",
    add: posting(`${ACME}/connections`, (n) => ({ connection: `c${n}` })),
    command: ["connection", "list", "--tenant=acme"],
  },
  {
    path: `${ACME}/tokens`,
    name: "tokens",
    add: posting(`${ACME}/connections/default/tokens`, (n) => ({ name: `k${n}` })),
    command: ["token", "list", "--tenant=acme"],
  },
  { path: `${ACME}/connections/default/tokens`, name: "tokens", command: ["token", "list", "--tenant=acme"] },
  {
    path: `${ACME}/clients`,
    name: "clients",
    add: posting(`${ACME}/connections/default/clients`, (n) => ({ name: `o${n}` })),
    command: ["client", "list", "--tenant=acme"],
  },
  {
    path: `${ACME}/connections/default/clients`,
    name: "clients",
    command: ["client", "list", "--tenant=acme"],
  },
  {
    path: `${ACME}/webhooks`,
    name: "webhooks",
    add: posting(`${ACME}/webhooks`, () => HOOK),
    command: ["webhook", "list", "--tenant=acme"],
    moving: DELIVERY,
  },
  {
    path: "/webhooks",
    name: "webhooks",
    add: posting("/webhooks", () => HOOK),
    command: ["webhook", "list", "--tenant=admin"],
    moving: DELIVERY,
  },
  {
    path: `${ACME}/streams`,
    name: "streams",
    add: posting(`${ACME}/streams`, () => ({ method: "poll", audience: "https://receiver.example" })),
    command: ["stream", "list", "--tenant=acme"],
    moving: DELIVERY,
  },
  {
    path: "/signing-keys",
    name: "keys",
    add: posting("/signing-keys/rotate", () => ({ aheadMinutes: 0 })),
    command: ["stream", "keys"],
  },
  {
    path: `${ACME}/deleted`,
    name: "deleted",
    add: async (server, n) => {
      const token = await server.tenantToken("acme");
      const client = clientOf({ origin: server.origin, base: "/scim/v2", token });
      const { path } = await client.user({ userName: `u${n}` });
      expect((await client.call("DELETE", path)).status).toBe(204);
      // Who deleted it is told once the deletion has its position.
      await expect
        .poll(async () => (await server.send("GET", `${ACME}/deleted`)).text)
        .not.toContain('"by":null');
    },
    command: ["deleted", "list", "--tenant=acme"],
  },
  {
    path: `${ACME}/indexes`,
    name: "indexes",
    add: (server, n) =>
      server.make(`${ACME}/indexes`, { type: "User", path: ["title", "nickName", "locale"][n] ?? "" }),
    command: ["index", "list", "--tenant=acme"],
    moving: ["state", "since", "built"],
  },
  {
    path: `${ACME}/erasures`,
    name: "erasures",
    add: async (server, n) => {
      const [key = ""] = SECRET_KEYS.split(":");
      const at = "2026-11-22T00:00:00.000Z";
      const erasures = [{ tenant: "acme", subject: String(n).repeat(43), key, at }];
      const { status, text } = await server.send("POST", `${ACME}/erasures`, { body: { erasures } });
      expect([status, JSON.parse(text)]).toEqual([200, { lacking: 1 }]);
    },
    command: ["erase", "--list", "--tenant=acme"],
  },
  {
    path: "/admins",
    name: "admins",
    add: posting("/admins", (n) => ({ name: `a${n}`, role: "support" })),
    command: ["admin", "list"],
    // The test is an administrator too.
    moving: ["lastUsed"],
  },
  {
    path: "/issuers",
    name: "issuers",
    add: posting("/issuers", (n) => ({
      issuer: `https://id${n}.example`,
      audience: "scim",
      jwksUri: `https://id${n}.example/keys`,
    })),
    command: ["admin", "issuer", "list"],
  },
  {
    path: `${ACME}/schemas`,
    name: "schemas",
    add: async (server, n) => {
      const body = { id: `${EXTENSION}E${n}`, name: `E${n}`, attributes: [{ name: "x", type: "string" }] };
      const { status, text } = await server.send("POST", `${ACME}/schemas`, { body, match: "*" });
      expect(status, text).toBe(200);
    },
    command: ["schema", "list", "--tenant=acme"],
  },
];

const MADE = 3;
const KEYS = ["subject", "id", "name", "connection", "path", "tenant"];

test("every list has pages that lead through all of it, and commands at a server follow them", async () => {
  const server = await startAdministration({
    SCIM_DATABASE_URL: "sqlite::memory:",
    SCIM_SECRET_KEYS: SECRET_KEYS,
  });
  await server.make("/tenants", { tenant: "acme" });
  for (const { path, name, add, command, moving = [] } of LISTS) {
    for (let n = 0; n < MADE; n += 1) await add?.(server, n);
    const whole = await server.send("GET", path);
    expect([whole.status, whole.body["next"]], path).toEqual([200, null]);
    const all = listed(whole.body, name);
    expect(all.length, path).toBeGreaterThanOrEqual(MADE);

    const walked: JsonObject[] = [];
    for (let query = "limit=1"; query !== "";) {
      const { body } = await server.send("GET", `${path}?${query}`);
      const page = listed(body, name);
      expect(page, path).toHaveLength(1);
      walked.push(...page);
      const { next } = body;
      query = typeof next === "string" ? `limit=1&after=${encodeURIComponent(next)}` : "";
    }
    const still = (entry: JsonObject): JsonObject => without(entry, moving);
    expect(walked.map(still), path).toEqual(all.map(still));
    for (const wrong of ["limit=0", "limit=1001", "limit=x", "limt=1", "wait=1"])
      expect((await server.send("GET", `${path}?${wrong}`)).status, path).toBe(400);

    const shown = await printed([...command, "--url", server.origin], { SCIM_ADMIN_TOKEN: ADMIN_TOKEN });
    for (const each of all) expect(shown.stdout, path).toContain(keyOf(each));
  }
});

const NOT_TAKEN = [
  ["DELETE", "/subjects/nobody?tennant=acme", "'tennant' at this address: it takes tenant, type."],
  ["DELETE", "/tenants/default/subjects/nobody?tenant=acme", "it takes type."],
  ["DELETE", "/tenants/default?force=true", "it takes exported."],
  ["GET", "/tenants/default/changes?tenant=acme", "it takes since, limit, last, wait."],
  ["GET", "/tenants/default/runs?status=failed", "it takes connection, since, before, limit."],
  ["GET", "/audit/verification?limit=1", "it takes since."],
  ["GET", "/tenants?__proto__=1", "it takes after, limit."],
  ["POST", "/tenants?limit=1", "POST takes no parameter 'limit' at this address: it takes none."],
] as const;

test("a parameter that a request does not take is refused before anything is done", async () => {
  const server = await startAdministration({
    SCIM_DATABASE_URL: "sqlite::memory:",
    SCIM_SECRET_KEYS: SECRET_KEYS,
  });
  for (const [method, path, told] of NOT_TAKEN) {
    const { status, text } = await server.send(method, path);
    expect([status, text], path).toEqual([400, expect.stringContaining(told)]);
  }
});

function listed(body: JsonObject, name: string): readonly JsonObject[] {
  const list = body[name];
  // Every list of the table is one of objects.
  if (Array.isArray(list)) return list as readonly JsonObject[];
  throw new TypeError(`There is no list '${name}' in ${JSON.stringify(body)}`);
}

function without(entry: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name)));
}

function keyOf(entry: JsonObject): string {
  const key = KEYS.map((name) => entry[name]).find((value) => typeof value === "string");
  return String(key);
}

test.each(["tokens", "clients", "guard", "requests", "runs", "audit"])(
  "%s of a connection that is not there are 404, of one that has none an empty list",
  async (name) => {
    const server = await startAdministration({
      SCIM_DATABASE_URL: "sqlite::memory:",
      SCIM_SECRET_KEYS: SECRET_KEYS,
    });
    await server.make("/tenants", { tenant: "acme" });
    await server.make(`${ACME}/connections`, { connection: "okta" });
    expect((await server.send("GET", `${ACME}/${name}?connection=okta`)).status).toBe(200);
    const { status, body } = await server.send("GET", `${ACME}/${name}?connection=otka`);
    expect([status, body["detail"]]).toEqual([404, "Tenant 'acme' has no connection 'otka'."]);
  },
);
