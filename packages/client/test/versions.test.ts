import { createScimClient, UsageError, VersionConflictError, type ClientEvent } from "@scim/client";
import { createInProcessTransport, type InProcessRequest } from "@scim/client/in-process";
import { describe, expect, test } from "vitest";
import { aUser, scripted, type Step } from "./support/scripted.ts";
import { aService, TOKEN } from "./support/service.ts";

const EXTENSION = "urn:example:params:scim:schemas:extension:scim:1.0:ServiceProviderConfig";

/** A client of a service in this process, and what was sent to it. */
function watched() {
  const handler = aService();
  const sent: InProcessRequest[] = [];
  const transport = createInProcessTransport({
    handle: (request) => {
      sent.push(request);
      return handler.handle(request);
    },
  });
  const make = () => createScimClient({ baseUrl: "https://id.example/scim/v2", auth: TOKEN, transport });
  return { client: make(), other: make(), sent };
}

describe("changes are made on the version that is known", () => {
  test("a resource that was handed out is changed only if nobody else has changed it", async () => {
    const { client, other, sent } = watched();
    const user = await client.users.create({ userName: "a" });
    await other.users.patch(user.id, [{ op: "add", path: "title", value: "Dr" }]);
    const copy = { ...user, title: "y" };
    const change = [{ op: "add", path: "nickName", value: "x" }] as const;
    for (const conflicting of [
      () => client.users.patch(user, change),
      () => client.users.patch(copy, change),
      () => client.users.replace(user, user),
      () => client.users.delete(user),
      () => client.users.delete(user.id, { version: user.meta.version }),
      () => client.users.delete(user.id, { version: client.users.versionOf(user) }),
    ]) {
      const error: unknown = await conflicting().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(VersionConflictError);
      expect(error).toMatchObject({
        code: "versionMismatch",
        expectedVersion: client.users.versionOf(user),
        currentVersion: expect.stringMatching(/^2-/),
      });
    }
    expect(sent.at(-1)?.headers["if-match"]).toBe(user.meta.version);
    await client.users.delete(user, { version: null });
    expect(sent.at(-1)?.headers["if-match"]).toBeUndefined();
  });

  test("an id alone has no version, and '*' asks that the resource exists", async () => {
    const { client, sent } = watched();
    const { id } = await client.users.create({ userName: "a" });
    await client.users.patch(id, [{ op: "add", path: "title", value: "Dr" }]);
    expect(sent.at(-1)?.headers["if-match"]).toBeUndefined();
    await client.users.patch(id, [{ op: "add", path: "title", value: "Dr" }], { version: "*" });
    expect(sent.at(-1)?.headers["if-match"]).toBe("*");
  });

  test("the tag of the header counts where the body has none, and none is sent where there is none", async () => {
    const steps: Step[] = [
      { headers: { etag: '"abc"' }, body: aUser({ meta: {} }) },
      { status: 204 },
      { body: aUser({ meta: {} }) },
      { status: 204 },
    ];
    const { client, requests } = scripted(steps);
    await client.users.delete(await client.users.get("1"));
    await client.users.delete(await client.users.get("1"));
    expect(requests.map(({ headers }) => headers["if-match"])).toEqual([
      undefined,
      '"abc"',
      undefined,
      undefined,
    ]);
  });
});

describe("a version that is odd", () => {
  const PATCH = [{ op: "add", path: "title", value: "Dr" }] as const;

  test.each([
    ["meta.version", {}],
    ["the header", { etag: "*" }],
  ])("'*' in %s is a version, and not any", async (_where, headers) => {
    const { client, requests } = scripted([{ headers, body: aUser({ meta: { version: "*" } }) }]);
    await client.users.patch(await client.users.get("1"), PATCH);
    await client.users.get("1");
    await client.users.patch("1", PATCH, { version: "*" });
    expect(requests.map(({ headers: sent }) => sent["if-match"] ?? sent["if-none-match"] ?? null)).toEqual([
      null,
      'W/"*"',
      'W/"*"',
      "*",
    ]);
  });

  // A transport would take it for a connection that does not come about, and try again.
  test.each(["a\r\nx-other: b", "\u2192", "\0"])("and in no header is told as such: %j", async (version) => {
    const { client, requests } = scripted([{ body: aUser({ meta: { version } }) }]);
    const user = await client.users.get("1");
    expect(await client.users.get("1"), "it is not asked by it").toEqual(user);
    for (const change of [
      () => client.users.patch(user, PATCH),
      () => client.users.delete("1", { version }),
      () => client.users.update(user, (current) => ({ ...current, title: "Dr" }), { by: "replace" }),
      async () => client.bulk().delete(client.users, user),
    ])
      await expect(change()).rejects.toMatchObject({ name: "UsageError", code: "invalidOption" });
    expect(requests.map(({ method, headers }) => [method, headers["if-none-match"]])).toEqual(
      Array.from({ length: 3 }, () => ["GET", undefined]),
    );
    await client.users.delete(user, { version: null });
    expect(requests.at(-1)).toMatchObject({ method: "DELETE" });
  });
});

describe("what has not changed is served from the cache", () => {
  test("a 304 gives a copy of what was read, and a change is seen", async () => {
    const { client, other, sent } = watched();
    const { id } = await client.users.create({ userName: "a" });
    const first = await client.users.get(id);
    const second = await client.users.get(id);
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    expect(sent.at(-1)?.headers["if-none-match"]).toBe(first.meta.version);
    await other.users.patch(id, [{ op: "add", path: "title", value: "Dr" }]);
    expect((await client.users.get(id)).title).toBe("Dr");
    await client.users.get(id, { fresh: true });
    expect(sent.at(-1)?.headers["if-none-match"]).toBeUndefined();
    await client.users.delete(second, { version: (await client.users.get(id)).meta.version });
  });

  test("groups stay on a 304 of a service whose versions cover them", async () => {
    const { client, other } = watched();
    const { id } = await client.users.create({ userName: "a" });
    const group = await other.groups.create({ displayName: "g", members: [{ value: id }] });
    const read = await client.users.get(id);
    expect(read.groups).toMatchObject([{ value: group.id }]);
    expect((await client.users.get(id)).groups).toEqual(read.groups);
    await other.groups.delete(group);
    expect((await client.users.get(id)).groups).toBeUndefined();
  });

  test.each<readonly [string, Step]>([
    ["does not say so", { body: { schemas: [], etag: { supported: true } } }],
    [
      "has our extension without a word of it",
      { body: { schemas: [], etag: { supported: true }, [EXTENSION]: { dryRun: { supported: true } } } },
    ],
    ["does not tell what it can do", { status: 403, body: {} }],
    ["breaks when asked", { status: 500, body: "no" }],
  ])("groups are left out on a 304 of a service that %s", async (_what, config) => {
    const groups = [{ value: "g1" }];
    const events: ClientEvent[] = [];
    const { client } = scripted([{ body: aUser({ groups }) }, { status: 304 }, config], {
      retries: { attempts: 1 },
      onEvent: (event) => events.push(event),
    });
    expect(await client.users.get("1")).toMatchObject({ groups });
    expect(await client.users.get("1")).toEqual(aUser());
    expect(events).toContainEqual({
      kind: "tolerance",
      path: "/Users/1",
      what: "uncoveredGroups",
      ids: ["1"],
    });
  });

  test("the cache is bounded, and can be switched off", async () => {
    const answer: Step = ({ path }) => ({ body: aUser({ id: path.split("/").at(-1) }) });
    const bounded = scripted([answer], { cache: { resources: 2 } });
    for (const id of ["1", "2", "3", "2", "1"]) await bounded.client.users.get(id);
    const asked = bounded.requests.map(({ headers }) => headers["if-none-match"] !== undefined);
    expect(asked).toEqual([false, false, false, true, false]);
    const off = scripted([answer], { cache: false });
    for (const id of ["1", "1"]) await off.client.users.get(id);
    expect(off.requests[1]?.headers["if-none-match"]).toBeUndefined();
    const small = scripted([answer], { cache: { characters: 500 } });
    for (const id of ["1", "1"]) await small.client.users.get(id);
    expect(small.requests[1]?.headers["if-none-match"]).toBeUndefined();
  });

  test("a 304 that nobody asked for is an error", async () => {
    const { client } = scripted([{ status: 304 }]);
    await expect(client.users.get("1")).rejects.toMatchObject({ code: "invalidMessage" });
  });
});

describe("update", () => {
  test("32 concurrent updaters lose no update", async () => {
    const transport = createInProcessTransport(aService());
    const baseUrl = "https://id.example/scim/v2";
    const retries = { baseDelay: 1, maxDelay: 8 };
    const clients = Array.from({ length: 32 }, () =>
      createScimClient({ baseUrl, auth: TOKEN, transport, retries }),
    );
    const [first] = clients;
    if (first === undefined) throw new TypeError("There are clients.");
    const { id } = await first.users.create({ userName: "a", title: "0" });
    await Promise.all(
      clients.map((client, n) =>
        client.users.update(id, (user) => ({
          ...user,
          title: String(Number(user.title) + 1),
          emails: [...(user.emails ?? []), { value: `${n}@example.com` }],
        })),
      ),
    );
    const after = await first.users.get(id);
    expect(after.title).toBe("32");
    expect(new Set(after.emails?.map(({ value }) => value)).size).toBe(32);
  });

  test("gives up after its bound, and writes nothing where nothing changes", async () => {
    const conflict: Step = { status: 412, body: { detail: "no", currentVersion: "v9" } };
    const { client, requests } = scripted([
      ({ method }) => (method === "GET" ? { body: aUser() } : conflict),
    ]);
    await expect(
      client.users.update("1", (user) => ({ ...user, title: "x" }), { attempts: 3 }),
    ).rejects.toMatchObject({ code: "versionMismatch", expectedVersion: "v1", currentVersion: "v9" });
    expect(requests.filter(({ method }) => method !== "GET")).toHaveLength(3);
    await client.users.update("1", (user) => user);
    expect(requests.filter(({ method }) => method !== "GET")).toHaveLength(3);
  });

  test("given up between two attempts, it tells so as any other request does", async () => {
    const controller = new AbortController();
    const { client } = scripted([
      ({ method }) => {
        if (method === "GET") return { body: aUser() };
        setImmediate(() => controller.abort());
        return { status: 412 };
      },
    ]);
    const change = client.users.update("1", (user) => ({ ...user, title: "x" }), {
      signal: controller.signal,
    });
    await expect(change).rejects.toMatchObject({ name: "ConnectionError", code: "aborted" });
  });

  test("asks before it writes without a version", async () => {
    const { client } = scripted([{ body: aUser({ meta: {} }) }]);
    const change = () => ({ userName: "x" });
    await expect(client.users.update("1", change)).rejects.toThrow(UsageError);
    expect(await client.users.update("1", change, { unguarded: true })).toMatchObject({ id: "1" });
  });

  test.each<readonly [string, Step, object, string | null]>([
    ["a service that has none", { body: { etag: { supported: false } } }, {}, null],
    ["a service that has some", { body: { etag: { supported: true } } }, {}, '"abc"'],
    ["a service that does not tell", { status: 404 }, {}, '"abc"'],
    ["a resource that has one", { body: { etag: { supported: false } } }, { version: '"abc"' }, '"abc"'],
  ])("takes the tag of an answer for a version as it is one of %s", async (_what, config, meta, tag) => {
    const { client, requests } = scripted([
      ({ path, method }) =>
        path.endsWith("/ServiceProviderConfig")
          ? config
          : { headers: method === "GET" ? { etag: '"abc"' } : {}, body: aUser({ meta }) },
    ]);
    const update = (unguarded: boolean) =>
      client.users.update("1", (user) => ({ ...user, title: "x" }), { by: "replace", unguarded });
    if (tag === null) await expect(update(false)).rejects.toMatchObject({ code: "missingVersion" });
    await update(tag === null);
    const written = requests.filter(({ method }) => method === "PUT");
    expect(written.map(({ headers }) => headers["if-match"] ?? null)).toEqual([tag]);
  });

  test("a write that nobody knows of is looked for, and not made twice", async () => {
    let title = "";
    const step: Step = ({ method, body }) => {
      if (method === "GET") return { body: aUser({ title }) };
      title = String(JSON.parse(body ?? "{}").title);
      return { fails: "cutOff" };
    };
    const { client } = scripted([step], { retries: { attempts: 1 } });
    const update = () => client.users.update("1", (user) => ({ ...user, title: "new" }), { by: "replace" });
    expect(await update()).toMatchObject({ title: "new" });
    const lost: Step = ({ method }) => (method === "GET" ? { body: aUser() } : { fails: "cutOff" });
    const other = scripted([lost], { retries: { attempts: 1 } });
    await expect(other.client.users.update("1", () => ({ userName: "x" }))).rejects.toMatchObject({
      code: "unknownOutcome",
    });
  });
});
