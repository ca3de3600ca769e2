import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ConnectionError } from "@scim/client";
import type { JsonObject } from "@scim/schemas";
import { idOfGiven } from "../../src/credentials/start-tokens.ts";
import { EXIT } from "../../src/failure.ts";
import { auditAtServer } from "../../src/audit/audit-reading.ts";
import { receiversAtServer } from "../../src/delivery/receiver-administration.ts";
import { erasuresAtServer } from "../../src/administration/erasures.ts";
import { adminFailure } from "../../src/remote/admin-failure.ts";
import type { AdminClient, AdminRequest } from "../../src/remote/admin-requests.ts";
import { requestsAtServer } from "../../src/requests/request-reading.ts";
import { ADMIN_TOKEN, startAdministered } from "../admin/admin-client.ts";
import { newToken } from "../over-http/server.ts";
import { interruption, printed } from "./printed.ts";
import { newFolder } from "./program.ts";

const NOWHERE = "sqlite:/nowhere/at/all.db";

test("more than a server gives at once is read in several requests, no more than is asked for", async () => {
  const kept = 2500;
  const asked: string[] = [];
  const admin = {
    send: async ({ query = {} }: AdminRequest): Promise<JsonObject> => {
      asked.push(
        new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString(),
      );
      const { last, limit, since } = query;
      if (last === 0) return { entries: [], next: kept };
      const [after, count] = [Number(since), Number(limit)];
      const entries = Array.from({ length: Math.min(count, kept - after) }, (_, at) => ({
        ...ENTRY,
        position: after + at + 1,
      }));
      return { entries, next: after + entries.length };
    },
    change: () => Promise.reject(new Error("Nothing is changed.")),
    find: async () => null,
    isAway: () => false,
  };
  const listed = async (since: number | null, limit: number) => {
    const { entries, next } = await auditAtServer(admin, "default").list({
      since,
      limit,
      filters: null,
    });
    return [entries.length, entries[0]?.position, entries.at(-1)?.position, next, asked.splice(0)];
  };
  expect(await listed(null, 1200)).toEqual([
    1200,
    1301,
    2500,
    2500,
    ["last=0", "since=1300&limit=1000", "since=2300&limit=200"],
  ]);
  expect(await listed(400, 2000)).toEqual([
    2000,
    401,
    2400,
    2400,
    ["since=400&limit=1000", "since=1400&limit=1000"],
  ]);
  expect(await listed(2000, 5000)).toEqual([500, 2001, 2500, 2500, ["since=2000&limit=1000"]]);
});

const ENTRY = {
  at: "2026-11-22T00:00:00.000Z",
  kind: "created",
  type: "User",
  id: "1",
  changes: [],
  collections: [],
  hash: "h",
};

test("all that a receiver was given up for is read, page by page", async () => {
  const given = Array.from({ length: 2500 }, (_, index) => ({
    position: 2 * index + 1,
    type: "User",
    resource: `u${index}`,
    attempts: 9,
    since: ENTRY.at,
    problem: null,
  }));
  const admin = {
    send: async ({ query = {} }: AdminRequest): Promise<JsonObject> => {
      const behind = given.filter(({ position }) => position > Number(query["since"]));
      return { dead: behind.slice(0, Number(query["limit"])) };
    },
    change: () => Promise.reject(new Error("Nothing is changed.")),
    find: async () => null,
    isAway: () => false,
  };
  const receivers = receiversAtServer(admin, "webhook", "default");
  expect(await receivers.dead("hook", 0)).toEqual(given);
  expect(await receivers.dead("hook", 4)).toEqual(given.slice(2));
});

test("a run of a server is shown without its changes", async () => {
  const asked: unknown[] = [];
  const run = { run: "run-1", connection: "hr", begun: ENTRY.at, ended: ENTRY.at, requests: 9 };
  const admin = {
    send: () => Promise.reject(new Error("Nothing else is asked for.")),
    change: () => Promise.reject(new Error("Nothing is changed.")),
    find: async (path: string, query?: AdminRequest["query"]) => {
      asked.push([path, query]);
      return { ...run, changes: [], next: 7, more: true };
    },
    isAway: () => false,
  };
  expect(await requestsAtServer(admin).runs("default", { run: "run-1", limit: 1 })).toEqual([run]);
  expect(asked).toEqual([["/tenants/default/runs/run-1", { limit: 1 }]]);
});

test("documents that a server refuses are named by their files", async () => {
  const server = await startAdministered({ SCIM_DATABASE_URL: "sqlite::memory:" });
  const folder = newFolder();
  const files = [
    ["fine.json", { id: "urn:example:a", name: "A", attributes: [{ name: "a", type: "string" }] }],
    ["wrong.json", { id: "urn:example:b", name: "B", attributes: [{ name: "b", type: "text" }] }],
  ] as const;
  for (const [name, document] of files) writeFileSync(join(folder, name), JSON.stringify(document));
  const environment = { SCIM_ADMIN_TOKEN: ADMIN_TOKEN, SCIM_DATABASE_URL: NOWHERE };
  const added = printed(["schema", "add", folder, "--url", server.origin], environment);
  await expect(added).rejects.toMatchObject({ message: expect.stringContaining(join(folder, "wrong.json")) });
  await expect(added).rejects.not.toMatchObject({ message: expect.stringMatching(/document \d/) });
});

test("tokens of connections and of administrators are made, imported, listed and revoked at a server", async () => {
  const server = await startAdministered({ SCIM_DATABASE_URL: "sqlite::memory:" });
  const environment = { SCIM_ADMIN_TOKEN: ADMIN_TOKEN, SCIM_DATABASE_URL: NOWHERE };
  // The address of SCIM leads to the server that it belongs to.
  const scim = (...args: string[]) => printed([...args, "--url", `${server.origin}/scim/v2`], environment);
  await scim("tenant", "create", "acme", "--display-name", "Acme");
  await scim("connection", "create", "okta", "--tenant=acme", "--switches=require-version,-bare-token");
  const { stdout } = await scim("connection", "change", "okta", "--tenant=acme", "--rate=10");
  expect(stdout).toMatch(/^okta +active +default +require-version,-bare-token +10\/s, 40 at once +default$/m);

  const made = await scim("token", "create", "--tenant=acme", "--connection=okta", "--name=Ann's");
  expect(made.stderr).toMatch(/^Token \S+ of tenant 'acme'. It is good until 20/);
  const authorization = `Bearer ${made.stdout.trim()}`;
  const me = async (): Promise<number> =>
    (await fetch(`${server.origin}/scim/v2/Users`, { headers: { authorization } })).status;
  expect(await me()).toBe(200);
  await scim("token", "import", "--tenant=acme", "--scheme=sha256", `--hash=${"a".repeat(64)}`);
  const tokens = await scim("token", "list", "--tenant=acme");
  expect(tokens.stdout).toMatch(/Ann's +okta +scim +- +20\S+ +\S+ +good$/m);
  expect(tokens.stdout).toMatch(/ default +scim +- +20\S+ +never +imported \(sha256\)$/m);
  expect((await scim("token", "list", "--tenant=acme", "--connection=okta")).stdout).not.toContain("sha256");
  const id = /^(?<id>\S+) +Ann's/m.exec(tokens.stdout)?.groups?.["id"] ?? "";
  await scim("token", "revoke", id, "--tenant=acme");
  await expect.poll(me).toBe(401);

  await expect(scim("token", "create", "--tenant=admin")).rejects.toThrow("--name is missing");
  const operator = await scim("token", "create", "--tenant=admin", "--role=tenant-admin:acme", "--name=Bo");
  const listed = await scim("token", "list", "--tenant=admin");
  expect(listed.stdout).toMatch(/Bo +- +tenant-admin:acme +- +20\S+ +never +good$/m);
  const bo = { SCIM_ADMIN_TOKEN: operator.stdout.trim() };
  const asBo = printed(["tenant", "suspend", "acme", "--url", server.origin], bo);
  await expect(asBo).rejects.toMatchObject({
    exitCode: EXIT.failed,
    message: `${server.origin}: This asks for an administrator whose role is owner or operator. Give the token of such an administrator, by SCIM_ADMIN_TOKEN or --token-file.`,
  });
  const revoked = /^(?<id>\S+) +Bo/m.exec(listed.stdout)?.groups?.["id"] ?? "";
  await scim("token", "revoke", revoked, "--tenant=admin");
  expect((await scim("admin", "list")).stdout).toMatch(/ Bo +tenant-admin +acme +20\S+ +\S+ +revoked$/m);

  const index = ["--tenant=acme", "--type=User", "--path=nickname"];
  expect((await scim("index", "add", ...index)).stdout).toContain("User nickName is declared");
  expect((await scim("index", "add", ...index)).stdout).toContain("has an index already");
  expect((await scim("index", "drop", ...index)).stdout).toContain("is not used any more");

  await scim("tenant", "suspend", "acme");
  const deleted = await scim("tenant", "delete", "acme", "--exported");
  expect(deleted.stdout).toMatch(/^Tenant 'acme' is deleted with \d+ rows/);
  const trail = await server.ask("GET", "/audit?limit=1000");
  expect(trail.text).not.toContain('"command"');
});

test("the audit log, events, requests and cases of a server are those of its database", async () => {
  const folder = newFolder();
  const here = {
    SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}`,
    SCIM_ADMIN_TOKEN: ADMIN_TOKEN,
    SCIM_TOKEN: newToken(),
  };
  const server = await startAdministered(here);
  for (const userName of ["ann", "bo", "cy"]) await server.user({ userName });
  await expect
    .poll(async () => (await server.ask("GET", "/tenants/default/requests")).body["requests"])
    .toHaveLength(3);
  await expect.poll(async () => (await printed(["audit", "list"], here)).stdout).toMatch(/^3 /m);
  const there = { SCIM_ADMIN_TOKEN: ADMIN_TOKEN, SCIM_DATABASE_URL: NOWHERE };
  const both = async (...args: string[]): Promise<string> => {
    const atServer = await printed([...args, "--url", server.origin], there);
    const onDatabase = await printed(args, here);
    expect(atServer).toEqual(onDatabase);
    return atServer.stdout;
  };
  expect((await both("audit", "export")).split("\n")).toHaveLength(4);
  expect((await both("audit", "export", "--since", "2")).split("\n")).toHaveLength(2);
  expect(await both("audit", "list", "--limit", "1")).toMatch(/^3 .* created +User/m);
  expect(await both("audit", "list", "--since", "1", "--limit", "1")).toMatch(/^2 /m);
  const credential = idOfGiven(server.token);
  const found = await both("audit", "list", "--from", "1h", "--kind", "created", "--credential", credential);
  expect(found).toMatch(/\n1 .*\n2 .*\n3 /);
  const none = await both("audit", "list", "--json", "--admin", "anna", "--until", "2999-01-01");
  expect(JSON.parse(none)).toMatchObject({ entries: [] });
  expect(await both("audit", "verify")).toContain("The chain holds.");
  expect(await both("audit", "verify", "--tenant", "admin")).toContain("The chain holds.");
  expect(await both("events", "list", "--limit", "2")).toMatch(/\n2 .*\n3 /);
  const entries = await both("requests", "list", "--status", "2xx", "--limit", "2", "--json");
  const { id, requestId, run } = JSON.parse(entries.split("\n")[0] ?? "");
  expect(await both("requests", "show", requestId)).toContain(id);
  expect(await both("requests", "show", run)).toContain(id);
  expect(await both("requests", "show", run, "--changes", "--json")).toContain('"changes"');
  expect(JSON.parse(await both("case", "export", requestId))).toMatchObject({
    profile: { name: expect.stringContaining("tolerant") },
  });
  const flips = "--switches=-bare-token,require-version";
  await printed(["connection", "create", "hr", "--profile=okta", flips], here);
  const switches = await both("connection", "switches", "hr");
  expect(switches).toMatch(/^bare-token +off +the connection +Accepts /m);
  expect(switches).toMatch(/^require-version +on +the connection /m);
  expect(switches).toMatch(/^string-booleans +on +okta@2026-11 +Reads /m);
  expect(await both("connection", "switches", "hr", "--json")).toContain('"profile": "okta@2026-11"');
  expect(await both("profile", "diff", "tolerant", "strict", "--connection", "default")).toContain("0 of 3");
  const strict = await server.ask("GET", `/tenants/default/requests/${id}/case?profile=strict,bare-token`);
  expect(strict.body).toMatchObject({ profile: { name: expect.stringContaining("strict") } });
  const unknown = await server.ask("GET", `/tenants/default/requests/${id}/case?profile=nobody`);
  expect(unknown.text).toContain("There is no profile 'nobody'");

  const absent = printed(["requests", "show", "0000", "--url", server.origin], there);
  await expect(absent).rejects.toThrow("Tenant 'default' has no request or run '0000' in its log.");
  expect(await both("events", "list", "--limit", "1001")).toMatch(/\n1 .*\n2 .*\n3 /);
  expect(await both("audit", "list", "--limit", "1001")).toMatch(/\n1 .*\n2 .*\n3 /);
  expect((await both("requests", "list", "--limit", "1001")).split("\n")).toHaveLength(4);
  const ahead = printed(["events", "list", "--since", "9", "--url", server.origin], there);
  await expect(ahead).rejects.toThrow("There is no such position yet: the last is 3.");
});

/** A service that answers every request in the same way. */
async function answering(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const stub = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/scim+json", ...headers }).end(body);
  });
  stub.listen(0, "127.0.0.1");
  await once(stub, "listening");
  onTestFinished(() => void stub.close());
  // A server that listens on a port has an address of this form.
  return `http://127.0.0.1:${(stub.address() as AddressInfo).port}`;
}

const error = (detail: string): string =>
  JSON.stringify({ schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"], detail });

/** The token that the failures below are about: the stub repeats it, and no failure does. */
const SECRET = newToken("admin");

test.each([
  [400, error("A name has 1 to 63 characters."), {}, EXIT.usage, /: A name has 1 to 63 characters\.$/],
  [401, error(`No ${SECRET} here.`), {}, EXIT.failed, /Give the token of an administrator, by SCIM_ADMIN/],
  [403, error("This asks for an owner."), {}, EXIT.failed, /an owner\. Give the token of such an adm/],
  [404, error("There is no tenant 'acme'."), {}, EXIT.failed, /: There is no tenant 'acme'\.$/],
  [404, "<html>", { "content-type": "text/html" }, EXIT.failed, /--url is the origin of a server/],
  [200, "<html>", { "content-type": "text/html" }, EXIT.failed, /web page.*--url is the origin/],
  [302, "", { location: "https://login.example/" }, EXIT.failed, /redirects \(302\) to https:\/\/login/],
  [409, error("The tenant 'acme' was deleted."), {}, EXIT.failed, /: The tenant 'acme' was deleted\.$/],
  [412, error("It was changed."), {}, EXIT.failed, /changed meanwhile.*Run the command again\.$/],
  [428, error("Send If-Match."), {}, EXIT.failed, /: Send If-Match\.$/],
  [429, error("Too many requests."), { "retry-after": "300" }, EXIT.failed, /Try again in 300 s\.$/],
  [503, error("The database is away."), { "retry-after": "90" }, EXIT.failed, /away\. Try again in 90 s\.$/],
  [500, error("The service failed to answer."), {}, EXIT.failed, /the log of the server tells more\.$/],
  [200, "{}", {}, EXIT.failed, /without a list 'connections': is it of another release/],
])(
  "answer %d ends with a sentence that says what to do (%#)",
  async (status, body, headers, exitCode, message) => {
    const url = await answering(status, body, headers);
    const args = ["connection", status === 412 || status === 500 ? "create" : "list"];
    if (args[1] === "create") args.push("okta");
    const call = printed([...args, "--url", url], { SCIM_ADMIN_TOKEN: SECRET });
    const failure = await call.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(failure).toMatchObject({ exitCode, message: expect.stringMatching(message) });
    expect(String(failure)).not.toContain(SECRET);
  },
);

test.each([
  "tenant create x",
  "tenant show x",
  "tenant suspend x",
  "tenant delete x --exported",
  "connection create x",
  "connection show x",
  "connection suspend x",
  "token create",
  "token create --tenant admin --name Ann",
  "token import --scheme sha256 --hash x",
  "token revoke x --tenant admin",
  "client create",
  "client show x --connection default",
  "client suspend x --connection default",
  "client secret add x --connection default",
  "client trust add x --connection default --issuer i --jwks j --audience a --subject s",
  "admin create --name Ann --role owner",
  "admin create --name Ann --role owner --issuer i --subject s",
  "admin change x --role support",
  "admin issuer add --issuer https://id.example --audience us",
  "admin issuer suspend x",
  "index add --type User --path title",
  "index drop --type User --path title",
  "guard release x",
  "webhook create --to https://hooks.example",
  "webhook replay x",
  "webhook drop x",
  "stream rotate x",
])("scim %s is not done where the answer says nothing of it", async (line) => {
  const url = await answering(200, "{}");
  const call = printed([...line.split(" "), "--url", url], { SCIM_ADMIN_TOKEN: SECRET });
  await expect(call).rejects.toMatchObject({
    exitCode: EXIT.failed,
    message: expect.stringMatching(/^The server answered without .*: is it of another release/),
  });
});

test.each([
  ["http://127.0.0.1:9", EXIT.failed, /There is no connection \(ECONNREFUSED\)\. Is the server running/],
  ["https://PLAIN", EXIT.failed, /does not speak TLS.*https or http/],
  // A host that is called as addresses of SCIM are is the one that the token goes to.
  ["http://scim/v2", EXIT.usage, /^http:\/\/scim\/v2: Credentials for http:\/\/scim go over plain HTTP/],
  ["http://admin/v1", EXIT.usage, /^http:\/\/admin\/v1: Credentials for http:\/\/admin go/],
  ["ftp://scim.example", EXIT.usage, /--url is the origin of a server/],
  ["https://a:b@scim.example", EXIT.usage, /--url is the origin of a server/],
  ["scim.example", EXIT.usage, /--url is the origin of a server/],
  ["https://scim.example?", EXIT.usage, /--url is the origin of a server/],
  ["https://scim.example#", EXIT.usage, /--url is the origin of a server/],
  [" https://scim.example", EXIT.usage, /--url is the origin of a server/],
])("%s as --url ends with %d", async (url, exitCode, message) => {
  const plain = (await answering(200, "{}")).replace("http://", "");
  const call = printed(["tenant", "list", "--url", url.replace("PLAIN", plain)], {
    SCIM_ADMIN_TOKEN: SECRET,
    SCIM_PLAIN_HTTP: "refuse",
  });
  await expect(call).rejects.toMatchObject({ exitCode, message: expect.stringMatching(message) });
});

test("erasures are sent again in bodies that a server takes, whatever tenants and keys are called", async () => {
  const sizes: number[] = [];
  const admin: AdminClient = {
    send: async ({ body }) => {
      sizes.push(JSON.stringify(body).length);
      return { lacking: 1 };
    },
    change: async () => ({}),
    find: async () => ({}),
    isAway: () => false,
  };
  const at = "2026-11-27T12:00:00.000Z";
  const subject = "s".repeat(43);
  const listed = Array.from({ length: 5000 }, () => ({
    tenant: "t".repeat(63),
    subject,
    key: "k".repeat(64),
    at,
  }));
  expect(await erasuresAtServer(admin).replay(listed, "a file")).toEqual({ lacking: sizes.length });
  expect(Math.max(...sizes)).toBeLessThan(1_048_576);
});

test("a certificate that is not trusted is told as such", () => {
  const untrusted = Object.assign(new Error("self-signed certificate"), {
    code: "DEPTH_ZERO_SELF_SIGNED_CERT",
  });
  const request = { method: "GET", path: "/tenants", requestId: null, attempts: 4 };
  const cause = new ConnectionError("connectionFailed", "no connection", { request, cause: untrusted });
  expect(adminFailure(cause, "https://scim.example")).toMatchObject({
    message: expect.stringMatching(/not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\).*NODE_EXTRA_CA_CERTS/),
  });
});

test.each([
  [["tenant", "show", ".."], /'\.\.' is no name/],
  [["token", "revoke", ""], /^[A-Z]+ is empty: /],
  [["token", "revoke", "none"], /has no token 'none'/],
  [["admin", "revoke", "none"], /There is no administrator 'none'\./],
  [["admin", "change", "none", "--role=owner"], /There is no administrator 'none'\./],
  [["schema", "remove", "none"], /Tenant 'default' has no document 'none' of its own\./],
  [["index", "add", "--type=Users", "--path=title"], /There is no resource type 'Users'/],
  [["index", "drop", "--type=User", "--path=userName"], /demands the index of userName/],
  [["index", "drop", "--type=User", "--path=title"], /User title has no index/],
  [["config"], /'scim config' works on this machine alone, without --url/],
  [["backup", "copy.db"], /'scim backup' works on this machine alone, without --url/],
])("%j is refused by --url", async (args, message) => {
  const server = await startAdministered({ SCIM_DATABASE_URL: "sqlite::memory:" });
  const call = printed([...args, "--url", server.origin], { SCIM_ADMIN_TOKEN: ADMIN_TOKEN });
  await expect(call).rejects.toMatchObject({ message: expect.stringMatching(message) });
});

test("the token comes from a variable, or from the file of credentials that a server wrote", async () => {
  const server = await startAdministered({ SCIM_DATABASE_URL: "sqlite::memory:" });
  const file = join(newFolder(), "credentials");
  writeFileSync(file, `SCIM_TOKEN=${newToken()}\nSCIM_ADMIN_TOKEN=${ADMIN_TOKEN}\n`);
  const args = ["tenant", "show", "default", "--url", server.origin];
  await expect(printed(args, { SCIM_TOKEN: newToken() })).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: expect.stringMatching(/SCIM_ADMIN_TOKEN/),
  });
  expect((await printed([...args, "--token-file", file], {})).stdout).toMatch(/^default +active/m);
  writeFileSync(file, `SCIM_TOKEN=${newToken()}\n`);
  await expect(printed([...args, "--token-file", file], {})).rejects.toMatchObject({
    exitCode: EXIT.usage,
    message: `The token file ${file} has no line SCIM_ADMIN_TOKEN=, which is asked for here.`,
  });
});

test("events are followed on behind a restart of the server, and of none that was never there", async () => {
  const seen: string[] = [];
  const event = (position: number): object => ({
    position,
    at: "2027-01-01T00:00:00.000Z",
    kind: "created",
    type: "User",
    id: `u${position}`,
    connection: "default",
    subject: null,
    changed: [],
    collections: [],
  });
  const interrupt = interruption();
  const stub = createServer((request, response) => {
    seen.push(request.url ?? "");
    const { searchParams } = new URL(request.url ?? "", "http://stub");
    // The third request meets a server that stops.
    if (seen.length === 3) response.writeHead(503, { "retry-after": "100" }).end();
    else {
      const next = Number(searchParams.get("since") ?? 0) + 1;
      const body = searchParams.has("last") ? { events: [], next: 0 } : { events: [event(next)], next };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    }
    if (seen.length === 5) interrupt();
  });
  stub.listen(0, "127.0.0.1");
  await once(stub, "listening");
  onTestFinished(() => void stub.close());
  // A server that listens on a port has an address of this form.
  const url = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`;
  const followed = await printed(["events", "follow", "--url", url], { SCIM_ADMIN_TOKEN: SECRET });
  expect(followed.stdout).toMatch(/^1 .*User u1 [^]*\n2 .*User u2 /);
  expect(seen.slice(1, 5).map((path) => new URL(path, url).searchParams.get("since"))).toEqual([
    "0",
    "1",
    "1",
    "2",
  ]);
  const away = await answering(503, "", { "retry-after": "100" });
  const call = printed(["events", "follow", "--since", "1", "--url", away], { SCIM_ADMIN_TOKEN: SECRET });
  await expect(call).rejects.toThrow("Try again in 100 s.");
});
