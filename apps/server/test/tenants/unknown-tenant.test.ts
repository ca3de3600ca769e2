import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "@scim/schemas";
import { expect, test } from "vitest";
import { startAdministration } from "../admin/administering.ts";
import { newFolder } from "../command-line/program.ts";
import { printed } from "../command-line/printed.ts";
import { SECRET_KEYS } from "../over-http/engines.ts";

const KEYS = { SCIM_SECRET_KEYS: SECRET_KEYS };

/** Commands that take a tenant and would find nothing, or begin something, in one that is not there. */
const COMMANDS: readonly (readonly string[])[] = [
  ["import", "users.jsonl"],
  ["export"],
  ["requests", "list"],
  ["case", "export", "x"],
  ["profile", "diff", "tolerant", "strict", "--connection", "default"],
  ["events", "list"],
  ["audit", "list"],
  ["audit", "verify"],
  ["guard", "list"],
  ["index", "list"],
  ["index", "add", "--type", "User", "--path", "title"],
  ["webhook", "list"],
  ["stream", "list"],
  ["client", "list"],
  ["token", "list"],
  ["connection", "list"],
  ["schema", "list"],
];

test.each(COMMANDS.map((command) => [command.join(" "), command] as const))(
  "scim %s of a tenant that is not there is refused",
  async (_name, command) => {
    const folder = newFolder();
    const environment = { ...KEYS, SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}` };
    const users = join(folder, "users.jsonl");
    writeFileSync(
      users,
      JSON.stringify({ schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: "ann" }),
    );
    await printed(["migrate"], environment);
    const args = command.map((arg) => (arg === "users.jsonl" ? users : arg));
    await expect(printed([...args, "--tenant", "nope"], environment)).rejects.toMatchObject({
      message: "There is no tenant 'nope'.",
      exitCode: 1,
    });
    // Whoever takes the name later finds nothing there.
    await printed(["tenant", "create", "nope"], environment);
    expect((await printed(["export", "--tenant", "nope"], environment)).stdout).toBe("");
  },
);

test("scim import acts for a connection that is there, by its profile", async () => {
  const folder = newFolder();
  const environment = { ...KEYS, SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}` };
  const users = join(folder, "users.jsonl");
  const user = { schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: "ann", active: "True" };
  writeFileSync(users, JSON.stringify(user));
  const rejected = async (connection: string): Promise<number> => {
    const { stdout } = await printed(
      ["import", users, "--dry-run", "--json", "--connection", connection],
      environment,
    );
    return (JSON.parse(stdout) as { readonly rejected: number }).rejected;
  };
  await printed(["tenant", "create", "acme"], environment);
  for (const name of ["okta", "admin"])
    await expect(rejected(name)).rejects.toMatchObject({
      message: `Tenant 'default' has no connection '${name}'.`,
      exitCode: 1,
    });
  await printed(["connection", "create", "okta", "--profile", "strict"], environment);
  expect([await rejected("default"), await rejected("okta")]).toEqual([0, 1]);
});

test("a tenant that was deleted takes and gives no resources, and its matters can be looked at", async () => {
  const folder = newFolder();
  const environment = { ...KEYS, SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}` };
  const users = join(folder, "users.jsonl");
  writeFileSync(users, "");
  for (const args of [
    ["create", "acme"],
    ["suspend", "acme"],
    ["delete", "acme", "--exported"],
  ])
    await printed(["tenant", ...args], environment);
  const refused = { message: "The tenant 'acme' was deleted.", exitCode: 1 };
  await expect(printed(["import", users, "--tenant", "acme"], environment)).rejects.toMatchObject(refused);
  await expect(printed(["export", "--tenant", "acme"], environment)).rejects.toMatchObject(refused);
  const events = printed(["events", "list", "--since", "3", "--tenant", "acme"], environment);
  await expect(events).rejects.toMatchObject(refused);
  expect((await printed(["token", "list", "--tenant", "acme"], environment)).code).toBe(0);
});

/** What would leave something behind in a tenant that was deleted. */
const ADDING: readonly (readonly [path: string, body: JsonObject, method?: string])[] = [
  ["/tenants/acme/webhooks", { url: "https://hooks.example/" }],
  ["/tenants/acme/streams", { method: "push", url: "https://hooks.example/", audience: "us" }],
  ["/tenants/acme/streams", { method: "poll", audience: "us" }],
  ["/tenants/acme/indexes", { type: "User", path: "title" }],
  ["/tenants/acme/deleted/User/x/restore", {}],
  ["/tenants/acme/guard/release", { connection: "default" }],
  ["/tenants/acme/connections", { connection: "okta" }],
  ["/tenants/acme/connections/default/tokens", {}],
  ["/tenants/acme/connections/default/clients", {}],
  ["/tenants/acme/schemas", {}],
  ["/tenants/acme", { displayName: "Acme" }, "PATCH"],
  ["/admins", { name: "Ann", role: "tenant-admin", tenant: "acme" }],
];

test("the admin API adds nothing to a tenant that was deleted", async () => {
  const server = await startAdministration({ ...KEYS, SCIM_DATABASE_URL: "sqlite::memory:" });
  await server.make("/tenants", { tenant: "acme" });
  await server.send("PATCH", "/tenants/acme", { match: "*", body: { state: "suspended" } });
  expect((await server.send("DELETE", "/tenants/acme?exported=true", { match: "*" })).status).toBe(200);
  for (const [path, body, method = "POST"] of ADDING) {
    const answer = await server.send(method, path, { body, match: "*" });
    expect([path, answer.status, answer.body["detail"]]).toEqual([
      path,
      409,
      "The tenant 'acme' was deleted.",
    ]);
  }
  // Who goes on from a position learns why there is none, and not to wait for it.
  for (const path of ["/tenants/acme/changes?since=3", "/tenants/acme/audit?since=3"]) {
    const { status, body } = await server.send("GET", path);
    expect([path, status, body["detail"]]).toEqual([path, 409, "The tenant 'acme' was deleted."]);
  }
  for (const part of ["webhooks", "streams", "indexes"]) {
    const { status, body } = await server.send("GET", `/tenants/acme/${part}`);
    const made = Array.isArray(body[part]) ? body[part].filter((each) => !isAlways(each)) : null;
    expect([part, status, made]).toEqual([part, 200, []]);
  }
  // What goes with it may be taken away, and what was erased in it is erased again.
  expect((await server.send("DELETE", "/tenants/acme?exported=true", { match: "*" })).status).toBe(200);
  expect((await server.send("POST", "/tenants/acme/erasures", { body: { erasures: [] } })).status).toBe(200);
});

/** Whether an index is one that every tenant has. */
function isAlways(index: JsonValue): boolean {
  return typeof index === "object" && index !== null && "origin" in index && index["origin"] === "always";
}

test.each([
  ["webhook", "create", "--to", "https://hooks.example/"],
  ["stream", "create", "--audience", "https://receiver.example"],
  ["index", "add", "--type", "User", "--path", "title"],
  ["deleted", "restore", "User", "x"],
])("scim %s %s adds nothing to a tenant that was deleted", async (...command) => {
  const environment = { ...KEYS, SCIM_DATABASE_URL: `sqlite:${join(newFolder(), "scim.db")}` };
  for (const args of [
    ["create", "acme"],
    ["suspend", "acme"],
    ["delete", "acme", "--exported"],
  ])
    await printed(["tenant", ...args], environment);
  await expect(printed([...command, "--tenant", "acme"], environment)).rejects.toMatchObject({
    message: "The tenant 'acme' was deleted.",
    exitCode: 1,
  });
});

test.each([
  ["nope", "There is no tenant 'nope'."],
  ["acme", "The tenant 'acme' was deleted."],
])("scim admin create makes no administrator of the tenant %s", async (tenant, message) => {
  const environment = { ...KEYS, SCIM_DATABASE_URL: `sqlite:${join(newFolder(), "scim.db")}` };
  for (const args of [
    ["create", "acme"],
    ["suspend", "acme"],
    ["delete", "acme", "--exported"],
  ])
    await printed(["tenant", ...args], environment);
  const args = ["admin", "create", "--name", "Ann", "--role", `tenant-admin:${tenant}`];
  await expect(printed(args, environment)).rejects.toMatchObject({ message, exitCode: 1 });
});

test("the admin API answers 404 for what a tenant that is not there would have", async () => {
  const server = await startAdministration({ ...KEYS, SCIM_DATABASE_URL: "sqlite::memory:" });
  const parts = [
    "requests",
    "requests/runs",
    "changes",
    "audit",
    "guard/held",
    "webhooks",
    "streams",
    "tokens",
  ];
  const answers = await Promise.all(
    parts.map(async (part) => [part, (await server.send("GET", `/tenants/nope/${part}`)).status]),
  );
  expect(answers).toEqual(parts.map((part) => [part, 404]));
  expect((await server.send("GET", "/changes?tenant=nope")).status).toBe(404);
  expect((await server.send("GET", "/changes")).status).toBe(200);
});
