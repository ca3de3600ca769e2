import {
  createScimClient,
  defineResourceType,
  TransportFailure,
  type BulkJob,
  type BulkOutcome,
  type ScimClient,
  type TransportRequest,
} from "@scim/client";
import { createInProcessTransport, type InProcessRequest } from "@scim/client/in-process";
import { ERROR_CODES } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { jumpingClock } from "./support/jumping-clock.ts";
import { aUser, scripted, type Step } from "./support/scripted.ts";
import { aService, TOKEN, type ServiceOptions } from "./support/service.ts";

interface Open extends ServiceOptions {
  /** Default true. */
  readonly bulk?: boolean;
  /** What becomes of the answer to the first bulk request: `done` and lost, or lost before it was done. Default: it comes. */
  readonly loses?: "done" | "undone";
  /** What comes in the place of a lost answer. Default: the connection is cut. */
  readonly instead?: { readonly status: number; readonly body: object };
}

/** A client of a real service, and the requests other than discovery that it took. */
function open({ bulk = true, loses, instead, ...options }: Open = {}) {
  let lost = loses === undefined;
  const handler = aService(options);
  const sent: string[] = [];
  const sizes: number[] = [];
  const transport = createInProcessTransport({
    handle: async (request: InProcessRequest) => {
      if (!bulk && request.target === "/ServiceProviderConfig") {
        const headers = { "content-type": "application/scim+json" };
        return { status: 200, headers, body: JSON.stringify({ bulk: { supported: false } }) };
      }
      sizes.push(request.body?.byteLength ?? 0);
      if (request.method !== "GET") sent.push(`${request.method} ${request.target}`);
      if (lost || request.target !== "/Bulk") return handler.handle(request);
      lost = true;
      if (loses === "done") await handler.handle(request);
      if (instead === undefined) throw new TransportFailure("broken", "It was cut.");
      return {
        status: instead.status,
        headers: { "content-type": "application/scim+json" },
        body: JSON.stringify(instead.body),
      };
    },
  });
  const client = createScimClient({
    baseUrl: "https://id.example/scim/v2",
    auth: TOKEN,
    transport,
    clock: jumpingClock(),
  });
  return { client, sent, sizes };
}

describe.each([
  ["by bulk", { bulk: true }],
  ["one by one", { bulk: false }],
])("%s", (how, options) => {
  test("a job creates, changes and deletes, and what refers to others comes behind them", async () => {
    const { client, sent } = open(options);
    const [old, stale, gone] = await Promise.all([
      client.users.create({ userName: "old" }),
      client.users.create({ userName: "stale" }),
      client.users.create({ userName: "gone" }),
    ]);
    await client.users.patch(stale.id, [{ op: "add", path: "title", value: "x" }]);
    sent.length = 0;

    const job = client.bulk();
    const later = { reference: "bulkId:2" };
    const group = job.create(client.groups, { displayName: "g", members: [{ value: later.reference }] });
    const ada = job.create(client.users, { userName: "ada", title: "Countess" });
    const twice = job.create(client.users, { userName: "ADA" });
    const patch = job.patch(client.users, old, { operations: (p) => p.replace("active", false) });
    const again = job.patch(client.users, old.id, {
      operations: [{ op: "add", path: "title", value: "Dr" }],
    });
    const conflict = job.replace(client.users, stale, { input: { userName: "stale" } });
    const removed = job.delete(client.users, gone);
    const missing = job.delete(client.users, "nobody");
    const outcome = await job.run();

    const members = (await client.groups.list().first())?.members;
    expect(outcome.of(ada)).toMatchObject({ kind: "done", status: 201, id: members?.[0]?.value });
    expect(outcome.of(group)).toMatchObject({ kind: "done", version: expect.stringMatching(/^1-/) });
    expect(outcome.of(twice)).toMatchObject({ kind: "failed", error: { code: "uniqueness", status: 409 } });
    expect(outcome.of(patch)).toMatchObject({ kind: "done", id: old.id, status: 200 });
    expect(outcome.of(again)).toMatchObject({ kind: "done", id: old.id });
    const { version } = stale.meta;
    expect(outcome.of(conflict)).toMatchObject({
      kind: "failed",
      error: {
        code: "versionMismatch",
        expectedVersion: client.users.versionOf({ id: "", meta: { version } }),
      },
    });
    expect(outcome.of(removed)).toMatchObject({ kind: "done", status: 204, version: null });
    expect(outcome.of(missing)).toMatchObject({
      kind: "failed",
      error: {
        code: "notFound",
        request: { method: "DELETE", path: "/Users/nobody" },
        remedy: ERROR_CODES.notFound.remedy,
      },
    });
    expect(await client.users.get(old.id)).toMatchObject({ active: false, title: "Dr" });
    expect(outcome).toMatchObject({ done: 5, failed: 3, requests: how === "by bulk" ? 1 : 8 });
    expect(sent).toHaveLength(outcome.requests);
  });

  test("a job ends after as many failures as it is told", async () => {
    const { client } = open(options);
    const job = client.bulk();
    for (const userName of ["a", "a", "a", "b"]) job.create(client.users, { userName });
    const { outcomes } = await job.run({ failOnErrors: 1 });
    expect(outcomes.map(({ kind }) => kind)).toEqual(["done", "failed", "untried", "untried"]);
  });

  test("what refers to something that failed is not tried, and the rest is", async () => {
    const { client } = open({ ...options, limits: { bulkOperations: 1 } });
    const job = client.bulk();
    job.create(client.users, { userName: "a" });
    const failing = job.create(client.users, { userName: "a" });
    const group = job.create(client.groups, { displayName: "g", members: [{ value: failing.reference }] });
    const last = job.create(client.users, { userName: "b" });
    const outcome = await job.run();
    expect(outcome.of(group)).toMatchObject({ kind: "failed", error: { code: "unknownReference" } });
    expect(outcome.of(last)).toMatchObject({ kind: "done" });
  });
});

describe("a request that is refused as too large", () => {
  /** A service behind something that lets requests of some operations through, and says nothing of it. */
  const open413 = (most: number) => {
    const sizes: number[] = [];
    const service = scripted([
      ({ method, body }) => {
        if (method === "GET") return { body: { bulk: { supported: true } } };
        const operations: readonly { readonly bulkId: string }[] = JSON.parse(body ?? "").Operations;
        sizes.push(operations.length);
        if (operations.length > most) return { status: 413, body: "<h1>Too large</h1>" };
        const done = operations.map(({ bulkId }) => ({
          bulkId,
          status: "201",
          location: `https://x/Users/${bulkId}`,
        }));
        return { body: { Operations: done } };
      },
    ]);
    return { ...service, sizes };
  };

  test("goes in two, and these again, in the same order", async () => {
    const { client, sizes } = open413(3);
    const job = client.bulk();
    for (let n = 0; n < 9; n += 1) job.create(client.users, { userName: `u${n}` });
    const { done, requests } = await job.run();
    expect({ done, requests, sizes }).toEqual({ done: 9, requests: 7, sizes: [9, 4, 2, 2, 5, 2, 3] });
  });

  test("is not cut where its operations refer to each other", async () => {
    const { client, sizes } = open413(2);
    const job = client.bulk();
    job.create(client.users, { userName: "u" });
    for (const next of [3, 4, 2])
      job.create(client.groups, { displayName: "g", members: [{ value: `bulkId:${next}` }] });
    job.create(client.users, { userName: "v" });
    const tooLarge = { kind: "failed", error: { code: "payloadTooLarge" } };
    expect((await job.run()).outcomes).toMatchObject([
      { kind: "done" },
      tooLarge,
      tooLarge,
      tooLarge,
      { kind: "untried" },
    ]);
    expect(sizes).toEqual([5, 1, 4, 3]);
  });
});

test("a Date beside a reference is sent as its text, as JSON has it", async () => {
  const { client, requests } = scripted([{ body: { bulk: { supported: true } } }, { body: {} }]);
  const job = client.bulk();
  const ada = job.create(client.users, { userName: "ada" });
  const since = new Date(0);
  // The types ask for text.
  const group = { displayName: "g", members: [{ value: ada.reference }], "urn:x": { since } };
  job.create(client.groups, group);
  await job.run();
  const [, sent] = JSON.parse(requests[1]?.body ?? "").Operations;
  expect(sent.data).toMatchObject({
    members: [{ value: ada.reference }],
    "urn:x": { since: since.toJSON() },
  });
});

test("what refers to something that is not tried is not tried either, also in the same request", async () => {
  const results = [
    { bulkId: "1", status: "409" },
    { bulkId: "2", status: "201", location: "https://x/Users/2" },
  ];
  const { client, requests } = scripted([
    { body: { bulk: { supported: true, maxOperations: 2, maxPayloadSize: 100_000 } } },
    { body: { Operations: results } },
  ]);
  const job = client.bulk();
  const [first] = [job.create(client.users, { userName: "a" }), job.create(client.users, { userName: "b" })];
  const inner = job.create(client.groups, { displayName: "i", members: [{ value: first.reference }] });
  job.create(client.groups, { displayName: "o", members: [{ value: inner.reference }] });
  const { outcomes } = await job.run();
  const untried = { kind: "failed", error: { code: "unknownReference" } };
  expect(outcomes).toMatchObject([{ kind: "failed" }, { kind: "done" }, untried, untried]);
  expect(requests).toHaveLength(2);
});

test("a long job is sent in as few requests as the limits allow", async () => {
  const { client, sent } = open({ limits: { bulkOperations: 10 } });
  const job = client.bulk();
  const users = Array.from({ length: 25 }, (_, n) => job.create(client.users, { userName: `u${n}` }));
  const members = users.map(({ reference }) => ({ value: reference }));
  const group = job.create(client.groups, { displayName: "g", members });
  const outcome = await job.run();
  expect(outcome).toMatchObject({ done: 26, failed: 0, requests: 3 });
  expect(sent).toEqual(["POST /Bulk", "POST /Bulk", "POST /Bulk"]);
  const ids = users.map((user) => outcome.of(user)).map((each) => (each.kind === "done" ? each.id : ""));
  const made = outcome.of(group);
  const read = await client.groups.get(made.kind === "done" ? made.id : "");
  expect(read.members?.map(({ value }) => value)).toEqual(ids);
});

test("a job is cut by its size in bytes too, and what is too large is refused before anything is sent", async () => {
  const { client, sent, sizes } = open({ limits: { bulkPayload: 2000 } });
  const job = client.bulk();
  for (let n = 0; n < 10; n += 1) job.create(client.users, { userName: `u${n}`, title: "ä".repeat(150) });
  expect(await job.run()).toMatchObject({ done: 10, requests: 3 });
  expect(Math.max(...sizes)).toBeLessThanOrEqual(2000);
  sent.length = 0;
  const large = client.bulk();
  large.create(client.users, { userName: "x" });
  large.create(client.users, { userName: "y", title: "x".repeat(2000) });
  await expect(large.run()).rejects.toMatchObject({ code: "jobTooLarge" });
  expect(sent).toEqual([]);
});

test("operations that refer to each other in a circle stay together", async () => {
  const { client } = open({ limits: { bulkOperations: 2 } });
  const job = client.bulk();
  job.create(client.users, { userName: "first" });
  job.create(client.groups, { displayName: "a", members: [{ value: "bulkId:3" }] });
  job.create(client.groups, { displayName: "b", members: [{ value: "bulkId:2" }] });
  expect(await job.run()).toMatchObject({ done: 3, requests: 2 });
  const alone = open({ bulk: false }).client.bulk();
  const { client: other } = open({ bulk: false });
  const circle = other.bulk();
  circle.create(other.groups, { displayName: "a", members: [{ value: "bulkId:1" }] });
  await expect(circle.run()).rejects.toMatchObject({ code: "unknownReference" });
  expect(alone.size).toBe(0);
});

test("a reference to nothing, and resources of another client, are refused", async () => {
  const { client } = open();
  const job = client.bulk();
  job.create(client.groups, { displayName: "g", members: [{ value: "bulkId:7" }] });
  await expect(job.run()).rejects.toMatchObject({ code: "unknownReference" });
  expect(() => job.create(open().client.users, { userName: "x" })).toThrow(
    expect.objectContaining({ code: "invalidOption" }),
  );
});

describe("an answer that says", () => {
  const CONFIG: Step = { body: { bulk: { supported: true, maxOperations: 2, maxPayloadSize: 100_000 } } };
  const run = async (...steps: readonly Step[]) => {
    const { client } = scripted([CONFIG, ...steps]);
    const job = client.bulk();
    for (const userName of ["a", "b", "c"]) job.create(client.users, { userName });
    return codesOf(await job.run());
  };
  const codesOf = ({ outcomes }: BulkOutcome) =>
    outcomes.map((each) => (each.kind === "failed" ? each.error.code : each.kind));
  const MANY: Step = { body: { bulk: { supported: true, maxOperations: 9, maxPayloadSize: 100_000 } } };
  const GONE = { method: "DELETE", status: "404", response: { status: "404" } };
  const NONE = "invalidMessage";
  const made = (bulkId: string) => ({ bulkId, status: "201", location: `https://x/Users/${bulkId}` });

  test.each<readonly [string, Step, readonly string[]]>([
    ["nothing of one", { body: { Operations: [made("2")] } }, ["invalidMessage", "done", "invalidMessage"]],
    [
      "no status",
      { body: { Operations: [{ bulkId: "1" }, made("2")] } },
      ["invalidMessage", "done", "invalidMessage"],
    ],
    [
      "no location",
      { body: { Operations: [{ ...made("1"), location: null }, made("2")] } },
      ["invalidMessage", "done", "invalidMessage"],
    ],
    [
      "no bulkId, in order",
      { body: { Operations: [{ ...made("1"), bulkId: undefined }, made("2")] } },
      ["done", "done", "invalidMessage"],
    ],
    [
      "null for a bulkId, in order",
      { body: { Operations: [{ ...made("1"), bulkId: null }, made("2")] } },
      ["done", "done", "invalidMessage"],
    ],
    [
      "numbers for bulkIds, in another order",
      {
        body: {
          Operations: [
            { ...made("2"), bulkId: 2 },
            { status: "404", bulkId: 1 },
          ],
        },
      },
      ["notFound", "done", "invalidMessage"],
    ],
    [
      "no location, and the resource",
      { body: { Operations: [{ ...made("1"), location: null, response: { id: "1" } }, made("2")] } },
      ["done", "done", "invalidMessage"],
    ],
    [
      "words behind a status",
      { body: { Operations: [{ ...made("1"), status: "201 Created" }, made("2")] } },
      ["done", "done", "invalidMessage"],
    ],
    [
      "a number for a status",
      { body: { Operations: [{ ...made("1"), status: 201 }, made("2")] } },
      ["done", "done", "invalidMessage"],
    ],
    [
      "an object for a status",
      { body: { Operations: [{ ...made("1"), status: { code: "201" } }, made("2")] } },
      ["done", "done", "invalidMessage"],
    ],
  ])("%s", async (_what, step, codes) => {
    expect(await run(step)).toEqual(codes);
  });

  // RFC 7644 §3.7 asks for a bulkId of creations alone.
  test.each<readonly [string, readonly object[], readonly string[]]>([
    ["in order", [{ method: "DELETE", status: "204" }, GONE], ["done", "notFound", "untried"]],
    ["in order, and no method", [{ status: "204" }, { status: "404" }], ["done", "notFound", "untried"]],
    ["of another method", [{ method: "PUT", status: "200" }, GONE], [NONE, NONE, NONE]],
    ["in another order than what has one", [GONE, { bulkId: "1", status: "204" }], ["done", NONE, NONE]],
  ])("no bulkId of what it came to before it stopped, %s", async (_what, results, codes) => {
    const { client } = scripted([MANY, { body: { Operations: results } }]);
    const job = client.bulk();
    for (const id of ["a", "b", "c"]) job.delete(client.users, id);
    expect(codesOf(await job.run({ failOnErrors: 1 }))).toEqual(codes);
  });

  test.each<readonly [string, Step, string]>([
    ["that the job is refused", { status: 400, body: {} }, "invalidSyntax"],
    ["that it is not begun", { status: 501, body: {} }, "notImplemented"],
    ["nothing more, since it is cut off", { fails: "cutOff" }, "unknownOutcome"],
    [
      "that the service fails, also when it is asked what it did",
      { status: 500, body: {} },
      "unknownOutcome",
    ],
  ])("%s, leaves the rest untried", async (_what, step, code) => {
    expect(await run(step)).toEqual([code, code, "untried"]);
  });

  test("nothing of a change, also when the resource is read, leaves it unknown", async () => {
    const failing: Step = { status: 500, body: {} };
    const { client } = scripted([CONFIG, failing]);
    const job = client.bulk();
    job.patch(client.users, "a", { version: "1", operations: [{ op: "add", path: "title", value: "Dr" }] });
    const { outcomes } = await job.run();
    expect(outcomes).toMatchObject([{ error: { code: "unknownOutcome", candidates: ["a"] } }]);
  });
});

describe.each(["done", "undone"] as const)("a request that is lost, %s,", (loses) => {
  test.each([
    ["a cut connection", undefined],
    ["an error of the service", { status: 500, body: {} }],
    ["an answer that is none to a job", { status: 200, body: { Resources: [] } }],
  ])("by %s, is looked up, and what was not done is done, once", async (_how, instead) => {
    const { client, sent } = open({ loses, ...(instead === undefined ? {} : { instead }) });
    const { users } = client;
    const [patched, replaced, cleared, gone] = await Promise.all(
      ["patched", "replaced", "cleared", "gone"].map((userName) => users.create({ userName, title: "Ms" })),
    );
    if (patched === undefined || replaced === undefined || cleared === undefined || gone === undefined)
      throw new TypeError("They were created.");
    sent.length = 0;
    const job = client.bulk();
    const made = job.create(users, { userName: "made", externalId: "e1" });
    job.create(client.groups, { displayName: "g", externalId: "g1", members: [{ value: made.reference }] });
    job.patch(users, patched, { operations: (p) => p.replace("title", "Dr").add("name.givenName", "Ada") });
    job.replace(users, replaced, { input: { userName: "replaced", nickName: "r" } });
    job.patch(users, cleared.id, { operations: [{ op: "remove", path: "title" }] });
    job.delete(users, gone);
    const { outcomes, settled } = await job.run();
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: 6 }, () => "done"));
    expect(settled).toBe(6);
    expect(outcomes[0]).toMatchObject({ status: 201, version: expect.stringMatching(/^1-/) });
    expect(sent).toHaveLength(loses === "done" ? 3 : 7);

    const all = await users.list({ sortBy: "userName" }).toArray();
    expect(all.map(({ userName, title, name, nickName }) => [userName, title, name, nickName])).toEqual([
      ["cleared", undefined, undefined, undefined],
      ["made", undefined, undefined, undefined],
      ["patched", "Dr", { givenName: "Ada" }, undefined],
      ["replaced", undefined, undefined, "r"],
    ]);
    const [group, ...others] = await client.groups.list().toArray();
    expect(others).toEqual([]);
    expect(group?.members).toMatchObject([{ value: all[1]?.id }]);
  });

  test("goes on with the next one, also behind what another holds", async () => {
    const { client } = open({ loses, limits: { bulkOperations: 2 } });
    await client.users.create({ userName: "taken", title: "Ms" });
    const job = client.bulk();
    for (const userName of ["a", "taken", "c"]) job.create(client.users, { userName, title: "Dr" });
    const { outcomes } = await job.run();
    expect(outcomes.map((each) => (each.kind === "failed" ? each.error.code : each.kind))).toEqual([
      "done",
      "unknownOutcome",
      "done",
    ]);
  });

  test("is not taken for done where little is to be seen of it", async () => {
    const title = "urn:ietf:params:scim:schemas:core:2.0:User:title";
    for (const target of ["resource", "id"]) {
      const { client } = open({ loses });
      const { users } = client;
      const input = { title: "Dr", displayName: "ada" };
      const all = await Promise.all(["a", "b", "c"].map((userName) => users.create({ userName, ...input })));
      const [first = "", second = "", third = ""] = target === "id" ? all.map(({ id }) => id) : all;
      const job = client.bulk();
      job.replace(users, first, { input: { userName: "a", displayName: "ada" } });
      job.patch(users, second, { operations: [{ op: "replace", path: "displayName", value: "Ada" }] });
      job.patch(users, third, { operations: [{ op: "remove", path: title }] });
      expect((await job.run()).done).toBe(3);
      const found = await Promise.all(all.map(({ id }) => users.get(id)));
      expect(found.map((user) => [user.title, user.displayName])).toEqual([
        [undefined, "ada"],
        ["Dr", "Ada"],
        [undefined, "ada"],
      ]);
    }
  });

  const EMAILS = [
    { type: "work", value: "a@x.example", display: "A" },
    { type: "home", value: "h@x.example" },
  ];
  const WORK = 'emails[type eq "work" and value eq "A@x.example"]';

  test.each([
    ["replace", 'emails[type eq "work"].value', "b@x.example", ["b@x.example A", "h@x.example"]],
    ["add", `${WORK}.display`, "Ada", ["a@x.example Ada", "h@x.example"]],
    ["remove", WORK, undefined, ["h@x.example"]],
    ["remove", `${WORK}.display`, undefined, ["a@x.example", "h@x.example"]],
  ] as const)("is told by the values that it means: %s %s", async (op, path, value, expected) => {
    for (const target of ["resource", "id"]) {
      const { client } = open({ loses });
      const { users } = client;
      const user = await users.create({ userName: "a", emails: EMAILS });
      const job = client.bulk();
      const operation = op === "remove" ? { op, path } : { op, path, value };
      job.patch(users, target === "id" ? user.id : user, { operations: [operation] });
      expect((await job.run()).outcomes).toMatchObject([{ kind: "done", id: user.id }]);
      const { emails } = await users.get(user.id);
      expect(emails?.map((each) => [each.value, ...(each.display ? [each.display] : [])].join(" "))).toEqual(
        expected,
      );
    }
  });

  test.each([
    ["a filter on what is set", "replace", 'emails[value eq "a@x.example"].value', "b@x.example"],
    ["a filter of more than equalities", "replace", 'emails[value co "a@x"].display', "B"],
    ["values that are replaced whole", "replace", WORK, { type: "work", value: "a@x.example" }],
    ["a list that is cleared of its last value", "remove", 'phoneNumbers[value eq "1"]', undefined],
  ] as const)("leaves unknown what cannot be told: %s", async (_, op, path, value) => {
    const { client } = open({ loses });
    const user = await client.users.create({
      userName: "a",
      emails: EMAILS,
      phoneNumbers: [{ value: "1" }],
    });
    const job = client.bulk();
    job.patch(client.users, user, { operations: [op === "remove" ? { op, path } : { op, path, value }] });
    const { outcomes } = await job.run();
    const unknown = { kind: "failed", error: { code: "unknownOutcome", candidates: [user.id] } };
    expect(outcomes).toMatchObject([loses === "done" ? unknown : { kind: "done", id: user.id }]);
  });
});

test("what a lost request was to do to values is done again where it is meant for any version alone", async () => {
  for (const target of ["resource", "id"]) {
    const { client } = open({ loses: "undone" });
    const { users } = client;
    const user = await users.create({ userName: "a", emails: [{ type: "work", value: "a@x.example" }] });
    await users.patch(user.id, [{ op: "add", path: "title", value: "Dr" }]);
    const job = client.bulk();
    const path = 'emails[type eq "work"].value';
    const operations = [{ op: "replace", path, value: "b@x.example" }] as const;
    job.patch(users, target === "id" ? user.id : user, { operations });
    const unknown = { kind: "failed", error: { code: "unknownOutcome" } };
    expect((await job.run()).outcomes).toMatchObject([target === "id" ? { kind: "done" } : unknown]);
    const { emails } = await users.get(user.id);
    expect(emails?.[0]?.value).toBe(target === "id" ? "b@x.example" : "a@x.example");
  }
});

describe("what a lost request was to clear, where the resource has changed meanwhile,", () => {
  const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
  test.each([
    ["is unknown", "title", "Dr"],
    ["is unknown", "urn:ietf:params:scim:schemas:core:2.0:User:title", "Dr"],
    ["is unknown", ENTERPRISE, "Dr"],
    ["is unknown", `${ENTERPRISE}:department`, "Dr"],
    ["is gone", "title", undefined],
    ["is gone", ENTERPRISE, undefined],
    ["is gone", `${ENTERPRISE}:department`, undefined],
  ])("%s: %s, with %s", async (_, path, held) => {
    const { client } = open({ loses: "undone" });
    const user = await client.users.create({ userName: "a", nickName: "n" });
    if (held !== undefined)
      await client.users.patch(user.id, [
        { op: "add", path: "title", value: held },
        { op: "add", path: `${ENTERPRISE}:department`, value: held },
      ]);
    else await client.users.patch(user.id, [{ op: "remove", path: "nickName" }]);
    const job = client.bulk();
    job.patch(client.users, user, { operations: [{ op: "remove", path }] });
    const unknown = { kind: "failed", error: { code: "unknownOutcome" } };
    expect((await job.run()).outcomes).toMatchObject([held === undefined ? { kind: "done" } : unknown]);
  });
});

test("what a lost request was to do to what is never returned is unknown, where the resource has changed meanwhile", async () => {
  const EXTENSION = "urn:example:params:scim:schemas:extension:example:1.0:Device";
  const secret = { name: "pin", type: "string", returned: "never" } as const;
  const floor = { name: "floor", type: "string" } as const;
  const vault = { name: "vault", type: "complex", returned: "never", subAttributes: [floor] } as const;
  const locks = {
    name: "locks",
    type: "complex",
    multiValued: true,
    subAttributes: [secret, floor],
  } as const;
  const attributes = [secret, { name: "label", type: "string" }, vault, locks] as const;
  const door = { name: "door", type: "complex", subAttributes: [secret, floor] } as const;
  const device = defineResourceType({
    name: "Device",
    endpoint: "/Devices",
    schema: { id: "urn:example:Device", name: "Device", attributes },
    extensions: [{ id: EXTENSION, name: "Device", attributes: [door] }],
  });
  const label = "l";
  const found = {
    schemas: ["urn:example:Device"],
    id: "1",
    label,
    locks: [{ floor: "2" }],
    [EXTENSION]: { door: { floor: "2" } },
  };
  for (const change of [
    [{ op: "remove", path: "pin" }],
    [{ op: "remove", path: "urn:example:Device:pin" }],
    [{ op: "remove", path: `${EXTENSION}:door.pin` }],
    [{ op: "remove", path: "vault.floor" }],
    [{ op: "remove", path: 'locks[pin eq "1"]' }],
    [{ op: "remove", path: 'locks[shape eq "round"]' }],
    [{ op: "replace", path: "locks", value: [{ floor: "2", pin: "1" }] }],
    [
      { op: "replace", path: "label", value: label },
      { op: "remove", path: "pin" },
    ],
    [{ op: "replace", value: { [EXTENSION]: { door: { floor: "2", pin: "1" } } } }],
    { label, locks: [{ floor: "2" }], [EXTENSION]: { door: { floor: "2", pin: "1" } } },
  ] as const) {
    const steps: readonly Step[] = [
      { body: { bulk: { supported: true, maxOperations: 9, maxPayloadSize: 99_999 } } },
      { fails: "broken" },
      { headers: { etag: 'W/"2"' }, body: found },
    ];
    const { client: each } = scripted(steps);
    const job = each.bulk();
    const resources = each.resource(device);
    const version = "1";
    if ("label" in change) job.replace(resources, "1", { input: change, version });
    else job.patch(resources, "1", { operations: change, version });
    expect((await job.run()).outcomes, JSON.stringify(change)).toMatchObject([
      {
        kind: "failed",
        error: { code: "unknownOutcome", message: expect.stringContaining("does not show") },
      },
    ]);
  }
});

describe("one by one, what goes first", () => {
  /** Runs a job, and tells when each operation began, in capitals, and ended. */
  const courseOf = async (add: (job: BulkJob, client: ScimClient) => void): Promise<readonly string[]> => {
    const course: string[] = [];
    const transport = {
      send: async ({ method }: TransportRequest) => {
        if (method === "GET") return { status: 404, headers: {}, body: "" };
        course.push(method);
        await new Promise(setImmediate);
        course.push(method.toLowerCase());
        return { status: 200, headers: {}, body: JSON.stringify(aUser()) };
      },
      close: async () => undefined,
    };
    const { client } = scripted([], { transport });
    const job = client.bulk();
    add(job, client);
    await job.run();
    return course;
  };
  const input = { userName: "a" };

  test.each<readonly [string, (job: BulkJob, client: ScimClient) => void, readonly string[]]>([
    [
      "is a deletion before a creation of its type, which may take its name",
      (job, { users }) => [job.delete(users, "1"), job.create(users, input)],
      ["DELETE", "delete", "POST", "post"],
    ],
    [
      "is a replacement before a creation",
      (job, { users }) => [job.replace(users, "1", { input }), job.create(users, input)],
      ["PUT", "put", "POST", "post"],
    ],
    [
      "is a deletion before a replacement",
      (job, { users }) => [job.delete(users, "1"), job.replace(users, "2", { input })],
      ["DELETE", "delete", "PUT", "put"],
    ],
    [
      "is no replacement before another",
      (job, { users }) => [job.replace(users, "1", { input }), job.replace(users, "2", { input })],
      ["PUT", "PUT", "put", "put"],
    ],
    [
      "is nothing of another type",
      (job, { users, groups }) => [job.delete(groups, "1"), job.create(users, input)],
      ["DELETE", "POST", "delete", "post"],
    ],
  ])("%s", async (_what, add, course) => {
    expect(await courseOf(add)).toEqual(course);
  });
});

test.each([
  ["by bulk", { bulk: { supported: true, maxOperations: 1 } }],
  ["one by one", {}],
])("%s, what is behind the moment in which a job is given up is untried", async (_how, config) => {
  const controller = new AbortController();
  const { client, requests } = scripted([
    ({ method }) => {
      if (method === "GET") return { body: config };
      controller.abort();
      return { body: { Operations: [{ bulkId: "1", status: "200" }] } };
    },
  ]);
  const job = client.bulk();
  for (const userName of ["a", "b", "c"]) job.replace(client.users, "1", { input: { userName } });
  const { outcomes, requests: sent } = await job.run({ signal: controller.signal });
  expect(outcomes.map(({ kind }) => kind)).toEqual(["done", "untried", "untried"]);
  expect([sent, requests.length]).toEqual([1, 2]);
});

test.each<readonly [string, Step, string]>([
  ["nobody answers any more", { fails: "unsent" }, "connectionFailed"],
  ["the credentials are refused", { status: 401 }, "unauthorized"],
])("one by one, the rest is not tried where %s", async (_what, step, code) => {
  const told: Step = { body: { bulk: { supported: false } } };
  const done: Step = { status: 204 };
  const { client, requests } = scripted([told, ...Array.from({ length: 16 }, () => done), step], {
    retries: { attempts: 1 },
  });
  const job = client.bulk();
  for (let n = 1; n <= 100; n += 1) job.delete(client.users, String(n));
  const outcome = await job.run();
  const kinds = outcome.outcomes.map((each) => (each.kind === "failed" ? each.error.code : each.kind));
  expect(kinds).toEqual([
    ...Array.from({ length: 16 }, () => "done"),
    ...Array.from({ length: 16 }, () => code),
    ...Array.from({ length: 68 }, () => "untried"),
  ]);
  expect(requests).toHaveLength(33);
});

test("one by one, a failure of some ends nothing for the others", async () => {
  const told: Step = { body: { bulk: { supported: false } } };
  const steps = Array.from({ length: 40 }, (_, n): Step =>
    n % 16 === 0 ? { fails: "cutOff" } : { status: 204 },
  );
  const { client } = scripted([told, ...steps], { retries: { attempts: 1 } });
  const job = client.bulk();
  for (let n = 1; n <= 40; n += 1) job.delete(client.users, String(n));
  expect(await job.run()).toMatchObject({ done: 37, failed: 3 });
});

test("one by one, a version is told as the header or the resource has it", async () => {
  const body = { id: "1", meta: { version: 'W/"v2"' } };
  const { client } = scripted([{ body: {} }, { body }, { headers: { etag: '"v3"' }, body }, { status: 204 }]);
  const job = client.bulk();
  for (const userName of ["a", "b", "c"]) job.replace(client.users, "1", { input: { userName } });
  const { outcomes } = await job.run();
  expect(outcomes).toMatchObject([{ version: "v2" }, { version: "v3" }, { version: null }]);
});

describe("one by one, a creation of which nobody knows", () => {
  const CONFIG: Step = { body: { bulk: { supported: false } } };
  const user = { schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"], userName: "ada", id: "7" };
  const made = { ...user, meta: { version: 'W/"v1"' } };
  const list = (...resources: readonly object[]): Step => ({
    body: { totalResults: resources.length, Resources: resources },
  });
  const run = async (input: { userName: string; externalId?: string }, ...steps: readonly Step[]) => {
    const { client, requests } = scripted([CONFIG, ...steps]);
    const job = client.bulk();
    const entry = job.create(client.users, input);
    job.create(client.groups, { displayName: "g", members: [{ value: entry.reference }] });
    const outcome = await job.run();
    const sent = requests.slice(1).map(({ method, path }) => `${method} ${path.slice("/scim/v2".length)}`);
    return { first: outcome.of(entry), outcome, sent, last: requests.at(-1) };
  };
  const group: Step = { status: 201, body: { id: "8" } };

  test.each([
    ["externalId", { userName: "ada", externalId: "e1" }, "externalId%20eq%20%22e1%22"],
    ["what is unique", { userName: "ada" }, "userName%20eq%20%22ada%22"],
  ])("is looked up by %s, and others refer to what was found", async (_by, input, filter) => {
    const { first, outcome, sent, last } = await run(input, { fails: "cutOff" }, list(made), group);
    expect(first).toEqual({ kind: "done", status: 201, id: "7", version: "v1" });
    expect(sent).toEqual(["POST /Users", `GET /Users?filter=${filter}`, "POST /Groups"]);
    expect(JSON.parse(String(last?.body))).toMatchObject({ members: [{ value: "7" }] });
    expect(outcome).toMatchObject({ done: 2, requests: 2 });
  });

  test("is made again where the look-up finds nothing", async () => {
    const { first, sent } = await run(
      { userName: "ada" },
      { fails: "broken" },
      list(),
      { status: 201, headers: { etag: 'W/"v2"' }, body: user },
      group,
    );
    expect(first).toEqual({ kind: "done", status: 201, id: "7", version: "v2" });
    expect(sent.map((each) => each.split("?")[0])).toEqual([
      "POST /Users",
      "GET /Users",
      "POST /Users",
      "POST /Groups",
    ]);
  });

  test("stays unknown where another resource has the value", async () => {
    const other = { ...made, externalId: "e1", userName: "eve" };
    const { first, outcome } = await run(
      { userName: "ada", externalId: "e1" },
      { fails: "broken" },
      list(other),
    );
    expect(first).toMatchObject({ kind: "failed", error: { code: "unknownOutcome", candidates: ["7"] } });
    expect(outcome.outcomes[1]).toMatchObject({ kind: "failed", error: { code: "unknownReference" } });
  });
});
