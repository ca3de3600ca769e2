import { describe, expect, test } from "vitest";
import { startAdministration } from "../admin/administering.ts";
import { ENGINES } from "../over-http/engines.ts";
import { slowPost } from "../over-http/slow-post.ts";

describe.each(ENGINES)("a tenant that is deleted on $name", (engine) => {
  test("takes no resource that was on its way, however long it is", async () => {
    const database = await engine.make();
    const server = await startAdministration(database.environment);
    const token = await server.tenantToken("acme");
    const body = { schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: "late" };
    const stuck = slowPost(server.origin, { path: "/Users", token, body });
    await stuck.begun;
    await server.send("PATCH", "/tenants/acme", { match: "*", body: { state: "suspended" } });
    const deleted = await server.send("DELETE", "/tenants/acme?exported=true", { match: "*" });
    expect(deleted.status).toBe(200);
    expect(await stuck.finish()).toMatchObject({ status: 503 });
    expect(await database.query("SELECT id FROM resources WHERE tenant = 'acme'")).toEqual([]);
    expect(await database.query("SELECT id FROM events WHERE tenant = 'acme'")).toEqual([]);
  });
});
