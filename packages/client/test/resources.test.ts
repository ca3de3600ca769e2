import {
  createFetchTransport,
  createScimClient,
  createUndiciTransport,
  defineResourceType,
  ServiceError,
  type ScimClient,
} from "@scim/client";
import { createScimClient as createFetchClient } from "@scim/client/fetch";
import { createInProcessTransport } from "@scim/client/in-process";
import { createDefaultRegistry, defineSchema, ENTERPRISE_USER_URN, USER_URN } from "@scim/schemas";
import { describe, expect, onTestFinished, test } from "vitest";
import { aUser, scripted } from "./support/scripted.ts";
import { aService, serve, TOKEN } from "./support/service.ts";

const DEVICE = defineSchema({
  id: "urn:example:params:scim:schemas:acme:1.0:Device",
  name: "Device",
  attributes: [
    { name: "serial", type: "string", required: true, uniqueness: "server" },
    { name: "seen", type: "dateTime", mutability: "readOnly" },
    { name: "weight", type: "decimal" },
  ],
});

function withDevices() {
  const registry = createDefaultRegistry();
  registry.addSchema(DEVICE);
  registry.addResourceType({ name: "Device", endpoint: "/Devices", schema: DEVICE.id });
  return registry;
}

const CLIENTS: readonly (readonly [name: string, make: () => Promise<ScimClient>])[] = [
  [
    "undici",
    async () =>
      createScimClient({ baseUrl: await serve(aService({ registry: withDevices() })), auth: TOKEN }),
  ],
  [
    "undici, compressed and pipelined",
    async () => {
      const transport = createUndiciTransport({ compression: true, pipelining: 4, connections: 2 });
      onTestFinished(() => transport.close());
      return createScimClient({
        baseUrl: await serve(aService({ registry: withDevices() })),
        auth: TOKEN,
        transport,
      });
    },
  ],
  [
    "fetch",
    async () =>
      createFetchClient({ baseUrl: await serve(aService({ registry: withDevices() })), auth: TOKEN }),
  ],
  [
    "fetch on Node",
    async () =>
      createScimClient({
        baseUrl: new URL(await serve(aService({ registry: withDevices() }))),
        auth: TOKEN,
        transport: createFetchTransport(),
      }),
  ],
  [
    "in process",
    async () =>
      createScimClient({
        baseUrl: "https://id.example/scim/v2/",
        auth: TOKEN,
        transport: createInProcessTransport(aService({ registry: withDevices() })),
      }),
  ],
];

async function closing(make: () => Promise<ScimClient>): Promise<ScimClient> {
  const client = await make();
  onTestFinished(() => client.close());
  return client;
}

describe.each(CLIENTS)("over %s", (_name, make) => {
  test("a user is created, read, replaced, patched, found and deleted", async () => {
    const { users } = await closing(make);
    const created = await users.create({
      userName: "bjensen",
      name: { givenName: "Barbara" },
      [ENTERPRISE_USER_URN]: { department: "Sales" },
    });
    expect(created.schemas).toEqual([USER_URN, ENTERPRISE_USER_URN]);
    expect(await users.get(created.id)).toEqual(created);
    expect(await users.exists(created.id)).toBe(true);

    const replaced = await users.replace(created, { ...created, title: "Dr" });
    expect([replaced.title, replaced[ENTERPRISE_USER_URN]?.department]).toEqual(["Dr", "Sales"]);
    const patched = await users.patch(replaced, [{ op: "replace", path: "active", value: false }]);
    expect(patched).toMatchObject({ id: created.id, title: "Dr", active: false });

    const listed = await users.list({ filter: 'userName eq "BJENSEN"' }).toArray();
    expect(listed).toEqual([patched]);
    expect(await users.search({ filter: 'userName eq "BJENSEN"' }).first()).toEqual(patched);
    const slim = await users.get(created.id, { attributes: ["userName"] });
    expect(Object.keys(slim).toSorted()).toEqual(["id", "meta", "schemas", "userName"]);

    await users.delete(created.id);
    expect(await users.exists(created.id)).toBe(false);
    await expect(users.get(created.id)).rejects.toMatchObject({ code: "notFound", status: 404 });
  });

  test("a resource type of one's own has the same methods", async () => {
    const client = await closing(make);
    const devices = client.resource(
      defineResourceType({ name: "Device", endpoint: "/Devices", schema: DEVICE }),
    );
    const device = await devices.create({ serial: "ä/4711", weight: 1.5 });
    expect(device).toMatchObject({ serial: "ä/4711", weight: 1.5, schemas: [DEVICE.id] });
    expect(await devices.page({ count: 1 })).toMatchObject({ totalResults: 1, resources: [device] });

    const [, , found] = await client.discovery.resourceTypes();
    expect(found).toMatchObject({ name: "Device", endpoint: "/Devices", schema: { id: DEVICE.id } });
    if (found === undefined) throw new TypeError("There is a third type.");
    expect(await client.resource(found).get(device.id)).toEqual(device);
  });

  test("a dry run tells what a change would come to, and changes nothing", async () => {
    const { users } = await closing(make);
    expect(await users.dryRun.create({ userName: "ada" })).toMatchObject({ valid: true, status: "201" });
    const ada = await users.create({ userName: "ada" });
    const again = await users.dryRun.create({ userName: "ada" });
    expect(again).toMatchObject({ valid: false, status: "409", error: { scimType: "uniqueness" } });
    expect(await users.dryRun.replace(ada, { userName: "eve" })).toMatchObject({
      resource: { userName: "eve" },
    });
    expect(await users.dryRun.patch(ada, [{ op: "add", path: "title", value: "Dr" }])).toMatchObject({
      resource: { title: "Dr" },
    });
    expect(await users.dryRun.delete(ada)).toMatchObject({ valid: true, status: "204" });
    expect(await users.list().toArray()).toEqual([ada]);
  });

  test("an error of the service keeps its code, its message and what to do", async () => {
    const { users } = await closing(make);
    await users.create({ userName: "bjensen" });
    const error: unknown = await users.create({ userName: "bjensen" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      code: "uniqueness",
      status: 409,
      scimType: "uniqueness",
      scim: { status: "409" },
      request: { method: "POST", path: "/Users", attempts: 1 },
      remedy: expect.stringContaining("Send another value"),
    });
  });

  test("any other request can be made", async () => {
    const client = await closing(make);
    const { status, headers, body } = await client.request({ method: "GET", path: "/Users?count=0" });
    expect([status, headers["content-type"], body?.["totalResults"]]).toEqual([
      200,
      "application/scim+json; charset=utf-8",
      0,
    ]);
    const added = await client.request({
      method: "POST",
      path: "/Users",
      body: { schemas: [USER_URN], userName: "x" },
    });
    expect(added.status).toBe(201);
  });

  test("a request that is given up ends at once", async () => {
    const { users } = await closing(make);
    const controller = new AbortController();
    controller.abort();
    await expect(users.get("1", { signal: controller.signal })).rejects.toMatchObject({ code: "aborted" });
  });
});

test("the service of the caller is asked who the caller is", async () => {
  const client = createScimClient({
    baseUrl: "https://id.example/scim/v2",
    auth: TOKEN,
    transport: createInProcessTransport(aService()),
  });
  await expect(client.me()).rejects.toMatchObject({ code: "notFound", request: { path: "/Me" } });
  const { client: known, requests } = scripted([{ body: aUser() }]);
  expect(await known.me()).toEqual(aUser());
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /scim/v2/Me"]);
});

test("what is readOnly is not sent, at any level, and 'schemas' are worked out", async () => {
  const bodies: string[] = [];
  const handler = aService();
  const client = createScimClient({
    baseUrl: "https://id.example/scim/v2",
    auth: TOKEN,
    transport: createInProcessTransport({
      handle: (request) => {
        if (request.body !== null) bodies.push(Buffer.from(request.body).toString());
        return handler.handle(request);
      },
    }),
  });
  const group = { value: "g", display: "G" };
  const input = {
    userName: "a",
    id: "x",
    meta: {},
    groups: [group],
    [ENTERPRISE_USER_URN]: { manager: { value: "m", displayName: "M" } },
  };
  await client.users.create(input);
  expect(JSON.parse(bodies[0] ?? "")).toEqual({
    schemas: [USER_URN, ENTERPRISE_USER_URN],
    userName: "a",
    [ENTERPRISE_USER_URN]: { manager: { value: "m" } },
  });
});

test("'schemas' name an extension that the type does not know, too: services pass over what they leave out", async () => {
  const unknown = "urn:example:params:scim:schemas:extension:acme:1.0:Badge";
  const { client, requests } = scripted([{ status: 201, body: aUser() }]);
  // The types have no extensions but those of the type.
  const input = { userName: "a", [unknown]: { number: 7 }, [USER_URN]: { title: "Dr" } };
  await client.users.create(input);
  expect(JSON.parse(requests[0]?.body ?? "")).toEqual({ schemas: [USER_URN, unknown], ...input });
});
