import { expect, test } from "vitest";
import { ADMIN_TOKEN, startAdministered } from "../admin/admin-client.ts";
import { newFolder } from "./program.ts";
import { printed } from "./printed.ts";

const ADDRESS = "https://them.example/events";
const MISSING = "Tenant 'default' has no resource type 'Usr' at present; it has User, Group.";

test("a type that a tenant does not have is told of, at the database and at a server, and taken: it may come later", async () => {
  const environment = { SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db` };
  await printed(["tenant", "create", "other"], environment);
  const here = (...args: string[]) => printed(args, environment);
  const server = await startAdministered(environment);
  const there = (...args: string[]) =>
    printed([...args, "--url", server.origin], { SCIM_ADMIN_TOKEN: ADMIN_TOKEN });

  for (const scim of [here, there]) {
    for (const command of ["webhook", "stream"]) {
      const create = [command, "create", "--to", ADDRESS] as const;
      expect(await scim(...create, "--types", "User,Usr.deleted,*.created")).toMatchObject({
        code: 0,
        stderr: expect.stringContaining(`notice  types: ${MISSING}\n`),
      });
      expect((await scim(...create, "--types", "User,*.deleted")).stderr).not.toContain("notice");
      const { stdout } = await scim(...create, "--types", "Usr", "--json");
      expect(JSON.parse(stdout)).toMatchObject({ notices: [{ path: "types", message: MISSING }] });
    }
    const polled = await scim("stream", "create", "--audience", "them", "--types", "Usr");
    expect(polled.stderr).toContain(MISSING);
    const ofTrail = ["webhook", "create", "--to", ADDRESS, "--tenant", "admin", "--types"] as const;
    const notices = await scim(...ofTrail, "Tenant,GuardExceeded,*.created");
    expect(notices.stderr).not.toContain("notice");
    expect((await scim(...ofTrail, "Tenant,GuardExeeded")).stderr).toContain(
      "notice  types: The trail of administration has no type 'GuardExeeded'; it has AdminIssuer, ",
    );

    expect(await scim("audit", "list", "--type", "Usr")).toMatchObject({
      code: 0,
      stderr: `notice  type: ${MISSING}\n`,
    });
    expect((await scim("audit", "list", "--type", "User")).stderr).toBe("");
    expect((await scim("audit", "list", "--type", "Token", "--tenant", "admin")).stderr).toBe("");
    expect((await scim("audit", "list", "--type", "User", "--tenant", "admin")).stderr).toContain(
      "notice  type: The trail of administration has no type 'User'",
    );
    const { stdout } = await scim("audit", "list", "--type", "Usr", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ entries: [], notices: [{ path: "type", message: MISSING }] });
  }

  const json = { "content-type": "application/json", "if-match": "*" };
  const webhooks = "/tenants/default/webhooks";
  const made = await server.ask("POST", webhooks, json, { url: ADDRESS, types: ["User"] });
  expect(made.body).not.toHaveProperty("notices");
  const one = `${webhooks}/${String(made.body["id"])}`;
  const changed = await server.ask("PATCH", one, json, { types: ["Usr"] });
  expect(changed.body).toMatchObject({ types: ["Usr"], notices: [{ path: "types", message: MISSING }] });
  const paused = await server.ask("PATCH", one, json, { state: "paused" });
  expect(paused.body).not.toHaveProperty("notices");
});
