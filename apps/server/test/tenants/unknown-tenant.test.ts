import { writeFileSync } from "node:fs";
import { join } from "node:path";
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
  for (const name of ["okta", "admin"])
    await expect(rejected(name)).rejects.toMatchObject({
      message: `Tenant 'default' has no connection '${name}'.`,
      exitCode: 1,
    });
  await printed(["connection", "create", "okta", "--profile", "strict"], environment);
  expect([await rejected("default"), await rejected("okta")]).toEqual([0, 1]);
});

test("a tenant that was deleted takes and gives no resources, and its matters can be looked at", async () => {
  const environment = { ...KEYS, SCIM_DATABASE_URL: `sqlite:${join(newFolder(), "scim.db")}` };
  for (const args of [
    ["create", "acme"],
    ["suspend", "acme"],
    ["delete", "acme", "--exported"],
  ])
    await printed(["tenant", ...args], environment);
  const refused = { message: "The tenant 'acme' was deleted.", exitCode: 1 };
  await expect(printed(["import", "x.jsonl", "--tenant", "acme"], environment)).rejects.toMatchObject(
    refused,
  );
  await expect(printed(["export", "--tenant", "acme"], environment)).rejects.toMatchObject(refused);
  expect((await printed(["token", "list", "--tenant", "acme"], environment)).code).toBe(0);
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
