import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  basicCredentials,
  refreshingToken,
  type Clock,
  createFetchTransport,
  createScimClient,
  diffResources,
  USER,
  type ScimClient,
} from "@scim/client";
import { defineSchema } from "@scim/schemas";
import { describe, expect, onTestFinished, test } from "vitest";
import { aUser, scripted, type Step } from "./support/scripted.ts";

const EXTENSION = "urn:example:params:scim:schemas:extension:acme:1.0:User";

/** A clock on which nothing comes later. */
const QUIET: Clock = { now: () => 0, after: () => () => undefined };
const OK: Step = { body: aUser() };
const PATCH = [{ op: "add", path: "title", value: "x" }] as const;

describe("an id that no address can name is refused before anything is sent", () => {
  const ACTS: readonly (readonly [string, (client: ScimClient, id: string) => Promise<unknown>])[] = [
    ["read", (client, id) => client.users.get(id)],
    ["look for", (client, id) => client.users.exists(id)],
    ["replace", (client, id) => client.users.replace(id, { userName: "x" })],
    ["patch", (client, id) => client.users.patch(id, PATCH)],
    ["delete", (client, id) => client.users.delete(id)],
    ["update", (client, id) => client.users.update(id, (user) => ({ ...user, title: "x" }))],
    ["change in a bulk job", async (client, id) => client.bulk().delete(client.users, id)],
  ];

  test.each(ACTS.flatMap(([act, run]) => [null, undefined, 5, {}].map((none) => [act, none, run] as const)))(
    "%s %j, which is none",
    async (_act, none, run) => {
      const { client, requests } = scripted([OK]);
      // What programs without types may give, such as what `first()` did not find.
      await expect((async () => run(client, none as never))()).rejects.toMatchObject({ code: "missingId" });
      expect(requests).toEqual([]);
    },
  );

  // URLs take dot segments away, also percent-encoded ones (RFC 3986 §5.2.4): '/Users/..' is the base address.
  test.each(
    ACTS.flatMap(([act, run]) => [".", "..", "\ud800", "a\udc00b"].map((id) => [act, id, run] as const)),
  )("%s %j", async (_act, id, run) => {
    const { client, requests } = scripted([OK]);
    await expect((async () => run(client, id))()).rejects.toMatchObject({
      name: "UsageError",
      code: "missingId",
    });
    expect(requests).toEqual([]);
  });

  test.each(["...", ".a", "a b/c?d#e", "%2e%2e", "ä😀"])("and %j is none of them", async (id) => {
    const { client, requests } = scripted([{ body: aUser({ id }) }]);
    await client.users.get(id);
    expect(requests.map(({ path }) => path)).toEqual([`/scim/v2/Users/${encodeURIComponent(id)}`]);
  });
});

describe("a number that is none in JSON, which would clear what it is sent for, is refused before anything is sent", () => {
  // The types have no bigint.
  const BIG = 12n as unknown as number;
  const user = (level: number) => ({ userName: "x", [EXTENSION]: { scores: [{ level: 1 }, { level }] } });
  const operations = (value: number) => [{ op: "replace", path: `${EXTENSION}:level`, value }] as const;
  const ACTS: readonly (readonly [string, (client: ScimClient, level: number) => Promise<unknown>])[] = [
    ["create", (client, level) => client.users.create(user(level))],
    ["replace", (client, level) => client.users.replace("1", user(level))],
    ["patch", (client, level) => client.users.patch("1", operations(level))],
    ["add to a bulk job", async (client, level) => client.bulk().create(client.users, user(level))],
    [
      "patch in a bulk job",
      async (client, level) => client.bulk().patch(client.users, "1", { operations: operations(level) }),
    ],
    ["try to create", (client, level) => client.users.dryRun.create(user(level))],
    ["try to replace", (client, level) => client.users.dryRun.replace("1", user(level))],
    ["try to patch", (client, level) => client.users.dryRun.patch("1", operations(level))],
    ["ask for a page by POST", (client, level) => client.users.page({ count: level, post: true })],
    ["send a request", (client, level) => client.request({ method: "POST", path: "/Me", body: user(level) })],
  ];

  test.each(
    ACTS.flatMap(([act, run]) =>
      [Number.NaN, Infinity, -Infinity, BIG].map((level) => [act, level, run] as const),
    ),
  )("%s %s", async (_act, level, run) => {
    const { client, requests } = scripted([{ body: { [EXTENSION]: { dryRun: true } } }]);
    const outcome = await run(client, level).catch((error: unknown) => error);
    expect(outcome).toMatchObject({ name: "UsageError", code: "invalidInput" });
    expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test.each([Number.NaN, Infinity, BIG])("update to %s", async (level) => {
    const { client, requests } = scripted([OK]);
    const change = client.users.update("1", (read) => ({ ...read, ...user(level) }), { unguarded: true });
    await expect(change).rejects.toMatchObject({
      code: "invalidInput",
      message: expect.stringContaining(`'${EXTENSION}.scores.1.level'`),
    });
    expect(requests.map(({ method }) => method)).toEqual(["GET"]);
  });
});

describe("what is no resource is refused before anything is written", () => {
  const ring: Record<string, unknown> = { userName: "x" };
  ring["ring"] = [ring];
  // What programs without types may give, such as a function that changes a resource and forgets to give it back.
  test.each([undefined, null, "x", [], ring])("%o", async (value) => {
    const input = value as never;
    for (const act of [
      (client: ScimClient) => client.users.create(input),
      (client: ScimClient) => client.users.replace("1", input),
      (client: ScimClient) => client.users.update("1", () => input, { unguarded: true }),
      async (client: ScimClient) => client.bulk().create(client.users, input).reference,
    ]) {
      const { client, requests } = scripted([OK]);
      await expect(act(client)).rejects.toMatchObject({ name: "UsageError", code: "invalidInput" });
      expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
    }
  });
});

test.each<readonly [string, (client: ScimClient, operations: never) => Promise<unknown>]>([
  ["a PATCH", async (client, operations) => client.users.patch("1", operations)],
  [
    "a PATCH of a bulk job",
    async (client, operations) => client.bulk().patch(client.users, "1", { operations }),
  ],
])(
  "%s that sets nothing, which may clear what is there, is refused before anything is sent",
  async (_what, act) => {
    const { client, requests } = scripted([OK]);
    for (const op of ["add", "replace", "Replace"]) {
      // The builder's types have no undefined; those of operations do.
      const outcome = act(client, [{ op, path: "title", value: undefined }] as never);
      await expect(outcome).rejects.toMatchObject({ name: "UsageError", code: "invalidInput" });
    }
    expect(requests).toEqual([]);
  },
);

describe("a service that answers a change without the resource", () => {
  const run = async (act: (client: ScimClient) => Promise<unknown>, ...steps: readonly Step[]) => {
    const { client, requests } = scripted(steps);
    const outcome = await act(client).catch((error: unknown) => error);
    return { outcome, sent: requests.map(({ method, path }) => `${method} ${path.replace("/scim/v2", "")}`) };
  };
  const create = (client: ScimClient) => client.users.create({ userName: "bjensen" });
  const made = (location?: string): Step => ({
    status: 201,
    ...(location === undefined ? {} : { headers: { location } }),
  });

  test.each([
    ["https://id.example/scim/v2/Users/1", "1"],
    ["https://other.example/elsewhere/Users/a%20b", "a b"],
    ["Users/1/", "1"],
  ])("has what it created read, by 'Location: %s'", async (location, id) => {
    const { outcome, sent } = await run(create, made(location), { body: aUser({ id }) });
    expect(outcome).toMatchObject({ id, userName: "bjensen" });
    expect(sent).toEqual(["POST /Users", `GET /Users/${encodeURIComponent(id)}`]);
  });

  test.each([
    ["cannot be read", 501],
    ["is not there", 404],
  ])("is not taken at its word where what it created %s", async (_what, status) => {
    const { outcome, sent } = await run(create, made("/Users/1"), { status });
    expect(outcome).toMatchObject({ code: "unknownOutcome", candidates: ["1"] });
    expect(sent).toEqual(["POST /Users", "GET /Users/1"]);
  });

  test.each<readonly [what: string, step: Step]>([
    ["does not say where it is", made()],
    ["says that it is in no place", made("https://id.example/scim/v2/Users/..")],
    ["is yet to create it", { status: 202, headers: { location: "/Users/1" } }],
  ])("is told of where it %s", async (_what, step) => {
    const { outcome, sent } = await run(create, step);
    expect(outcome).toMatchObject({ code: "invalidMessage" });
    expect(sent).toHaveLength(1);
  });

  test.each([
    [200, undefined],
    [204, undefined],
    [200, "\r\n"],
    [200, { done: true }],
  ])("has what it replaced read, after %d with %j", async (status, body) => {
    const replace = (client: ScimClient) => client.users.replace("1", { userName: "bjensen" });
    const { outcome, sent } = await run(replace, { status, body, headers: { etag: 'W/"v2"' } }, OK);
    expect(outcome).toMatchObject({ id: "1" });
    expect(sent).toEqual(["PUT /Users/1", "GET /Users/1"]);
  });

  test.each(["\r\n", {}])(
    "has what it created read, and gives nothing of what it patched, by %j",
    async (body) => {
      const creation: Step = { status: 201, body, headers: { location: "/Users/1" } };
      expect(await run(create, creation, OK)).toMatchObject({ outcome: { id: "1" } });
      const patch = (client: ScimClient) => client.users.patch("1", PATCH);
      expect(await run(patch, { status: 200, body })).toMatchObject({ outcome: null });
    },
  );
});

describe("a request of one's own", () => {
  test.each([
    "Users",
    "",
    "@evil.example/Users",
    ".evil.example/",
    "https://evil.example/",
    "/a b",
    "/Users#x",
    "/../Users",
    "/Users/%2E%2e?x=1",
    "/Users/.",
    "/Users/ä",
    "/Users?filter=\ud800",
    "/Users/\0",
  ])("to %j is refused, and no credentials go anywhere", async (path) => {
    const { client, requests } = scripted([OK], { baseUrl: "https://id.example" });
    await expect(client.request({ method: "GET", path })).rejects.toMatchObject({ code: "invalidOption" });
    expect(requests).toEqual([]);
  });

  test.each(["/Users?filter=a%20eq%20%22/../%22", "/", "/Users/a%2Fb", "/.dry-run/Users", "/Users/..a"])(
    "to %j is sent",
    async (path) => {
      const { client, requests } = scripted([OK], { baseUrl: "https://id.example" });
      await client.request({ method: "GET", path });
      expect(requests.map((request) => request.path)).toEqual([path]);
    },
  );
});

test.each([
  ["seconds with a fraction", "1.5"],
  ["less than nothing", "-5"],
  ["two of them", "10, 10"],
  ["a word and a number", "about 5"],
])("a Retry-After of %s says nothing: the client waits as it would without", async (_what, header) => {
  const without = scripted([{ status: 503 }, OK]);
  const odd = scripted([{ status: 503, headers: { "retry-after": header } }, OK]);
  await Promise.all([without.client.users.get("1"), odd.client.users.get("1")]);
  expect(odd.clock.waits).toEqual(without.clock.waits);
});

test.each([Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 53])(
  "a timeout of %d ms leaves a slow answer its time",
  async (timeout) => {
    const server = createServer((_request, response) => {
      setTimeout(
        () => response.setHeader("content-type", "application/scim+json").end(JSON.stringify(aUser())),
        50,
      );
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const client = createScimClient({
      baseUrl: `http://127.0.0.1:${port}`,
      limits: { timeout },
      retries: { attempts: 1 },
      transport: createFetchTransport(),
    });
    expect(await client.users.get("1")).toMatchObject({ id: "1" });
  },
);

test("a name with a colon is no name of basic credentials (RFC 7617 §2)", () => {
  expect(() => basicCredentials("a:b", "c")).toThrow(TypeError);
  expect(() => basicCredentials("a\n", "c")).toThrow(TypeError);
  expect(() => basicCredentials("ä", "b:c")).not.toThrow();
});

describe("a bulk job", () => {
  const BULK: Step = {
    body: {
      bulk: { supported: true, maxOperations: 10, maxPayloadSize: 100_000 },
      patch: { supported: true },
    },
  };
  const DONE: Step = {
    body: {
      Operations: [
        { bulkId: "1", method: "POST", status: "201", location: "https://id.example/scim/v2/Users/1" },
      ],
    },
  };

  test("is run once: a second time would create everything again", async () => {
    const { client, requests } = scripted([BULK, DONE]);
    const job = client.bulk();
    job.create(client.users, { userName: "a" });
    const both = await Promise.allSettled([job.run(), job.run()]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    await expect(job.run()).rejects.toMatchObject({ code: "invalidOption" });
    expect(requests.filter(({ path }) => path.endsWith("/Bulk"))).toHaveLength(1);
  });

  test.each([0, -1, 1.5, Number.NaN])("with %d for failOnErrors is refused", async (failOnErrors) => {
    const { client, requests } = scripted([BULK, DONE]);
    const job = client.bulk();
    job.create(client.users, { userName: "a" });
    await expect(job.run({ failOnErrors })).rejects.toMatchObject({ code: "invalidOption" });
    expect(requests).toEqual([]);
    expect((await job.run({ failOnErrors: 1 })).done).toBe(1);
  });
});

test.each([
  ["a name", { "x y": "a" }],
  ["no name", { "": "a" }],
  ["a line end", { "x-a": "a\r\nx-b: b" }],
  ["a character beyond Latin-1", { "x-a": "\u2192" }],
])("headers with %s that cannot be are refused before anything is sent", async (_what, headers) => {
  const { client, requests } = scripted([OK]);
  for (const [act, wrong] of [
    ["get", client.users.get("1", { headers })],
    ["request", client.request({ method: "POST", path: "/Users", headers })],
    ["list", client.users.list({ headers }).first()],
  ] as const)
    await expect(wrong, act).rejects.toMatchObject({ name: "UsageError", code: "invalidOption" });
  expect(() => scripted([OK], { headers })).toThrow(expect.objectContaining({ code: "invalidOption" }));
  expect(requests).toEqual([]);
});

test.each<readonly [string, (client: ScimClient) => Promise<unknown>]>([
  ["a filter", (client) => client.users.list({ filter: 'userName eq "\ud800"' }).first()],
  ["an attribute to sort by", (client) => client.users.page({ sortBy: "\udc00" as "title" })],
  ["a cursor", (client) => client.users.page({ cursor: "a\ud800" })],
  ["an attribute to read", (client) => client.users.get("1", { attributes: ["\ud800" as "title"] })],
])(
  "%s with half a character is refused before anything is sent: no address can hold it",
  async (_what, act) => {
    const { client, requests } = scripted([OK]);
    await expect(act(client)).rejects.toMatchObject({ name: "UsageError", code: "invalidInput" });
    expect(requests).toEqual([]);
  },
);

test.each([0, -1, Number.NaN])(
  "a time or a number of attempts of %d is refused before anything is sent",
  async (number) => {
    const { client, requests } = scripted([OK]);
    for (const act of [
      () => client.users.create({ userName: "x" }, { timeout: number }),
      () => client.users.list({ timeout: number }).first(),
      () => client.users.update("1", (user) => ({ ...user, title: "x" }), { attempts: number }),
    ])
      await expect(act()).rejects.toMatchObject({ name: "UsageError", code: "invalidOption" });
    expect(requests).toEqual([]);
  },
);

test("headers in any letter case stand in the place of others of their name", async () => {
  const headers = { Accept: "application/json", "Content-Type": "application/json", "X-Tenant": "a" };
  const { client, requests } = scripted([OK], { headers });
  await client.users.replace("1", { userName: "x" }, { headers: { "x-tenant": "b", "If-Match": '"1"' } });
  await client.users.replace("1", { userName: "x" }, { version: "2", headers: { "If-Match": '"1"' } });
  await client.users.get("1");
  const common = { accept: "application/json", authorization: "Bearer token-1" };
  const typed = { ...common, "content-type": "application/json" };
  expect(requests.map((request) => request.headers)).toEqual([
    { ...typed, "x-tenant": "b", "if-match": '"1"' },
    { ...typed, "x-tenant": "a", "if-match": 'W/"2"' },
    { ...common, "x-tenant": "a" },
  ]);
});

test("a request that is given up while its token comes was given up, and is not without a token", async () => {
  const controller = new AbortController();
  const never = new Promise<never>(() => undefined);
  const { client, requests } = scripted([OK], { auth: refreshingToken(() => never), clock: QUIET });
  const reading = client.users.get("1", { signal: controller.signal });
  await new Promise(setImmediate);
  controller.abort();
  await expect(reading).rejects.toMatchObject({ name: "ConnectionError", code: "aborted" });
  expect(requests).toEqual([]);
});

describe("an update by a function that changes what it is given", () => {
  const NAME = { name: { familyName: "Jensen", givenName: "Barbara" }, emails: [{ value: "a@example.com" }] };
  const CHANGES: readonly (readonly [string, (user: Record<string, unknown>) => object, object])[] = [
    [
      "and gives it back",
      (user) => Object.assign(user, { title: "Dr" }),
      { op: "add", path: "title", value: "Dr" },
    ],
    [
      "inside, and gives a copy",
      (user) => {
        Object.assign(user["name"] ?? {}, { familyName: "Smith" });
        return { ...user };
      },
      { op: "replace", path: "name.familyName", value: "Smith" },
    ],
    [
      "in its version too",
      (user) => {
        Object.assign(user, { meta: {}, title: "Dr" });
        return user;
      },
      { op: "add", path: "title", value: "Dr" },
    ],
  ];

  test.each(CHANGES)(
    "%s, writes the change, on the version that was read",
    async (_what, change, operation) => {
      const config: Step = { body: { patch: { supported: true } } };
      const answers: Step = ({ method, path }) =>
        path.endsWith("/ServiceProviderConfig")
          ? config
          : method === "GET"
            ? { body: aUser(NAME) }
            : { status: 204 };
      const { client, requests } = scripted([answers]);
      await client.users.update("1", (user) => change(user) as typeof user);
      const patches = requests.filter(({ method }) => method === "PATCH");
      expect(patches.map(({ headers, body }) => [headers["if-match"], JSON.parse(body ?? "")])).toEqual([
        ['W/"v1"', expect.objectContaining({ Operations: [operation] })],
      ]);
    },
  );
});

test("a time that is a Date is written as its text, as JSON has it, and clears nothing", async () => {
  const hired = new Date(0);
  const timed = defineSchema({
    id: EXTENSION,
    name: "Timed",
    attributes: [{ name: "hired", type: "dateTime" }],
  });
  // The types ask for text.
  const after = { [EXTENSION]: { hired } } as object;
  const before = { [EXTENSION]: { hired: "2020-01-01T00:00:00Z" } };
  expect(diffResources(before, after, { schema: USER.schema, extensions: [timed] })).toEqual([
    { op: "replace", path: `${EXTENSION}:hired`, value: hired.toISOString() },
  ]);
  const same = { [EXTENSION]: { hired: hired.toISOString() } };
  expect(diffResources(same, after, { schema: USER.schema, extensions: [timed] })).toEqual([]);
});
