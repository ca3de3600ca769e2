import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startAdministered } from "../admin/admin-client.ts";
import { type AdminCall, startAdministration } from "../admin/administering.ts";
import { newFolder } from "../command-line/program.ts";
import { printed } from "../command-line/printed.ts";
import { clientOf, PATCH_OP, type Client } from "../over-http/client.ts";
import { ENGINES, type Engine, SECRET_KEYS } from "../over-http/engines.ts";
import { exchange } from "../over-http/exchange.ts";
import { slowPost } from "../over-http/slow-post.ts";

const BADGE = "urn:example:params:scim:schemas:core:2.0:Badge";
const DESK = "urn:example:params:scim:schemas:extension:acme:1.0:User";
/** A person's name, with what no hash in base64url spells by chance. */
const HOLDER = "ann.of.the.badges";

/** A resource type of its own, and an extension of User. */
const BADGE_SCHEMA = {
  id: BADGE,
  name: "Badge",
  attributes: [
    { name: "number", type: "string", required: true, caseExact: true },
    { name: "color", type: "string" },
    { name: "holder", type: "string" },
  ],
};
const BADGE_TYPE = {
  name: "Badge",
  endpoint: "/Badges",
  schema: BADGE,
  annotations: { number: { indexed: true, sensitivity: "none" } },
};
const DESK_SCHEMA = { id: DESK, name: "Desk", attributes: [{ name: "desk", type: "string" }] };
const USER_TYPE = {
  name: "User",
  endpoint: "/Users",
  schema: "urn:ietf:params:scim:schemas:core:2.0:User",
  schemaExtensions: [{ schema: DESK, required: false }],
};

/** Two tenants on one server, of which acme has documents of its own. */
async function withDocuments(engine: Engine) {
  const database = await engine.make();
  const { environment } = database;
  const server = await startAdministration(environment);
  const tokens = { acme: await server.tenantToken("acme"), globex: await server.tenantToken("globex") };
  const of = (token: string): Client => clientOf({ origin: server.origin, base: "/scim/v2", token });
  const [acme, globex] = [of(tokens.acme), of(tokens.globex)];
  const documents = [BADGE_TYPE, BADGE_SCHEMA, DESK_SCHEMA, USER_TYPE];
  const body = JSON.stringify(documents);
  const headers = { "content-type": "application/json" };
  const put = await server.send("POST", "/tenants/acme/schemas", { match: 0, body, headers });
  expect([put.status, put.headers.etag]).toEqual([200, `W/"${String(put.body["revision"])}"`]);
  await eventually(async () => expect((await acme.call("GET", "/Badges")).status).toBe(200));
  return { database, environment, server, acme, globex, tokens };
}

const badge = (of: JsonObject): JsonObject => ({ schemas: [BADGE], ...of });

describe.each(ENGINES)("schemas of a tenant's own on $name", (engine) => {
  test("are served to it alone, in every part of the service", async () => {
    const { environment, server, acme, globex, tokens } = await withDocuments(engine);
    const made = await acme.call("POST", "/Badges", {
      body: badge({ number: "A-1", color: "red", holder: HOLDER }),
    });
    expect(made).toMatchObject({ status: 201, body: { number: "A-1", meta: { resourceType: "Badge" } } });
    const path = `/Badges/${String(made.body["id"])}`;
    expect((await acme.call("GET", "/Badges?filter=number%20eq%20%22A-1%22")).body).toMatchObject({
      totalResults: 1,
    });
    const op = {
      body: { schemas: [PATCH_OP], Operations: [{ op: "replace", path: "color", value: "blue" }] },
    };
    expect(await acme.call("PATCH", path, op)).toMatchObject({ status: 200, body: { color: "blue" } });
    expect(await acme.call("POST", "/Badges", { body: badge({ color: "red" }) })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("'number' is required") },
    });
    const user = await acme.user({ userName: HOLDER, [DESK]: { desk: "by the window" } });
    expect(user.body).toMatchObject({ [DESK]: { desk: "by the window" } });

    // Whatever globex asks for, it is answered as for what never was.
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"]) {
      for (const address of [
        "/Badges",
        path,
        "/Badges/.search",
        `/.dry-run${path}`,
        "/ResourceTypes/Badge",
        `/Schemas/${BADGE}`,
      ]) {
        const body =
          method === "GET" || method === "OPTIONS" || method === "DELETE"
            ? {}
            : { body: badge({ number: "1" }) };
        const own = await globex.call(method, address, body);
        const never = address.replaceAll("Badge", "Nothing");
        const unknown = await globex.call(method, never, body);
        expect([
          method,
          address,
          own.status,
          own.headers.allow,
          own.text.replaceAll("Badge", "Nothing"),
        ]).toEqual([method, address, unknown.status, unknown.headers.allow, unknown.text]);
        if (method === "GET" && !address.includes("/.")) expect(own.status).toBe(404);
      }
    }
    const plain = await globex.user({ userName: HOLDER, [DESK]: { desk: "by the window" } });
    expect(JSON.stringify(plain.body)).not.toContain("by the window");
    const names = async (client: Client) => {
      const { body } = await client.call("GET", "/ResourceTypes");
      return JSON.stringify(body).match(/"name":"[A-Za-z]+"/g);
    };
    expect(await names(acme)).toEqual(['"name":"User"', '"name":"Group"', '"name":"Badge"']);
    expect(await names(globex)).toEqual(['"name":"User"', '"name":"Group"']);
    const openApi = async (token: string) =>
      (
        await exchange(server.origin, {
          method: "GET",
          path: "/openapi.json",
          headers: { authorization: `Bearer ${token}` },
        })
      ).text;
    expect(await openApi(tokens.acme)).toContain("/Badges");
    expect(await openApi(tokens.globex)).not.toContain("Badge");
    const bulk = {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],
      Operations: [{ method: "POST", path: "/Badges", bulkId: "1", data: badge({ number: "B-1" }) }],
    };
    expect((await acme.call("POST", "/Bulk", { body: bulk })).body).toMatchObject({
      Operations: [{ status: "201" }],
    });
    expect((await globex.call("POST", "/Bulk", { body: bulk })).body).toMatchObject({
      Operations: [{ status: "404" }],
    });

    // The audit log and the request log know which attributes tell of persons.
    await eventually(async () => {
      const audit = await server.ask("GET", "/tenants/acme/audit");
      expect(audit.text).toContain('"A-1"');
      expect(audit.text).not.toContain(HOLDER);
      const requests = await server.ask("GET", "/tenants/acme/requests");
      expect(requests.text).toContain("A-1");
      expect(requests.text).not.toContain(HOLDER);
    });

    const scim = async (...args: string[]) => (await printed(args, environment)).stdout;
    expect(await scim("export", "--tenant", "acme", "--type", "Badge")).toContain('"A-1"');
    await eventually(async () => {
      expect(await scim("index", "list", "--tenant", "acme")).toMatch(/Badge +number +schema +ready/);
    });
    expect(await scim("index", "list", "--tenant", "globex")).not.toContain("Badge");
  });

  test("are changed by revision, on every process within a second, and refused where something would break", async () => {
    const { environment, server, acme } = await withDocuments(engine);
    const other = await startAdministered(environment);
    const elsewhere = clientOf({ ...other, base: "/scim/v2", token: await server.tenantToken("acme") });
    const at = "/tenants/acme/schemas";
    const wider = {
      ...BADGE_SCHEMA,
      attributes: [...BADGE_SCHEMA.attributes, { name: "shape", type: "string" }],
    };
    const put = (name: string, body: JsonObject, match: AdminCall["match"]) =>
      server.send("PUT", `${at}/${encodeURIComponent(name)}`, {
        body,
        ...(match === undefined ? {} : { match }),
      });
    expect((await put(BADGE, wider, undefined)).status).toBe(428);
    expect((await put(BADGE, wider, 7)).status).toBe(412);
    const { body: before } = await server.send("GET", at);
    expect((await put("Other", wider, before)).status).toBe(400);
    expect(await put(BADGE, wider, before)).toMatchObject({ status: 200, body: { kind: "Schema" } });
    const { body: after } = await server.send("GET", at);
    await eventually(async () => {
      const body = badge({ number: "A-1", shape: "round" });
      expect((await elsewhere.call("POST", "/Badges", { body })).body).toMatchObject({ shape: "round" });
    });
    const narrower = { ...wider, attributes: wider.attributes.map((each) => ({ ...each, required: true })) };
    const refused = [
      [() => put(BADGE, narrower, "*"), 409, "has resources of type Badge"],
      [() => server.send("DELETE", `${at}/Badge`, { match: after }), 409, "it is gone"],
      [() => server.send("DELETE", `${at}/${encodeURIComponent(BADGE)}`, { match: "*" }), 400, BADGE],
      [() => server.send("DELETE", `${at}/Room`, { match: "*" }), 404, "no document 'Room'"],
      [() => put("Room", { name: "Room", endpoint: "/Users", schema: BADGE }, "*"), 400, "/Users"],
      [() => put("Room", { name: "Room" }, "*"), 400, "name the document"],
    ] as const;
    for (const [send, status, detail] of refused) {
      const answer = await send();
      expect([answer.status, answer.body["detail"]]).toEqual([status, expect.stringContaining(detail)]);
    }
    // The extension holds no value of a user: nothing breaks where it goes.
    const left = await server.send("DELETE", `${at}/User`, { match: after });
    expect(left.status).toBe(200);
    expect((await server.send("GET", at)).body).toMatchObject({ revision: left.body["revision"] });
    expect((await acme.call("GET", "/Users")).status).toBe(200);
    await eventually(async () => {
      const trail = (await printed(["audit", "list", "--tenant", "admin"], environment)).stdout;
      expect(trail).toContain(`Schema acme/${BADGE.toLowerCase()}`);
    });
    const foreign = await server.administrator("tenant-admin", "globex");
    expect((await server.send("GET", at, { token: foreign })).status).toBe(404);
    const support = await server.administrator("support");
    expect((await server.send("GET", at, { token: support })).status).toBe(200);
    expect((await server.send("DELETE", `${at}/Badge`, { match: "*", token: support })).status).toBe(403);
  });

  test("a type that goes and a resource that comes at another process exclude each other", async () => {
    const { environment, server, acme, tokens } = await withDocuments(engine);
    const other = await startAdministered(environment);
    const elsewhere = clientOf({ ...other, base: "/scim/v2", token: tokens.acme });
    const at = "/tenants/acme/schemas";
    // The other process believes what it reads now for half a second.
    expect((await elsewhere.call("GET", "/Badges")).status).toBe(200);
    const revision = async () => (await server.send("GET", at)).body["revision"];
    const before = await revision();
    const removing = server.send("DELETE", `${at}/Badge`, { match: "*" });
    await expect.poll(revision, { interval: 5 }).not.toBe(before);
    const made = await elsewhere.call("POST", "/Badges", { body: badge({ number: "A-1" }) });
    const removed = await removing;
    expect([
      [503, 200],
      [404, 200],
    ]).toContainEqual([made.status, removed.status]);
    await eventually(async () => expect((await acme.call("GET", "/Badges")).status).toBe(404));
  });

  test("a resource that was sent before its type went is refused, however long it is under way", async () => {
    const { server, acme, tokens } = await withDocuments(engine);
    const stuck = slowPost(server.origin, {
      path: "/Badges",
      token: tokens.acme,
      body: badge({ number: "A-1" }),
    });
    await stuck.begun;
    const at = "/tenants/acme/schemas";
    expect((await server.send("DELETE", `${at}/Badge`, { match: "*" })).status).toBe(200);
    await eventually(async () => expect((await acme.call("GET", "/Badges")).status).toBe(404));
    const late = await stuck.finish();
    expect(late).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    expect(late.text).toContain(
      "resource type Badge, or its tenant, was changed while the request was under way",
    );
    // It left nothing: the type is one as any other when it is back.
    const back = await server.send("PUT", `${at}/Badge`, { body: BADGE_TYPE, match: "*" });
    expect(back.status).toBe(200);
    await eventually(async () =>
      expect((await acme.call("GET", "/Badges")).body).toMatchObject({ totalResults: 0 }),
    );
    expect((await acme.call("POST", "/Badges", { body: badge({ number: "A-2" }) })).status).toBe(201);
  });

  test("are administered by commands, and documents of the setting are those of the tenant default", async () => {
    const { environment } = await engine.make();
    const folder = newFolder();
    for (const [name, document] of [
      ["badge", BADGE_SCHEMA],
      ["type", BADGE_TYPE],
    ] as const)
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(document));
    const run = (...args: string[]) => printed(args, environment);
    await run("tenant", "create", "acme");
    const reading = ["token", "create", "--scope", "scim:read:Badge", "--tenant", "acme"];
    await expect(run(...reading)).rejects.toThrow("'acme' has no resource type 'Badge'");
    const added = await run("schema", "add", folder, "--tenant", "acme", "--json");
    expect(JSON.parse(added.stdout)).toMatchObject({
      revision: expect.any(Number),
      schemas: [{ name: "Badge" }, { kind: "Schema" }],
    });
    expect(await run(...reading)).toMatchObject({ code: 0 });
    const listed = (await run("schema", "list", "--tenant", "acme")).stdout;
    expect(listed).toMatch(/ResourceType +Badge/);
    expect(listed).toContain(BADGE);
    const server = await startAdministration({ ...environment, SCIM_SCHEMAS: folder });
    const of = async (tenant: string) =>
      clientOf({ origin: server.origin, base: "/scim/v2", token: await server.tenantToken(tenant) });
    const status = async (tenant: string) => (await (await of(tenant)).call("GET", "/Badges")).status;
    expect([await status("default"), await status("acme"), await status("globex")]).toEqual([200, 200, 404]);
    await run("schema", "remove", "Badge", "--tenant", "acme");
    await eventually(async () => expect(await status("acme")).toBe(404));
    expect(await status("default")).toBe(200);
  });
});

describe("a resource type of a tenant's own with references", () => {
  const CREW = "urn:example:params:scim:schemas:core:2.0:Crew";
  const schema = {
    id: CREW,
    name: "Crew",
    attributes: [
      { name: "label", type: "string", required: true },
      {
        name: "hands",
        type: "complex",
        multiValued: true,
        subAttributes: [
          { name: "value", type: "string" },
          { name: "$ref", type: "reference", referenceTypes: ["User"] },
          { name: "type", type: "string" },
        ],
      },
    ],
  };

  test("is served at a mount, with its references, diagnosed for its tenant alone, and told to receivers", async () => {
    const server = await startAdministration({
      SCIM_DATABASE_URL: "sqlite::memory:",
      SCIM_SECRET_KEYS: SECRET_KEYS,
      SCIM_MOUNTS: "/old/crews=acme,/old/other=globex",
    });
    const at = async (tenant: string, base: string): Promise<Client> =>
      clientOf({ origin: server.origin, base, token: await server.tenantToken(tenant) });
    const [acme, globex] = [await at("acme", "/old/crews"), await at("globex", "/old/other")];
    const body = JSON.stringify([schema, { name: "Crew", endpoint: "/Crews", schema: CREW }]);
    const headers = { "content-type": "application/json" };
    const { id } = await server.make("/tenants/acme/connections/default/clients", {});
    const client = `/tenants/acme/connections/default/clients/${String(id)}`;
    const change = { match: "*", body: { scopes: ["scim:read:User", "scim:read:Crew"] } };
    expect((await server.send("PATCH", client, change)).text).toContain(
      "Tenant 'acme' has no resource type 'Crew', which the scope scim:read:Crew names; it has User, Group",
    );
    const put = await server.send("POST", "/tenants/acme/schemas", { match: 0, body, headers });
    expect(put.status).toBe(200);
    expect((await server.send("PATCH", client, change)).status).toBe(200);
    await eventually(async () => expect((await acme.call("GET", "/Crews")).status).toBe(200));

    const wanted = { audience: "https://them.example", method: "poll" };
    const stream = await server.make("/tenants/acme/streams", wanted);

    const ann = await acme.user({ userName: "ann" });
    const hands = [{ value: ann.id, type: "User" }, { value: "gone" }];
    const made = await acme.call("POST", "/Crews", { body: { schemas: [CREW], label: "one", hands } });
    const path = `/Crews/${String(made.body["id"])}`;
    expect(made).toMatchObject({
      status: 201,
      body: {
        meta: { location: `${server.origin}/old/crews${path}` },
        hands: [{ $ref: `${server.origin}/old/crews${ann.path}` }, { value: "gone" }],
      },
    });
    expect((await globex.call("GET", path)).status).toBe(404);
    const diagnosed = await acme.call("GET", "/Diagnostics/ReferentialConsistency?tenantId=acme");
    expect(diagnosed.status).toBe(200);
    expect(diagnosed.text).not.toContain(ann.id);
    const elsewhere = await globex.call("GET", "/Diagnostics/ReferentialConsistency?tenantId=acme");
    expect(elsewhere.status).toBe(404);
    expect(diagnosed.body).toMatchObject({
      orphanedGroupMembers: [{ groupId: made.body["id"], memberId: "gone", issue: expect.any(String) }],
    });

    // Receivers are told of it as of any other.
    await eventually(async () => {
      const polled = await exchange(server.origin, {
        method: "POST",
        path: `/events/acme/${String(stream["id"])}/poll`,
        headers: { authorization: `Bearer ${String(stream["token"])}`, "content-type": "application/json" },
        body: JSON.stringify({ returnImmediately: true }),
      });
      const subjects = Object.values(polled.body["sets"] ?? {}).map((token) => subjectOf(String(token)));
      expect(subjects).toMatchObject([
        { format: "scim", uri: ann.path },
        { format: "scim", uri: path },
      ]);
    });
  });
});

/** Whom a Security Event Token is about, as far as it says so itself. */
function subjectOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).sub_id;
}
