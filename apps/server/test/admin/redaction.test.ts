import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { COMMANDS } from "../../src/command-table/table.ts";
import { OR_SERVER } from "../../src/command-table/arguments.ts";
import { CHANGING_NOTHING, ENDLESS } from "../command-line/calls.ts";
import { printed } from "../command-line/printed.ts";
import { eventually } from "../eventually.ts";
import { SECRET_KEYS } from "../over-http/engines.ts";
import { startAdministration, type Administration } from "./administering.ts";
import { makeMarkedTenant, MARK, type MarkedTenant } from "./marked-tenant.ts";

const IN_MEMORY = {
  SCIM_DATABASE_URL: "sqlite::memory:",
  SCIM_SECRET_KEYS: SECRET_KEYS,
  SCIM_DELIVERY_PRIVATE_ADDRESSES: "allow",
  SCIM_DELIVERY_PLAIN_HTTP: "allow",
  SCIM_GUARD_MODE: "hold",
  SCIM_GUARD_AT_LEAST: "2",
  SCIM_GUARD_PERCENT: "0",
};

/** What is read of a tenant. */
interface Read {
  readonly server: Administration;
  readonly marked: MarkedTenant;
  /** Patterns of all addresses that a GET of administration is answered at, below `/admin/v1`. */
  readonly routes: readonly string[];
}

/** A server with a tenant `acme` that holds marks everywhere, and the routes that it has. */
async function readable(): Promise<Read> {
  const routes = new Set<string>();
  const listen = (message: unknown): void => {
    // The channel of Fastify: it tells each instance that is made.
    const { fastify } = message as { readonly fastify: FastifyInstance };
    fastify.addHook("onRoute", ({ method, url }) => {
      if (url.startsWith("/admin/v1/") && [method].flat().includes("GET"))
        routes.add(url.slice("/admin/v1".length));
    });
  };
  subscribe("fastify.initialization", listen);
  onTestFinished(() => void unsubscribe("fastify.initialization", listen));
  const server = await startAdministration(IN_MEMORY);
  const marked = await makeMarkedTenant(server, "acme");
  return { server, marked, routes: [...routes] };
}

/** Waits until what was sent is in the log and told to receivers, and the guard holds some. */
async function settled({ server }: Read): Promise<void> {
  await eventually(async () => {
    const counts = await Promise.all(
      [
        ["requests?limit=1000", "requests"],
        ["guard", "held"],
        ["deleted", "deleted"],
        ["audit?limit=5", "entries"],
        ["schemas", "schemas"],
      ].map(async ([path = "", name = ""]) => {
        const { body } = await server.send("GET", `/tenants/acme/${path}`);
        return [name, Array.isArray(body[name]) ? body[name].length : 0];
      }),
    );
    expect(counts).toEqual([
      ["requests", expect.toSatisfy((count: number) => count > 80)],
      ["held", expect.toSatisfy((count: number) => count > 2)],
      ["deleted", expect.toSatisfy((count: number) => count > 1)],
      ["entries", 5],
      ["schemas", 2],
    ]);
  });
}

/** Lists of what the parameters of an address name, by the parameter: where it is read, and the member of its rows. */
const LISTS: Readonly<Record<string, readonly [path: string, list: string, member: string]>> = {
  "requests/:id": ["requests?limit=1000", "requests", "id"],
  "runs/:run": ["runs", "runs", "run"],
  "schemas/:name": ["schemas", "schemas", "name"],
  "tokens/:id": ["tokens", "tokens", "id"],
  "clients/:client": ["clients", "clients", "id"],
  "webhooks/:id": ["webhooks", "webhooks", "id"],
  "streams/:id": ["streams", "streams", "id"],
};

/** Every address of a pattern in tenant `acme`; where nothing of it is there, one that is not. */
async function addressesOf({ server, marked }: Read, pattern: string): Promise<readonly string[]> {
  const inTenant = pattern
    .replace(":tenant", marked.tenant)
    .replace(":connection", "default")
    .replace("/profiles/:name", "/profiles/tolerant");
  if (pattern.includes(":type/:id")) {
    return Object.entries(marked.deleted).map(([type, id]) =>
      inTenant.replace(":type", type).replace(":id", id),
    );
  }
  const [, kind] = /([a-z]+\/:[a-z]+)(?:\/[a-z]+)?$/.exec(inTenant) ?? [];
  if (kind === undefined) return [inTenant, `${inTenant}?limit=1000`, `${inTenant}?count=1000`];
  const [list, rows, member] = LISTS[kind] ?? [];
  const parameter = kind.slice(kind.indexOf(":"));
  if (list === undefined || !pattern.startsWith("/tenants/")) return [inTenant.replace(parameter, "none")];
  const { body } = await server.send("GET", `/tenants/${marked.tenant}/${list}`);
  // The admin API answers a list of objects.
  const found = body[rows ?? ""] as readonly Readonly<Record<string, string>>[];
  expect(found, kind).not.toEqual([]);
  return found.map((row) => inTenant.replace(parameter, encodeURIComponent(row[member ?? ""] ?? "")));
}

/** What of an answer has the mark, with what stands before it. */
function marksIn(text: string): readonly string[] {
  // To look for what stands before it takes a hundred times as long.
  if (!text.toLowerCase().includes(MARK.toLowerCase())) return [];
  return [...text.matchAll(new RegExp(`.{0,120}${MARK}.{0,20}`, "gi"))].map(([found]) => found);
}

/** Addresses that are for other roles. */
const REFUSED = new Set([
  "/tenants/:tenant/changes",
  "/changes",
  "/admins",
  "/admins/:id",
  "/issuers",
  "/issuers/:id",
  "/webhooks",
  "/webhooks/:id",
  "/webhooks/:id/dead",
]);

/** What `support` finds, at any address and by any command. */
async function readAsSupport(read: Read): Promise<readonly unknown[]> {
  const { server, routes } = read;
  const support = await server.administrator("support");
  expect(routes).toContain("/tenants/:tenant/requests/:id/case");
  const leaks: unknown[] = [];
  for (const pattern of routes) {
    const statuses = new Set<number>();
    for (const path of await addressesOf(read, pattern)) {
      const { status, text } = await server.send("GET", path, { token: support });
      statuses.add(status);
      leaks.push(...marksIn(text).map((found) => [path, found]));
    }
    expect([pattern, statuses.has(REFUSED.has(pattern) ? 403 : 200)]).toEqual([pattern, true]);
  }
  const environment = { SCIM_ADMIN_TOKEN: support };
  for (const [name, args] of await readingCommands(read)) {
    // That one replays all requests.
    for (const more of name === "profile diff" ? [[]] : [[], ["--json"]]) {
      const at = ["--url", server.origin, ...more];
      const { stdout, stderr } = await printed([...name.split(" "), ...args, ...at], environment).catch(
        (error: unknown) => ({ stdout: "", stderr: String(error) }),
      );
      const isRefused = stderr.includes("asks for an administrator");
      expect([name, stdout !== "" || name === "erase" || isRefused]).toEqual([name, true]);
      leaks.push(...marksIn(stdout + stderr).map((found) => [name, found]));
    }
  }
  return leaks;
}

/** What reading commands are given beside the tenant; of `requests list`, the first two that failed. */
const ARGUMENTS: Readonly<Record<string, (read: Read, ids: readonly string[]) => readonly string[]>> = {
  "tenant show": () => ["acme"],
  "connection show": () => ["default"],
  "connection switches": () => ["default"],
  "client show": (_read, [, client = ""]) => [client],
  "requests list": () => ["--limit=1000"],
  "requests show": (_read, [id = ""]) => [id],
  "case export": (_read, [id = ""]) => [id],
  "profile diff": () => ["tolerant", "strict", "--connection=default"],
  "webhook dead": ({ marked }) => [marked.webhook],
  "stream dead": ({ marked }) => [marked.stream],
  "deleted show": ({ marked }) => ["User", marked.deleted["User"] ?? ""],
  "events list": () => ["--limit=1000"],
  erase: () => ["--list"],
};
/** What waits for deliveries and changes that there are none of, or works on what the others have read. */
const NOT_HERE = new Set(["tenant delete", "webhook replay", "webhook drop", "stream drop", ...ENDLESS]);

/** The commands that read at a server, with what they are given. */
async function readingCommands(read: Read): Promise<readonly (readonly [string, readonly string[]])[]> {
  const { body } = await read.server.send("GET", "/tenants/acme/requests?status=failed&limit=3");
  // The admin API answers a list of objects.
  const requests = body["requests"] as readonly Readonly<Record<string, string>>[];
  const clients = await read.server.send("GET", "/tenants/acme/clients");
  const [client] = clients.body["clients"] as readonly Readonly<Record<string, string>>[];
  const ids = [requests[0]?.["id"] ?? "", client?.["clientId"] ?? ""];
  const reading = COMMANDS.flatMap(({ name, actions }) =>
    actions.flatMap(({ name: action, flags, operands }) => {
      const called = `${name} ${action}`.trimEnd();
      const isReading = CHANGING_NOTHING.has(called) || ["events list", "erase"].includes(called);
      if (flags["url"] !== OR_SERVER.url || !isReading || NOT_HERE.has(called)) return [];
      if (operands.some(({ optional }) => optional !== true) && ARGUMENTS[called] === undefined)
        throw new TypeError(`Say what 'scim ${called}' is given`);
      const tenant = flags["tenant"] === undefined ? [] : ["--tenant=acme"];
      return [[called, [...(ARGUMENTS[called]?.(read, ids) ?? []), ...tenant]] as const];
    }),
  );
  expect(reading.length).toBeGreaterThan(20);
  return reading;
}

/** What the administrator of another tenant finds, at any address. */
async function readAsOther(read: Read): Promise<readonly unknown[]> {
  const { server, routes } = read;
  await server.make("/tenants", { tenant: "globex" });
  const token = await server.administrator("tenant-admin", "globex");
  const leaks: unknown[] = [];
  for (const pattern of routes) {
    const foreign = await addressesOf(read, pattern);
    const own = foreign.map((path) => path.replace("/tenants/acme", "/tenants/globex"));
    for (const path of [...foreign, ...own, ...foreign.map((each) => `${each.split("?")[0]}?tenant=acme`)]) {
      const { status, text } = await server.send("GET", path, { token });
      leaks.push(...marksIn(text).map((found) => [path, found]));
      if (path.startsWith("/tenants/acme")) expect([path, status]).toEqual([path, 404]);
    }
  }
  return leaks;
}

test("support reads no value of a person, and the administrator of a tenant nothing of another, wherever they ask", async () => {
  const read = await readable();
  await settled(read);
  expect(await readAsSupport(read)).toEqual([]);
  expect(await readAsOther(read)).toEqual([]);
});
