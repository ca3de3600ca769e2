/**
 * An agent's session, scripted: it looks round, builds a team, meets somebody else's change, and cleans up.
 * @module
 */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { startServer } from "../scim-server.ts";

/** A result, or an error, as a tool gives it. */
type Json = Readonly<Record<string, unknown>>;

/** Calls a tool; what the service refuses is given back under `error`. */
type Use = (tool: string, parameters?: Record<string, unknown>) => Promise<Json>;

async function agent(transport: object): Promise<{ readonly client: Client; readonly use: Use }> {
  const client = new Client({ name: "agent-session", version: "1.0.0" });
  // The SDK's own types disagree about members that are absent.
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return {
    client,
    use: async (name, parameters = {}) => {
      const { structuredContent } = await client.callTool({ name, arguments: parameters });
      return structuredContent as Json;
    },
  };
}

/** The version of what was read, to make a change on. */
function versionOf({ meta }: Json): unknown {
  return (meta as Json)["version"];
}

async function buildTeam(use: Use): Promise<void> {
  const info = await use("scim_server_info");
  equal(info["tenant"], "default");
  ok((info["tools"] as readonly string[]).includes("scim_add_members"));

  const people = [];
  for (const userName of ["ann", "ben", "cho"]) {
    people.push(await use("scim_create_user", { user_data: { userName, userType: "Contractor" } }));
  }
  const ids = people.map(({ id }) => id);
  const team = await use("scim_create_group", { group_data: { displayName: "Crew" } });
  const asRead = { group_id: team["id"], expected_version: versionOf(team) };
  const grown = await use("scim_add_members", { ...asRead, members: ids });
  equal("members" in grown, false);

  // On the version of before, nothing is done; the error tells the one to go on from.
  const late = await use("scim_remove_members", { ...asRead, members: ids.slice(0, 1) });
  const { status, currentVersion } = late["error"] as Json;
  deepEqual([status, currentVersion], [412, versionOf(grown)]);
  await use("scim_remove_members", { ...asRead, expected_version: currentVersion, members: ids.slice(0, 1) });
  const left = (await use("scim_get_group", { group_id: team["id"] }))["members"] as readonly Json[];
  deepEqual(
    left.map(({ value }) => value),
    ids.slice(1),
  );
}

async function leave(use: Use): Promise<void> {
  const filter = 'userType eq "Contractor" and active ne false';
  match(
    String((await use("scim_explain_filter", { filter }))["meaning"]),
    /userType equals "Contractor" and/,
  );
  const found: Json[] = [];
  let cursor: unknown;
  do {
    const page: Json = await use("scim_query", {
      resource_type: "User",
      filter,
      count: 2,
      ...(cursor === undefined ? {} : { cursor }),
    });
    found.push(...(page["Resources"] as readonly Json[]));
    cursor = page["nextCursor"];
  } while (cursor !== undefined);
  equal(found.length, 3);

  const operations = [{ op: "replace", path: "active", value: false }];
  for (const user of found) {
    const change = { user_id: user["id"], operations, expected_version: versionOf(user) };
    equal((await use("scim_patch_user", { ...change, dry_run: true }))["valid"], true);
    equal((await use("scim_patch_user", change))["active"], false);
  }
}

async function lookOn(use: Use, client: Client): Promise<void> {
  const { tools } = await client.listTools();
  ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
  const { Resources: users } = await use("scim_list_users");
  for (const user of users as readonly Json[]) {
    deepEqual([user["userName"], user["active"]], ["[hidden]", false]);
  }
}

const server = await startServer(null);
const { baseUrl, token } = server;
try {
  const http = new StreamableHTTPClientTransport(new URL("/mcp", baseUrl), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const worker = await agent(http);
  await buildTeam(worker.use);
  await leave(worker.use);
  await worker.client.close();

  // Another agent, which may look and not see names: a program that it starts itself.
  const program = fileURLToPath(new URL("../../apps/server/dist/cli.js", import.meta.url));
  const stdio = new StdioClientTransport({
    command: process.execPath,
    args: [program, "mcp", "--url", baseUrl, "--read-only", "--hide-personal"],
    env: { SCIM_TOKEN: token },
  });
  const watcher = await agent(stdio);
  await lookOn(watcher.use, watcher.client);
  await watcher.client.close();
  console.log("agent-session: a team was built, changed on its versions, and let go");
} finally {
  await server.stop();
}
