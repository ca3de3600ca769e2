import { expect, onTestFinished, test, vi } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import { withAdminClient } from "../../src/remote/admin-client.ts";
import { FollowedRequests } from "../../src/requests/followed-requests.ts";
import { requestsAtServer, type RequestReading } from "../../src/requests/request-reading.ts";
import { printed } from "../command-line/printed.ts";
import { newFolder } from "../command-line/program.ts";
import { eventually } from "../eventually.ts";
import { BULK_REQUEST, USER } from "../over-http/client.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { admin, ADMIN_TOKEN, logged } from "./admin.ts";

/** What a command prints. */
async function scim(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> {
  const { code, stdout } = await printed(args, environment);
  expect(code).toBe(0);
  return stdout;
}

test("requests, runs and what a guard holds, on the command line", async () => {
  const environment = {
    SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db`,
    SCIM_ADMIN_TOKEN: ADMIN_TOKEN,
    SCIM_GUARD_MODE: "hold",
    SCIM_GUARD_AT_LEAST: "0",
    SCIM_GUARD_PERCENT: "0",
  };
  const server = await startInProcess(environment);
  const { path } = await server.user({ userName: "ines@corp.example" });
  const off = [{ op: "replace", path: "active", value: "False" }];
  expect((await server.patch(path, off)).status).toBe(429);
  expect((await server.patch(path, [{ op: "replace", path: "title", value: "Ines" }])).status).toBe(200);
  const [, refused] = await logged(server, 3);
  await eventually(async () => expect(await changes(server)).toContain("patched"));

  const list = await scim(environment, "requests", "list", "--status", "failed");
  expect(list).toContain(`  429  PATCH ${path}  `);
  expect(list).toContain(
    '    default sent active as the string "False"; switch string-booleans read it as false.\n',
  );
  expect(list).toContain("Rule: tooManyRequests, RFC 6585 §4. To change: ");
  const lines = (await scim(environment, "requests", "list", "--json", "--since", "1h")).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { status: 201 },
    { status: 429, id: refused?.["id"] },
    { status: 200 },
  ]);
  const page = await scim(environment, "requests", "show", String(refused?.["requestId"]));
  expect(page).toContain('"value": "False"');
  expect(page).toContain(String(refused?.["id"]));

  // A line of JSON for each, as of requests.
  const run = JSON.parse(await scim(environment, "requests", "list", "--runs", "--json")) as { run: string };
  expect(run).toMatchObject({ requests: 3, failed: 1 });
  const changed = await scim(environment, "requests", "show", run.run, "--changes");
  expect(changed).toMatch(
    /patched User\/[\w-]+ {2}\(event \d+, request [\w-]+\)\n {2}title: nothing → ~[\w-]{22}\n/,
  );

  expect(changed).toMatch(/^created User\/.+\n {2}userName: nothing → ~[\w-]{22}@example\.invalid$/m);

  expect(await scim(environment, "guard", "list")).toMatch(
    /^[\w-]+ {2}held {2}default {2}deactivations {2}User\/.+ sent 1 time\n {2}active: nothing → false\n$/,
  );
  expect(await scim(environment, "guard", "release", "--connection", "default")).toBe(
    "1 held change let pass when sent again.\n",
  );
  expect((await server.patch(path, off)).status).toBe(200);
  expect(await scim(environment, "guard", "list")).toBe("Nothing is held.\n");

  const guard = [
    "--guard",
    "observe",
    "--guard-bound",
    "20,5,30",
    "--guard-named",
    "a, b",
    "--silent-after",
    "90",
  ];
  await scim(environment, "connection", "create", "entra", ...guard);
  const connection = await scim(environment, "connection", "show", "entra", "--json");
  expect(JSON.parse(connection)).toMatchObject({
    guard: { mode: "observe", atLeast: 20, percent: 5, window: 30, named: ["a", "b"] },
    silentAfter: 90,
  });
  await scim(environment, "connection", "change", "entra", "--guard", "hold");
  await scim(environment, "connection", "change", "entra", "--guard-named", "c");
  const held = await scim(environment, "connection", "show", "entra", "--json");
  expect(JSON.parse(held)).toMatchObject({
    guard: { mode: "hold", atLeast: 20, percent: 5, window: 30, named: ["c"] },
  });
});

test("all changes of a long run are shown, of the database and of a server", async () => {
  const environment = {
    SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db`,
    SCIM_ADMIN_TOKEN: ADMIN_TOKEN,
  };
  const server = await startInProcess(environment);
  // More than a page.
  const Operations = Array.from({ length: 600 }, (_, n) => ({
    method: "POST",
    path: "/Users",
    bulkId: `b${n}`,
    data: { schemas: [USER], userName: `u${n}` },
  }));
  const answer = await server.call("POST", "/Bulk", { body: { schemas: [BULK_REQUEST], Operations } });
  expect(answer.status).toBe(200);
  const [{ run } = {}] = await logged(server, 1);
  await eventually(async () => expect((await admin(server, "/changes?last=0")).body["next"]).toBe(600));
  for (const where of [[], ["--url", server.origin]]) {
    const show = (...flags: readonly string[]): Promise<string> =>
      scim(environment, "requests", "show", String(run), ...flags, ...where);
    const text = await show("--changes");
    expect(text.match(/^created User\//gm)).toHaveLength(600);
    const told = JSON.parse(await show("--changes", "--json")) as {
      changes: readonly { position: number }[];
    };
    expect(told.changes.map(({ position }) => position)).toEqual(Operations.map((_, n) => n + 1));
    expect(told).toEqual({ ...(JSON.parse(await show("--json")) as object), changes: told.changes });
  }
});

async function changes(server: { readonly origin: string }): Promise<string> {
  return (await admin(server, "/changes?limit=1000")).text;
}

test.each([
  ["requests", "list", "--status", "odd"],
  ["requests", "list", "--since", "yesterday"],
  ["requests", "show"],
  ["requests", "list", "--limit", "0"],
  ["guard", "release"],
  ["guard", "release", "1", "--connection", "x"],
  ["connection", "create", "x", "--guard", "odd"],
  ["connection", "create", "x", "--guard", "hold", "--guard-bound", "1,2"],
  ["connection", "create", "x", "--guard", "hold", "--guard-bound", " ,2,3"],
  ["connection", "create", "x", "--guard", "default", "--guard-bound", "1,2,3"],
  ["connection", "create", "x", "--guard", "default", "--guard-named", "ceo@corp.example"],
  ["tenant", "change", "x", "--keep", "deleted= "],
  ["case", "export"],
])("a command line that is wrong is refused before the database is opened: %s", async (...args) => {
  const nowhere = { SCIM_DATABASE_URL: "sqlite:/nowhere/at/all.db" };
  await expect(runCommand(args, nowhere)).rejects.toMatchObject({ exitCode: 2 });
});

test("a request is shown without what would steer a terminal", async () => {
  const environment = {
    SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db`,
    SCIM_ADMIN_TOKEN: ADMIN_TOKEN,
  };
  const server = await startInProcess(environment);
  await server.call("GET", "/Users", { headers: { "user-agent": "agent\u009B31m" } });
  const [{ id } = {}] = await logged(server, 1);
  expect(await scim(environment, "requests", "show", String(id))).toContain("user-agent: agent\\u009b31m\n");
});

test("who follows the log goes on where the clock of the server is set back", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const server = await startInProcess({
    SCIM_DATABASE_URL: "sqlite::memory:",
    SCIM_ADMIN_TOKEN: ADMIN_TOKEN,
  });
  await server.user({ userName: "before" });
  await logged(server, 1);
  const place = { url: server.origin, flags: {}, environment: { SCIM_ADMIN_TOKEN: ADMIN_TOKEN } };
  await withAdminClient(place, async (client) => {
    const query = { limit: 10, since: new Date().toISOString() };
    const requests = requestsAtServer(client);
    const { log, there } = await FollowedRequests.begin({ requests, tenant: "default", query });
    expect(there).toEqual([]);
    vi.setSystemTime(Date.now() - 3_600_000);
    await server.user({ userName: "later" });
    await logged(server, 2);
    const seen = async (): Promise<readonly string[]> => {
      const entries: string[] = [];
      for await (const { method, route, at } of log.look())
        entries.push(`${method} ${route} ${at < query.since ? "earlier" : "later"}`);
      return entries;
    };
    expect(await seen()).toEqual(["POST /Users earlier"]);
    expect(await seen()).toEqual([]);
  });
});

test("who follows the log goes on where a server begins anew behind a clock that was set back", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const settings = {
    SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db`,
    SCIM_ADMIN_TOKEN: ADMIN_TOKEN,
  };
  const first = await startInProcess(settings);
  await first.user({ userName: "before" });
  await logged(first, 1);
  const readingAt = (origin: string): Pick<RequestReading, "list"> => ({
    list: (tenant, query) =>
      withAdminClient({ url: origin, flags: {}, environment: settings }, (client) =>
        requestsAtServer(client).list(tenant, query),
      ),
  });
  let reading = readingAt(first.origin);
  const requests: Pick<RequestReading, "list"> = { list: (tenant, query) => reading.list(tenant, query) };
  const { log } = await FollowedRequests.begin({ requests, tenant: "default", query: { limit: 10 } });
  await first.stop();
  vi.setSystemTime(Date.now() - 3_600_000);
  const second = await startInProcess(settings);
  reading = readingAt(second.origin);
  await second.call("GET", "/Users");
  await logged(second, 2);
  const seen: string[] = [];
  for await (const { method, route } of log.look()) seen.push(`${method} ${route}`);
  expect(seen).toEqual(["GET /Users"]);
});
