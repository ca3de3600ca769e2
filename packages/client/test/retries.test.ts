import {
  CredentialsError,
  refreshingToken,
  TransportFailure,
  type ClientEvent,
  type ScimClient,
} from "@scim/client";
import { describe, expect, test } from "vitest";
import { jumpingClock } from "./support/jumping-clock.ts";
import { aUser, scripted, type Step } from "./support/scripted.ts";

const OPERATIONS = [{ op: "add", path: "title", value: "x" }] as const;
const get = (client: ScimClient): Promise<unknown> => client.users.get("1");
const create = (client: ScimClient): Promise<unknown> =>
  client.users.create({ displayName: "x", userName: "" });
const patch = (client: ScimClient): Promise<unknown> => client.users.patch("1", OPERATIONS);
const guarded = (client: ScimClient): Promise<unknown> =>
  client.users.patch("1", OPERATIONS, { version: "v1" });
const ofAny = (client: ScimClient): Promise<unknown> => client.users.patch("1", OPERATIONS, { version: "*" });
const put = (client: ScimClient): Promise<unknown> => client.users.replace("1", { userName: "x" });
const remove = (client: ScimClient): Promise<unknown> => client.users.delete("1");

const OK: Step = { body: aUser() };

describe("requests are sent again where that does no harm", () => {
  const CASES: readonly (readonly [string, Step, (client: ScimClient) => Promise<unknown>, number])[] = [
    ["429: any request", { status: 429 }, create, 2],
    ["503: any request", { status: 503 }, patch, 2],
    ["408: any request", { status: 408 }, patch, 2],
    ["no connection: any request", { fails: "unsent" }, create, 2],
    ["502: a read", { status: 502 }, get, 2],
    ["502: a replacement", { status: 502 }, put, 2],
    ["502: a PATCH on a version", { status: 502 }, guarded, 2],
    ["502: not a PATCH without one", { status: 502 }, patch, 1],
    ["502: not a PATCH on any version", { status: 502 }, ofAny, 1],
    ["502: not a creation", { status: 502 }, create, 1],
    ["520: a read", { status: 520 }, get, 2],
    ["524: a replacement", { status: 524 }, put, 2],
    ["524: not a creation", { status: 524 }, create, 1],
    ["a broken connection: a read", { fails: "broken" }, get, 2],
    ["a broken connection: a deletion", { fails: "broken" }, remove, 2],
    ["a broken connection: not a PATCH without a version", { fails: "broken" }, patch, 1],
    ["a broken connection: not a PATCH on any version", { fails: "broken" }, ofAny, 1],
    ["an answer cut off: a read", { fails: "cutOff" }, get, 2],
    ["an answer cut off: not a creation", { fails: "cutOff" }, create, 1],
    ["silence: a read", "silence", get, 2],
    ["silence: not a creation", "silence", create, 1],
    ["500: a read", { status: 500 }, get, 2],
    ["500: not a replacement", { status: 500 }, put, 1],
    ["501: nothing", { status: 501 }, get, 1],
    ["400: nothing", { status: 400 }, get, 1],
  ];

  test.each(CASES)("%s", async (_what, step, act, times) => {
    const { client, requests } = scripted([step, OK]);
    await act(client).catch(() => undefined);
    expect(requests).toHaveLength(times);
  });

  test("a change of which nobody knows is no plain error", async () => {
    const cases: readonly (readonly [Step, (client: ScimClient) => Promise<unknown>])[] = [
      [{ status: 502 }, patch],
      [{ status: 524 }, create],
      [{ fails: "broken" }, put],
      [{ fails: "cutOff" }, guarded],
      ["silence", create],
    ];
    for (const [step, act] of cases) {
      const { client } = scripted([step]);
      await expect(act(client)).rejects.toMatchObject({ code: "unknownOutcome", candidates: [] });
    }
  });

  test("a conflict that our own first attempt may have made is no plain conflict", async () => {
    const { client } = scripted([{ fails: "broken" }, { status: 412, body: { currentVersion: "v2" } }]);
    await expect(guarded(client)).rejects.toMatchObject({
      code: "unknownOutcome",
      cause: { code: "versionMismatch" },
    });
  });

  test.each<readonly [what: string, later: Step, code: string]>([
    ["refuses the credentials", { status: 401 }, "unauthorized"],
    ["forbids it", { status: 403 }, "forbidden"],
    ["is busy", { status: 429 }, "tooManyRequests"],
    ["waited too long", { status: 408 }, "unexpectedStatus"],
    ["is not ready", { status: 425 }, "unexpectedStatus"],
    ["leads elsewhere", { status: 302 }, "redirected"],
  ])("a change of which nobody knows stays unknown where the service then %s", async (_what, later, code) => {
    const { client } = scripted([{ fails: "broken" }, later]);
    await expect(guarded(client)).rejects.toMatchObject({ code: "unknownOutcome", cause: { code } });
    await expect(guarded(scripted([later]).client)).rejects.toMatchObject({ code });
    const reading = get(scripted([{ fails: "broken" }, later]).client);
    await expect(reading).rejects.toMatchObject({ code });
  });

  test("a change of which nobody knows stays unknown where there is no token to try again with", async () => {
    let tokens = 1;
    const auth = refreshingToken(async () => {
      tokens -= 1;
      if (tokens < 0) throw new CredentialsError("The vault is sealed.");
      return { token: "t", expiresIn: 0.001 };
    });
    const { client } = scripted([{ fails: "broken" }], { auth });
    await expect(put(client)).rejects.toMatchObject({
      code: "unknownOutcome",
      request: { attempts: 1 },
      cause: { code: "tokenUnavailable" },
    });
    await expect(put(client)).rejects.toMatchObject({ code: "tokenUnavailable" });
  });

  test("a refusal of the request itself tells that it was not done before either", async () => {
    const { client } = scripted([{ fails: "broken" }, { status: 400, body: { scimType: "invalidValue" } }]);
    await expect(put(client)).rejects.toMatchObject({ code: "invalidValue" });
  });

  test("a redirect that cannot be looked into says that nothing was done", async () => {
    await expect(put(scripted([{ fails: "redirected" }]).client)).rejects.toMatchObject({
      code: "redirected",
    });
  });

  test.each([404, 410])("what is gone when a deletion is sent again is deleted: %d", async (status) => {
    // Some services call everything a web page, also nothing.
    for (const headers of [{}, { "content-type": "text/html" }]) {
      const { client } = scripted([{ fails: "broken" }, { status, headers }]);
      await expect(remove(client)).resolves.toBeUndefined();
    }
    await expect(remove(scripted([{ status }]).client)).rejects.toMatchObject({ code: "notFound" });
    await expect(scripted([{ status }]).client.users.exists("1")).resolves.toBe(false);
  });

  test("a web page that says 404 tells nothing of an attempt before it", async () => {
    const page: Step = {
      status: 404,
      headers: { "content-type": "text/html; charset=utf-8" },
      body: "<h1>Nothing</h1>",
    };
    for (const act of [put, remove, guarded]) {
      const outcome = act(scripted([{ fails: "broken" }, page]).client);
      await expect(outcome).rejects.toMatchObject({
        code: "unknownOutcome",
        cause: { code: "unexpectedStatus" },
      });
    }
  });

  test.each([404, 410])("a web page that says %d does not say that a resource is gone", async (status) => {
    const page: Step = { status, headers: { "content-type": "text/html" }, body: "<h1>Nothing</h1>" };
    const refused = { code: "unexpectedStatus", status };
    await expect(scripted([page]).client.users.exists("1")).rejects.toMatchObject(refused);
    await expect(remove(scripted([page]).client)).rejects.toMatchObject(refused);
    // An endpoint that is none is a wrong address all the same.
    const endpoint = scripted([page]).client.users.create({ userName: "x" });
    await expect(endpoint).rejects.toMatchObject({ remedy: expect.stringContaining("baseUrl") });
  });
});

describe("waits", () => {
  test("grow, by chance and up to a bound", async () => {
    const { client, clock } = scripted([{ status: 503 }], {
      retries: { attempts: 6, baseDelay: 100, maxDelay: 500 },
    });
    await expect(get(client)).rejects.toMatchObject({ code: "unavailable", request: { attempts: 6 } });
    expect(clock.waits).toEqual([75, 150, 300, 375, 375]);
  });

  test("are as long as the service asks, and hold up every request of the client", async () => {
    const { client, clock, requests } = scripted([{ status: 429, headers: { "retry-after": "7" } }, OK]);
    const began = clock.now();
    const first = get(client);
    await new Promise(setImmediate);
    await Promise.all([first, client.users.get("1", { fresh: true })]);
    expect(clock.now() - began).toBeGreaterThanOrEqual(7000);
    expect(requests).toHaveLength(3);
  });

  test.each([
    ["are kept by other requests where the last attempt of one met them", 2, 7000],
    ["are none where requests are sent once", 1, 0],
  ])("%s", async (_what, attempts, least) => {
    const busy: Step = { status: 429, headers: { "retry-after": "7" } };
    const steps = [...Array.from({ length: attempts }, () => busy), OK];
    const { client, clock } = scripted(steps, { retries: { attempts } });
    await expect(get(client)).rejects.toMatchObject({ code: "tooManyRequests", retryAfterMs: 7000 });
    const began = clock.now();
    await get(client);
    const waited = clock.now() - began;
    expect([waited >= least, waited < least + 2000]).toEqual([true, true]);
  });

  test.each([
    ["right", 0],
    ["an hour fast", -3_600_000],
    ["an hour slow", 3_600_000],
  ])("take a date, also where the clock is %s", async (_what, ahead) => {
    const now = Date.UTC(2026, 0, 1) + ahead;
    const date = new Date(now).toUTCString();
    const later = new Date(now + 30_000).toUTCString();
    const { client, clock } = scripted([{ status: 503, headers: { date, "retry-after": later } }, OK]);
    await get(client);
    expect(clock.waits.some((wait) => wait >= 30_000 && wait < 31_000)).toBe(true);
  });

  test("take a date of a service that does not tell what time it is", async () => {
    const later = new Date(Date.UTC(2026, 0, 1, 0, 0, 30)).toUTCString();
    const { client, clock } = scripted([{ status: 503, headers: { "retry-after": later } }, OK]);
    await get(client);
    expect(clock.waits.some((wait) => wait >= 30_000 && wait < 31_000)).toBe(true);
  });

  test("that are undefined are those of the client", async () => {
    const none = { attempts: undefined, baseDelay: undefined, maxDelay: undefined, maxRetryAfter: undefined };
    const steps: readonly Step[] = [{ status: 503 }, { status: 429, headers: { "retry-after": "61" } }];
    // The types leave undefined out; programs without types, and those compiled less strictly, do not.
    const { client, clock } = scripted(steps, { retries: none as object });
    await expect(get(client)).rejects.toMatchObject({ retryAfterMs: 61_000 });
    expect(clock.waits).toEqual([188]);
  });

  test("that are too long are left to the program", async () => {
    const { client, requests } = scripted([{ status: 429, headers: { "retry-after": "3600" } }]);
    await expect(get(client)).rejects.toMatchObject({ code: "tooManyRequests", retryAfterMs: 3_600_000 });
    expect(requests).toHaveLength(1);
  });

  test("end when the request is given up", async () => {
    const controller = new AbortController();
    const { client } = scripted([{ status: 503, headers: { "retry-after": "50" } }], {
      onEvent: (event) => {
        if (event.kind === "retry") controller.abort();
      },
    });
    await expect(client.users.get("1", { signal: controller.signal })).rejects.toMatchObject({
      code: "aborted",
    });
  });
});

describe("limits", () => {
  test("hold the requests under way", async () => {
    let running = 0;
    let most = 0;
    const transport = {
      send: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
        return { status: 200, headers: {}, body: JSON.stringify(aUser()) };
      },
      close: async () => undefined,
    };
    const { client } = scripted([OK], { transport, limits: { concurrency: 3 } });
    await Promise.all(Array.from({ length: 20 }, () => client.users.get("1")));
    expect([most, running]).toEqual([3, 0]);
  });

  test("hold the requests of a second", async () => {
    const times: number[] = [];
    const { client, clock } = scripted([OK], {
      limits: { requestsPerSecond: 4 },
      onEvent: (event) => {
        if (event.kind === "request") times.push(clock.now());
      },
    });
    await Promise.all(Array.from({ length: 6 }, () => client.users.get("1")));
    const [first = 0] = times;
    expect(times.map((time) => time - first)).toEqual([0, 250, 500, 750, 1000, 1250]);
  });

  test("a turn that comes while a request begins to wait for it is taken", { timeout: 2000 }, async () => {
    const jumping = jumpingClock();
    let looks = 0;
    // Each look at the clock is a millisecond later than the one before.
    const clock = { ...jumping, now: () => jumping.now() + (looks += 1) };
    const { client, requests } = scripted([OK], { clock, limits: { requestsPerSecond: 500 } });
    await client.users.get("1");
    await client.users.get("1");
    expect(requests).toHaveLength(2);
  });

  test.each<readonly [string, Step, object]>([
    ["by the rate", OK, { requestsPerSecond: 4 }],
    ["as the service asked", { status: 429, headers: { "retry-after": "7" } }, {}],
  ])("hold no request %s until a clock that is put back has caught up", async (_what, first, limits) => {
    const jumping = jumpingClock();
    let hour = 0;
    const clock = { ...jumping, now: () => jumping.now() - hour };
    const putBack: Step = () => {
      // Behind the look at the clock that follows the answer.
      setImmediate(() => (hour = 3_600_000));
      return first;
    };
    const { client } = scripted([putBack, OK], { clock, limits });
    const began = jumping.now();
    await client.users.get("1");
    await new Promise(setImmediate);
    await client.users.get("1");
    expect(jumping.now() - began).toBeLessThan(60_000);
  });

  test("a request that waits for its turn can be given up, and the others go on", async () => {
    const controller = new AbortController();
    const { client, requests } = scripted([OK], { limits: { requestsPerSecond: 1 } });
    const [, given, last] = [
      client.users.get("1"),
      client.users.get("2", { signal: controller.signal }).catch((error: unknown) => error),
      client.users.get("1"),
    ];
    controller.abort();
    expect(await given).toMatchObject({ code: "aborted", request: { attempts: 0 } });
    await last;
    expect(requests).toHaveLength(2);
  });

  test("a request that was given up before is not sent, whatever the transport makes of its signal", async () => {
    const { client, requests } = scripted([{ status: 201, body: { id: "1" } }]);
    const signal = AbortSignal.abort();
    await expect(client.users.create({ userName: "ann" }, { signal })).rejects.toMatchObject({
      code: "aborted",
      request: { attempts: 0 },
    });
    expect(requests).toEqual([]);
  });

  test.each([
    { baseUrl: "/scim/v2" },
    { baseUrl: "ftp://id.example" },
    { baseUrl: "https://name:secret@id.example/scim" },
    { baseUrl: "https://id.example/scim?token=secret" },
    { limits: { timeout: 0 } },
    { limits: { concurrency: 0 } },
    { limits: { requestsPerSecond: 0 } },
    { limits: { maxAnswerBytes: Number.NaN } },
    { retries: { attempts: 0 } },
    { retries: { baseDelay: Number.NaN } },
    { retries: { maxDelay: -1 } },
    { retries: { maxRetryAfter: Number.NaN } },
  ])("that make no sense are refused: %j", (options) => {
    expect(() => scripted([OK], options)).toThrow(expect.objectContaining({ code: "invalidOption" }));
  });
});

describe("a creation of which nobody knows", () => {
  const list = (...resources: readonly object[]): Step => ({
    body: { totalResults: resources.length, Resources: resources },
  });
  const input = { userName: "bjensen", externalId: "e1", active: true };
  const made = aUser({ externalId: "e1", active: true });
  const run = async (...steps: readonly Step[]) => {
    const script = scripted(steps);
    const outcome: unknown = await script.client.users.create(input).catch((error: unknown) => error);
    return {
      outcome,
      sent: script.requests.map(({ method, path }) => `${method} ${path.slice("/scim/v2".length)}`),
    };
  };
  const LOOK = "GET /Users?filter=externalId%20eq%20%22e1%22";

  test("is found by externalId", async () => {
    const { outcome, sent } = await run({ fails: "cutOff" }, list(made));
    expect(outcome).toEqual(made);
    expect(sent).toEqual(["POST /Users", LOOK]);
  });

  test("is found among others that a service lists in spite of the filter", async () => {
    const { outcome } = await run({ fails: "cutOff" }, list(aUser({ id: "2", externalId: "e2" }), made));
    expect(outcome).toEqual(made);
  });

  test("is made where there is none", async () => {
    const { outcome, sent } = await run("silence", list(), { status: 201, body: made });
    expect(outcome).toEqual(made);
    expect(sent).toEqual(["POST /Users", LOOK, "POST /Users"]);
  });

  test.each<readonly [number, object]>([
    [409, {}],
    [400, { scimType: "uniqueness" }],
  ])("is found where the first attempt was only slow: %d %j", async (status, body) => {
    const { outcome, sent } = await run({ status: 504 }, list(), { status, body }, list(made));
    expect(outcome).toEqual(made);
    expect(sent).toEqual(["POST /Users", LOOK, "POST /Users", LOOK]);
  });

  test.each([
    ["two resources have the identifier", [made, aUser({ id: "2" })], ["1", "2"]],
    ["the resource holds something else", [aUser({ userName: "someone" })], ["1"]],
    // A service that ignores filters lists everybody: none of these is what was made.
    ["others are listed", [aUser({ externalId: "e7" }), aUser({ id: "2", externalId: "e8" })], []],
  ])("stays unknown where %s", async (_what, resources, candidates) => {
    const { outcome } = await run({ fails: "broken" }, list(...resources));
    expect(outcome).toMatchObject({
      code: "unknownOutcome",
      candidates,
      remedy: expect.stringContaining("externalId"),
    });
  });

  const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
  const roles = [{ value: "admin" }];
  const work = { value: "a@x.example", type: "work", primary: true };

  // Whoever had the name before is not what was created.
  test.each<readonly [string, object, object]>([
    ["a value", { title: "Dr" }, {}],
    ["another value", { title: "Dr" }, { title: "Ms" }],
    ["a boolean", { active: true }, {}],
    ["a list", { roles }, {}],
    ["a value of a list", { roles }, { roles: [{ value: "x" }] }],
    ["nothing more in a list", { roles }, { roles: [...roles, { value: "x" }] }],
    ["a part", { name: { givenName: "A", familyName: "B" } }, { name: { givenName: "A" } }],
    ["a part of a value", { emails: [work] }, { emails: [{ value: work.value }] }],
    ["an extension", { [ENTERPRISE]: { department: "D" } }, {}],
    [
      "a part of an extension",
      { [ENTERPRISE]: { department: "D", division: "V" } },
      { [ENTERPRISE]: { division: "V" } },
    ],
  ])("stays unknown where what is found has not %s that was sent", async (_what, sent, found) => {
    const { client } = scripted([{ fails: "broken" }, list(aUser(found))]);
    const creation = client.users.create({ userName: "bjensen", ...sent });
    await expect(creation).rejects.toMatchObject({ code: "unknownOutcome", candidates: ["1"] });
  });

  test.each<readonly [string, object, object]>([
    ["what is never shown", { password: "correct horse" }, {}],
    [
      "what says nothing",
      { title: null, roles: [], name: {}, emails: [{ ...work, primary: false }] },
      { emails: [{ value: work.value, type: "work" }] },
    ],
    ["what no schema names", { shoeSize: 42 }, {}],
    [
      "what the service adds",
      { emails: [{ value: work.value }] },
      { active: true, title: "-", emails: [{ ...work, display: "A" }] },
    ],
    [
      "letter case",
      { displayName: "Ada", emails: [{ ...work, value: "A@X.example" }] },
      { displayName: "ada", emails: [work] },
    ],
    ["the form of a boolean", { active: "True" }, { active: true }],
    ["order", { roles: [{ value: "x" }, ...roles] }, { roles: [...roles, { value: "x" }] }],
    [
      "an address",
      { [ENTERPRISE]: { manager: { value: "m", $ref: "../Users/m" } } },
      {
        [ENTERPRISE]: {
          manager: { value: "m", $ref: "https://id.example/scim/v2/Users/m", displayName: "M" },
        },
      },
    ],
  ])("is found whatever the service does of %s", async (_what, sent, found) => {
    const user = aUser({ userName: "BJensen", ...found });
    const { client } = scripted([{ fails: "broken" }, list(user)]);
    expect(await client.users.create({ userName: "bjensen", ...sent })).toEqual(user);
  });

  test("is looked for by what is unique where there is no externalId", async () => {
    const { client, requests } = scripted([{ fails: "broken" }, list(aUser())]);
    expect(await client.users.create({ userName: "bjensen" })).toEqual(aUser());
    expect(requests[1]?.path).toContain("userName%20eq%20%22bjensen%22");
  });

  test.each([400, 501])(
    "is looked for by what is unique where a look-up by externalId is answered %d",
    async (status) => {
      const { outcome, sent } = await run({ fails: "broken" }, { status, body: {} }, list(made));
      expect(outcome).toEqual(made);
      expect(sent).toEqual([
        "POST /Users",
        LOOK,
        LOOK.replace("externalId", "userName").replace("e1", "bjensen"),
      ]);
    },
  );

  test("is given up after as many attempts as others", async () => {
    const { client, requests } = scripted(
      [({ method }) => (method === "POST" ? { fails: "broken" } : list())],
      { retries: { attempts: 3 } },
    );
    await expect(client.users.create(input)).rejects.toMatchObject({ code: "unknownOutcome" });
    expect(requests.filter(({ method }) => method === "POST")).toHaveLength(3);
  });

  test("is looked for with the headers of the call, which may name whose resources are meant", async () => {
    const { client, requests } = scripted([{ fails: "broken" }, list(made)]);
    await client.users.create(input, { headers: { "x-tenant": "b" } });
    expect(requests.map(({ headers }) => headers["x-tenant"])).toEqual(["b", "b"]);
  });

  test("stays unknown where it cannot be looked up", async () => {
    const { outcome } = await run({ fails: "broken" }, { status: 403, body: {} });
    expect(outcome).toMatchObject({ code: "unknownOutcome", cause: { status: 403 } });
  });

  test("stays unknown where the caller gives up before the next attempt", async () => {
    const controller = new AbortController();
    const { client } = scripted([
      { fails: "broken" },
      () => {
        controller.abort();
        return list();
      },
    ]);
    await expect(client.users.create(input, { signal: controller.signal })).rejects.toMatchObject({
      code: "unknownOutcome",
    });
  });

  test("a conflict at the first attempt is the service's answer", async () => {
    const { outcome, sent } = await run({ status: 409, body: { scimType: "uniqueness" } });
    expect(outcome).toMatchObject({ code: "uniqueness" });
    expect(sent).toHaveLength(1);
  });
});

test("what happens is told, without queries, headers and bodies", async () => {
  const events: ClientEvent[] = [];
  const { client } = scripted(
    [{ status: 503 }, { fails: "unsent" }, { headers: { "x-request-id": "r-1" }, body: aUser() }],
    {
      onEvent: (event) => events.push(event),
    },
  );
  await client.users.get("1", { attributes: ["userName"] });
  const about = { method: "GET", path: "/Users/1" };
  expect(events).toEqual([
    { kind: "request", ...about, attempt: 1 },
    { kind: "answer", ...about, attempt: 1, status: 503, durationMs: 0, requestId: null },
    { kind: "retry", ...about, attempt: 1, waitMs: 188 },
    { kind: "request", ...about, attempt: 2 },
    { kind: "failure", ...about, attempt: 2, reason: "unsent", durationMs: 0 },
    { kind: "retry", ...about, attempt: 2, waitMs: 375 },
    { kind: "request", ...about, attempt: 3 },
    { kind: "answer", ...about, attempt: 3, status: 200, durationMs: 0, requestId: "r-1" },
  ]);
});

test("a listener that throws is no failure of the request: nothing is sent again", async () => {
  const fault = new RangeError("the log is full");
  for (const kind of ["request", "answer"]) {
    const { client, requests } = scripted([OK], {
      onEvent: (event) => {
        if (event.kind === kind) throw fault;
      },
    });
    await expect(put(client)).rejects.toBe(fault);
    expect(requests).toHaveLength(kind === "request" ? 0 : 1);
  }
});

test("a transport that throws anything is a connection that failed", async () => {
  const transport = {
    send: async () => {
      throw new RangeError("oops");
    },
    close: async () => undefined,
  };
  const { client } = scripted([], { transport, retries: { attempts: 1 } });
  await expect(client.users.get("1")).rejects.toMatchObject({
    code: "connectionFailed",
    cause: expect.any(TransportFailure),
  });
});
