import { expect, test } from "vitest";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { fileURLToPath } from "node:url";
import { EXIT } from "../../src/failure.ts";
import { startAdministration } from "../admin/administering.ts";
import { printed } from "../command-line/printed.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";
import { agentOf, connected, use } from "./agents.ts";

const MEMORY = { SCIM_DATABASE_URL: "sqlite::memory:" };

test("what another tenant has answers as what is not there", async () => {
  const server = await startAdministration(MEMORY);
  const acme = await agentOf(server.origin, await server.tenantToken("acme"));
  const globex = await agentOf(server.origin, await server.tenantToken("globex"));
  const { result } = await use(globex, "scim_create_user", { user_data: { userName: "gina" } });
  const known = { user_id: String(result["id"]) };
  const unknown = { user_id: "019370a0-0000-7000-8000-000000000000" };
  expect(await use(acme, "scim_user_exists", known)).toMatchObject({ result: { exists: false } });
  for (const [name, more] of [
    ["scim_get_user", {}],
    ["scim_update_user", { user_data: { userName: "mine" } }],
    ["scim_delete_user", {}],
    ["scim_patch_user", { operations: [{ op: "remove", path: "title" }], expected_version: "*" }],
  ] as const) {
    const [theirs, nobodys] = [
      await use(acme, name, { ...known, ...more }),
      await use(acme, name, { ...unknown, ...more }),
    ];
    const shown = JSON.stringify(theirs).replaceAll(known.user_id, unknown.user_id);
    expect(shown.replaceAll(/"requestId":"[^"]+"/g, ""), name).toBe(
      JSON.stringify(nobodys).replaceAll(/"requestId":"[^"]+"/g, ""),
    );
    expect(theirs).toMatchObject({ failed: true, result: { error: { status: 404 } } });
  }
  expect(await use(acme, "scim_search_users", { attribute: "userName", value: "gina" })).toMatchObject({
    result: { totalResults: 0 },
  });
  expect(await use(acme, "scim_list_users", { tenant_id: "globex" })).toMatchObject({
    failed: true,
    result: { error: { status: 404 } },
  });
  expect(await use(globex, "scim_list_users", { tenant_id: "globex" })).toMatchObject({
    result: { totalResults: 1 },
  });
});

test("a client that holds results against the schemas of the tools reads what went wrong", async () => {
  const server = await startAdministration(MEMORY);
  const agent = await agentOf(server.origin, await server.tenantToken("acme"));
  // From here on, the client checks.
  const { tools } = await agent.listTools();
  expect(tools.length).toBeGreaterThan(20);
  for (const { name } of tools)
    expect(await use(agent, name, { nonsense: true }), name).toMatchObject({
      failed: true,
      result: { error: { status: 400, detail: expect.stringContaining("nonsense") } },
    });
  expect(await use(agent, "scim_query", { resource_type: "User", filter: "userName eq" })).toMatchObject({
    failed: true,
    result: { error: { status: 400, scimType: "invalidFilter" } },
  });
});

test("scopes decide which tools there are; audit tells whose token changed what", async () => {
  const server = await startAdministration(MEMORY);
  const reader = await agentOf(server.origin, await server.tenantToken("acme", { scopes: ["scim:read"] }));
  const readable = (await reader.listTools()).tools.map(({ name }) => name);
  expect(readable).toContain("scim_get_user");
  expect(readable.filter((name) => /create|update|delete|patch|add|remove/.test(name))).toEqual([]);
  expect(await use(reader, "scim_delete_user", { user_id: "1" })).toMatchObject({
    failed: true,
    result: { error: { status: 403 } },
  });
  const writer = await agentOf(
    server.origin,
    await server.tenantToken("acme", { scopes: ["scim:write:User"], name: "the agent" }),
  );
  const writable = (await writer.listTools()).tools.map(({ name }) => name);
  expect(writable).toEqual([
    "scim_create_user",
    "scim_update_user",
    "scim_patch_user",
    "scim_explain_filter",
  ]);
  const tried = await use(writer, "scim_create_user", { user_data: { userName: "ann" }, dry_run: true });
  expect(tried).toMatchObject({ failed: false, result: { valid: true, resource: { userName: "ann" } } });
  const { result } = await use(writer, "scim_create_user", { user_data: { userName: "ann" } });
  const { body } = await server.send("GET", "/tenants/acme/connections/default/tokens");
  const ids = Object.fromEntries(Object.values(body["tokens"] ?? []).map(({ name, id }) => [name, id]));
  // Positions, and with them audit entries, are given a moment later.
  const told = async (): Promise<string> => (await server.send("GET", "/tenants/acme/audit")).text;
  await expect.poll(told).toContain(String(result["id"]));
  const audit = await server.send("GET", "/tenants/acme/audit");
  expect(audit.body["entries"]).toMatchObject([
    { kind: "created", origin: { credential: ids["the agent"], request: expect.stringMatching(/\.1$/) } },
  ]);
});

test("scim mcp gives the same tools over standard input and output", async () => {
  const token = newToken();
  const { origin } = await startInProcess({ ...MEMORY, SCIM_TOKEN: token });
  const client = await connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [
        "--conditions=@scim/source",
        fileURLToPath(new URL("../../src/cli.ts", import.meta.url)),

        "mcp",
        "--url",
        `${origin}/scim/v2`,
        "--hide-personal",
        "--tools",
        "scim_*_user,scim_server_info",
      ],
      env: { SCIM_TOKEN: token },
    }),
  );
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("scim_patch_user");
  const { result } = await use(client, "scim_create_user", { user_data: { userName: "ann" } });
  expect(result).toMatchObject({ userName: "[hidden]", meta: { version: expect.any(String) } });
  const target = { user_id: String(result["id"]), expected_version: "x" };
  expect(await use(client, "scim_delete_user", target)).toMatchObject({
    failed: true,
    result: { error: { status: 412, expectedVersion: "x" } },
  });
  expect(await use(client, "scim_server_info", { tenant_id: "default" })).toMatchObject({
    result: { tenant: "default", hidesPersonalValues: true },
  });
});

test("scim mcp refuses a name that stands for no tool, and tells those that there are", async () => {
  const token = newToken();
  const { origin } = await startInProcess({ ...MEMORY, SCIM_TOKEN: token });
  const mcp = (...flags: readonly string[]): ReturnType<typeof printed> =>
    printed(["mcp", "--url", `${origin}/scim/v2`, ...flags], { SCIM_TOKEN: token });
  for (const [flags, told] of [
    [
      ["--tools", "scim_get_*,scim_gte_user"],
      /'scim_gte_user' is the name of no tool; there are scim_create_user, .*/,
    ],
    [["--tools", "*_grp"], /'\*_grp' is the name of no tool; there are .*scim_server_info/],
    [["--tools", "scim_get_user,"], /'' is the name of no tool; /],
    [
      ["--read-only", "--tools", "scim_create_*"],
      /'scim_create_\*' is the name of no tool that only reads; there are scim_get_user, /,
    ],
  ] as const)
    await expect(mcp(...flags)).rejects.toMatchObject({
      exitCode: EXIT.usage,
      message: expect.stringMatching(told),
    });
});
