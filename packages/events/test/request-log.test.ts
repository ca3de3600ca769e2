import { createModelCatalog } from "@scim/core";
import {
  DRY_RUN_RESPONSE_URN,
  dryRunResponse,
  ScimError,
  BULK_REQUEST_URN,
  createDefaultRegistry,
  defineSchema,
  ERROR_URN,
  GROUP_URN,
  type JsonValue,
  SEARCH_REQUEST_URN,
  USER_URN,
} from "@scim/schemas";
import { describe, expect, test } from "vitest";
import {
  createRequestLog,
  explainRequest,
  type LoggableExchange,
  type LoggedRequest,
  type RequestBatch,
  type RequestLog,
  type RequestLogOptions,
} from "../src/index.ts";
import { SAMPLE_KEYS } from "../src/testing/index.ts";

const U1 = "0195c6a2-8f6b-7c31-9a55-0d7f6f1c2b3e";

interface Recorded {
  readonly log: RequestLog;
  readonly batches: readonly RequestBatch[];
  readonly entries: () => readonly LoggedRequest[];
  readonly errors: readonly unknown[];
}

function recording(options: Partial<RequestLogOptions> = {}, add?: (batch: RequestBatch) => void): Recorded {
  const batches: RequestBatch[] = [];
  const errors: unknown[] = [];
  let ids = 0;
  const log = createRequestLog({
    ...SAMPLE_KEYS,
    store: {
      add: async (batch) => {
        add?.(batch);
        batches.push(batch);
      },
    },
    catalog: createModelCatalog(createDefaultRegistry()),
    newId: () => `id-${(ids += 1)}`,
    now: () => 1_700_000_000_000,
    pause: async () => undefined,
    onError: (error) => errors.push(error),
    ...options,
  });
  return { log, batches, errors, entries: () => batches.flatMap(({ entries }) => entries) };
}

function exchange(
  of: Partial<LoggableExchange> = {},
  record: Partial<LoggableExchange["record"]> = {},
): LoggableExchange {
  return {
    record: {
      requestId: "r-1",
      method: "GET",
      route: "/Users",
      status: 200,
      durationMs: 1,
      tenant: "acme",
      connection: "entra",
      credential: null,
      switches: [],
      failedOperations: [],
      errorCode: null,
      ...record,
    },
    target: "/Users",
    headers: {},
    body: null,
    answer: null,
    location: null,
    ...of,
  };
}

/** What the log shows of a body. */
async function shown(method: string, target: string, value: JsonValue): Promise<LoggedRequest["body"]> {
  const { log, entries } = recording();
  log.onExchange(exchange({ target, body: { value, bytes: 1, isPart: false } }, { method }));
  await log.flush();
  return entries()[0]?.body ?? null;
}

describe("the recorder of requests", () => {
  test("names attributes that were dropped, and nothing that cannot be one", async () => {
    const { log, entries } = recording();
    const paths = ["emails[0].label", "name.nick", "ines@example.com", "addresses[3].ines doe"];
    const switches = paths.map((path) => ({ name: "unknown-attributes" as const, path }));
    log.onExchange(exchange({}, { switches }));
    await log.flush();
    expect(entries()[0]?.switches.map(({ path }) => path)).toEqual([
      "emails[0].label",
      "name.nick",
      expect.stringMatching(/^~[\w-]{22}@example\.invalid$/),
      expect.stringMatching(/^~[\w-]{22}$/),
    ]);
  });

  test("lets requests go first among those that are redacted in one slice, and counts its own time alone", async () => {
    let [now, redacted, turns] = [1_700_000_000_000, 0, 0];
    const sizes: number[] = [];
    const { log, batches } = recording({
      now: () => now,
      // A request takes a tenth of a millisecond, and what goes first a second.
      newId: () => {
        redacted += 1;
        if (redacted % 10 === 0) now += 1;
        return `id-${redacted}`;
      },
      turn: async () => {
        turns += 1;
        now += 1000;
      },
    });
    for (let n = 0; n < 60; n += 1) log.onExchange(exchange());
    await log.flush();
    for (const { entries } of batches) sizes.push(entries.length);
    expect([sizes, turns]).toEqual([[40, 20], 3]);
  });

  test.each([
    ["reads that succeeded", {}],
    ["what was told to come later", { status: 429 }],
  ])("skips %s first, and counts what it skips", async (_, dull) => {
    const { log, batches, entries } = recording({ most: 4 });
    for (let n = 0; n < 5; n += 1) log.onExchange(exchange({}, dull));
    for (let n = 0; n < 3; n += 1) log.onExchange(exchange({}, { method: "DELETE", status: 204 }));
    log.onExchange(exchange({}, { tenant: null, connection: null, status: 401 }));
    await log.flush();
    expect(entries().map(({ method }) => method)).toEqual(["GET", "GET", "DELETE", "DELETE"]);
    expect(batches.reduce((sum, { skipped }) => sum + skipped, 0)).toBe(4);
  });

  const SENT = {
    reads: {},
    "reads that failed": { status: 404 },
    writes: { method: "POST", status: 201 },
    "writes that came too fast": { method: "POST", status: 429 },
  } as const;

  test.each([
    ["nobody tells", undefined, ["reads"], 990],
    ["it is busy", 1, ["reads"], 990],
    ["it is busy", 1, ["writes"], 390],
    ["it is busy for three quarters of the time", 0.75, ["writes"], 390],
    ["it is idle for three quarters of the time", 0.25, ["writes"], 26],
    ["it is idle for three quarters of the time", 0.25, ["writes", "reads"], 48],
    ["it is idle for three quarters of the time", 0.25, ["reads"], 128],
    ["it is idle for three quarters of the time", 0.25, ["reads that failed"], 26],
    ["it is idle for three quarters of the time", 0.25, ["writes that came too fast"], 128],
    ["it is idle", 0, ["writes"], 15],
    ["it is idle", 0, ["reads"], 86],
  ] as const)(
    "pauses behind a slice by how busy the thread is, and by what waits: %s, %d, %s",
    async (_, utilization, sent, expected) => {
      const pauses: number[] = [];
      const { promise: isPaused, resolve: pauseBegins } = Promise.withResolvers<void>();
      let now = 1_700_000_000_000;
      const { log } = recording({
        // By this clock a slice takes 5 ms.
        now: () => (now += 1),
        pause: async (milliseconds) => {
          pauses.push(milliseconds);
          if (pauses.length === 2) pauseBegins();
        },
        utilization: utilization === undefined ? undefined : () => utilization,
      });
      for (let n = 0; n < 20; n += 1) for (const each of sent) log.onExchange(exchange({}, SENT[each]));
      await isPaused;
      await log.flush();
      const [, behindSlice = 0] = pauses;
      expect(Math.round(behindSlice)).toBe(expected);
    },
  );

  test("shows what was refused of a tenant whose schemas cannot be read, and no value of it", async () => {
    const { log, entries, errors } = recording({ catalog: () => Promise.reject(new Error("do not fit")) });
    const detail = "The schemas of the tenant do not fit the service any more.";
    const answer = JSON.stringify({ schemas: [ERROR_URN], status: "503", detail });
    const value = { schemas: [USER_URN], userName: "ines", active: true, "shoe size": 44 };
    const body = { value, bytes: 1, isPart: false };
    const target = '/Users/ines?filter=userName eq "ines"';
    log.onExchange(
      exchange({ target, body, answer }, { method: "PUT", status: 503, errorCode: "unavailable" }),
    );
    await log.flush();
    expect(entries()).toMatchObject([{ status: 503, type: null, answer: { json: { detail } } }]);
    expect(JSON.stringify(entries())).not.toMatch(/ines|44|shoe/);
    expect(errors).toEqual([]);
  });

  test("goes on where the store fails, tells of what it lost, and keeps connections apart", async () => {
    let isAway = true;
    const { log, batches, errors } = recording({}, ({ connection }) => {
      if (isAway && connection === "broken") throw new Error("the store is away");
    });
    for (const connection of ["okta", "broken", "entra", "okta"])
      log.onExchange(exchange({}, { connection }));
    await log.flush();
    expect(batches.map(({ connection, entries }) => [connection, entries.length])).toEqual([
      ["okta", 2],
      ["entra", 1],
    ]);
    expect(errors).toEqual([new Error("the store is away")]);
    isAway = false;
    log.onExchange(exchange({}, { connection: "broken" }));
    await log.flush();
    expect(batches.at(-1)).toMatchObject({ connection: "broken", skipped: 1, entries: [{}] });
  });

  test("waits for a store that is away once in a hurry, and skips what waits", async () => {
    let [clock, tries, isAway] = [0, 0, true];
    const { log, batches, errors } = recording({ now: () => (clock += 10) }, () => {
      tries += 1;
      if (isAway) throw new ScimError("unavailable", "The store is away.");
    });
    const connections = ["okta", "entra", "google"];
    const waiting = Array.from({ length: 30 }, (_, at) => connections[at % 3] ?? "");
    for (const connection of waiting) log.onExchange(exchange({}, { connection, status: 201 }));
    await log.flush();
    expect([tries, errors.length, batches]).toEqual([1, 1, []]);

    isAway = false;
    for (const connection of connections) log.onExchange(exchange({}, { connection }));
    await log.flush();
    const skipped = new Map<string, number>();
    for (const { connection, skipped: count } of batches)
      skipped.set(connection, (skipped.get(connection) ?? 0) + count);
    expect([...skipped]).toEqual(connections.map((connection) => [connection, 10]));
    expect(batches.flatMap(({ entries }) => entries)).toHaveLength(3);
  });
});

test.each([
  ["uniqueness", "uniqueness"],
  ["notACode", null],
  ["constructor", null],
])("the error code '%s' is kept as %o", async (errorCode, kept) => {
  const { log, entries } = recording();
  log.onExchange(exchange({}, { status: 409, errorCode }));
  await log.flush();
  expect(entries()[0]?.errorCode).toBe(kept);
});

describe("what is shown of a header", () => {
  test("hides the addresses beside a program's name", async () => {
    const { log, entries } = recording();
    const agent = "sync/1.2 (ann@example.com; see https://x.example/?ask=bob@example.com, team) @";
    log.onExchange(exchange({ headers: { "user-agent": agent } }));
    await log.flush();
    expect(entries()[0]?.headers["user-agent"]).toMatch(
      /^sync\/1\.2 \(~\S+@example\.invalid; see https:\/\/example\.invalid\/~\S+, team\) ~\S+$/,
    );
  });

  test.each([
    ["accept", "application/scim+json;q=0.9, */*", true],
    ["prefer", "return=minimal", true],
    ["prefer", "return what Ann Smith asked for", false],
    ["accept", "ann@example.com", false],
    ["content-type", 'text/plain; name="Ann Smith"', false],
  ])(
    "is what the protocol says, and nothing that a person may have written: %s: %s",
    async (name, value, isShown) => {
      const { log, entries } = recording();
      log.onExchange(exchange({ headers: { [name]: value } }));
      await log.flush();
      const shownValue = entries()[0]?.headers[name];
      if (isShown) expect(shownValue).toBe(value);
      else expect(shownValue).toMatch(/^~/);
    },
  );

  test("keeps the tags of a list apart, however they are spaced", async () => {
    const { log, entries } = recording();
    log.onExchange(exchange({ headers: { "if-none-match": 'W/"1" ,\t"2",*,  3' } }));
    await log.flush();
    expect(entries()[0]?.headers).toEqual({ "if-none-match": 'W/"1", "2", *, 3' });
  });

  // The longest that a server takes. Read again from each of its characters, one of them takes seconds.
  test.each([
    ["user-agent", "a".repeat(65_000)],
    ["if-match", `"a"${" \t".repeat(32_000)}b`],
    ["if-none-match", ",".repeat(65_000)],
    ["prefer", `a=a${" ;a".repeat(21_000)}!`],
    ["accept", `${"a/a,".repeat(16_000)}!`],
  ])(
    "is found without reading %s over and over",
    async (name, value) => {
      const { log, entries } = recording();
      for (let n = 0; n < 5; n += 1) log.onExchange(exchange({ headers: { [name]: value } }));
      await log.flush();
      expect(entries()).toHaveLength(5);
      for (const { headers } of entries()) expect(headers[name]?.length).toBeLessThanOrEqual(200);
    },
    10_000,
  );
});

const SEARCH = [SEARCH_REQUEST_URN];

/** As many different texts, each with an `@`, as a request may hold. */
function manyAddresses(separator: string, characters: number): string {
  const all = Array.from({ length: characters / 5 }, (_, at) => `@${at.toString(36)}`);
  return all.join(separator).slice(0, characters);
}

test.each<readonly [what: string, Partial<LoggableExchange>]>([
  ["names in an address", { target: `/Users?attributes=${manyAddresses(",", 60_000)}` }],
  ["names in a search", { body: bodyOf({ schemas: SEARCH, sortBy: manyAddresses(",", 1_000_000) }) }],
  ["lists of names", { body: bodyOf({ schemas: SEARCH, attributes: [manyAddresses(",", 1_000_000)] }) }],
  ["segments of an address", { target: `/Users/${manyAddresses("/", 60_000)}` }],
  ["mail addresses of a program", { headers: { "user-agent": manyAddresses(" ", 60_000) } }],
  ["white space", { body: bodyOf({ userName: " ".repeat(1_000_000) }) }],
  ["lists of nothing", { body: bodyOf({ emails: nested(3, 60) }) }],
])("an entry is made of little, and is no longer than others, whatever holds %s", async (_what, of) => {
  let hashed = 0;
  const hmac: RequestLogOptions["hmac"] = (secret, text) => {
    hashed += 1;
    return SAMPLE_KEYS.hmac(secret, text);
  };
  const { log, entries } = recording({ hmac });
  log.onExchange(exchange(of, { method: "POST" }));
  await log.flush();
  expect(JSON.stringify(entries()).length).toBeLessThan(40_000);
  expect(hashed).toBeLessThan(1500);
});

function bodyOf(value: JsonValue): LoggableExchange["body"] {
  return { value, bytes: 1, isPart: false };
}

/** Lists in lists, each as long. */
function nested(depth: number, length: number): JsonValue {
  return Array.from({ length }, () => (depth === 1 ? [] : nested(depth - 1, length)));
}

describe("what is shown of a body", () => {
  test("holds the version of a resource with what was derived for it", async () => {
    const version = 'W/"1-kRWNnw8~t3Zk0aYv5mXw9cQ2"';
    const { log, entries } = recording();
    log.onExchange(
      exchange({
        target: `/Users/${U1}`,
        answer: JSON.stringify({ schemas: [USER_URN], meta: { version } }),
      }),
    );
    await log.flush();
    expect(entries()[0]?.answer?.json).toMatchObject({ meta: { version } });
  });

  test("names the resource types of the tenant, and none that a client made up", async () => {
    const registry = createDefaultRegistry();
    const schema = "urn:example:params:scim:schemas:extension:acme:1.0:Badge";
    registry.addSchema(defineSchema({ id: schema, name: "Badge", description: "A badge.", attributes: [] }));
    registry.addResourceType({ name: "Badge", endpoint: "/Badges", schema });
    const { log, entries } = recording({ catalog: createModelCatalog(registry) });
    for (const resourceType of ["Badge", "badge", "User", "Ines"]) {
      const filter = encodeURIComponent(`meta.resourceType eq "${resourceType}"`);
      const answer = JSON.stringify({ schemas: [schema], meta: { resourceType } });
      log.onExchange(exchange({ target: `/ResourceTypes/${resourceType}?filter=${filter}`, answer }));
    }
    await log.flush();
    const shownTypes = entries().map(({ target, answer }) => [
      /^\/ResourceTypes\/([^?]+)/.exec(target)?.[1],
      /"(.*)"/.exec(decodeURIComponent(target))?.[1],
      answer?.json,
    ]);
    expect(shownTypes.slice(0, 3)).toEqual(
      ["Badge", "badge", "User"].map((name) => [
        name,
        name,
        { schemas: [schema], meta: { resourceType: name } },
      ]),
    );
    expect(JSON.stringify(shownTypes[3])).not.toContain("Ines");
  });

  test("tells what a dry run came to, as that of the change would be shown", async () => {
    const user = { schemas: [USER_URN], userName: "ines", active: true, password: "Tr0ub4dor" };
    const diff = [
      { op: "add", path: "active", value: true },
      { op: "replace", path: 'emails[value eq "ines"].type', value: "work" },
    ] as const;
    const error = new ScimError("invalidValue", "Attribute 'userName' is required: send a value.");
    const { log, entries } = recording();
    for (const outcome of [
      { valid: true, status: 201, resource: user, diff, error: null },
      { valid: false, status: 400, resource: null, diff: [], error },
    ])
      log.onExchange(
        exchange({ target: "/.dry-run/Users", answer: JSON.stringify(dryRunResponse(outcome)) }),
      );
    await log.flush();
    const [made, refused] = entries().map(({ answer }) => answer?.json);
    const pseudonym = expect.stringMatching(/^~[\w-]{22}$/);
    expect(made).toEqual({
      schemas: [DRY_RUN_RESPONSE_URN],
      valid: true,
      status: "201",
      resource: { ...user, userName: pseudonym, password: "~withheld" },
      diff: [diff[0], { ...diff[1], path: expect.stringMatching(/^emails\[value eq "~[\w-]{22}"\]\.type$/) }],
    });
    expect(refused).toMatchObject({ valid: false, status: "400", resource: null, error: error.toJSON() });
  });

  test("is bounded, and tells what was cut", async () => {
    const members = Array.from({ length: 1000 }, (_, n) => ({ value: `u${n}` }));
    const many = await shown("POST", "/Groups", { schemas: [GROUP_URN], displayName: "Team", members });
    expect(many?.cuts).toEqual([{ path: "members", shown: 50, of: 1000 }]);
    const long = await shown("POST", "/Users", {
      schemas: [USER_URN],
      userName: "a",
      emails: Array.from({ length: 40 }, (_, n) =>
        Object.fromEntries([
          ["value", `${n}@x`],
          ["display", "x".repeat(2000)],
        ]),
      ),
      ...Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`unknown${n}`, "x"])),
    });
    expect(JSON.stringify(long).length).toBeLessThan(40_000);
    expect(long?.cuts).toMatchObject([{ path: "", of: 2003 }]);
  });

  test.each<readonly [why: string, method: string, target: string, body: JsonValue, shows: JsonValue]>([
    [
      "a word in the place of a boolean",
      "PATCH",
      "/Users/u1",
      { Operations: [{ op: "replace", path: "active", value: "False" }] },
      { Operations: [{ op: "replace", path: "active", value: "False" }] },
    ],
    [
      "members that are named once more in the value",
      "PATCH",
      "/Groups/g1",
      { Operations: [{ op: "remove", path: "members", value: { members: [{ value: U1 }] } }] },
      { Operations: [{ op: "remove", path: "members", value: { members: [{ value: U1 }] } }] },
    ],
    [
      "a reference that is no URI",
      "POST",
      "/Users",
      { profileUrl: "no address" },
      { profileUrl: expect.stringMatching(/^~<[\w-]{22}>$/) as string },
    ],
    [
      "a path in a spelling of its own",
      "PATCH",
      "/Users/u1",
      { Operations: [{ op: "add", path: "emails[Type EQ 'work' and value eq Ines@x.y].display" }] },
      {
        Operations: [
          {
            op: "add",
            path: expect.stringMatching(
              /^emails\[Type EQ 'work' and value eq ~[\w-]{22}@example\.invalid\]\.display$/,
            ) as string,
          },
        ],
      },
    ],
    ["a secret", "POST", "/Users", { password: "x" }, { password: "~withheld" }],
    [
      "names that have a meaning to JavaScript",
      "POST",
      "/Users",
      JSON.parse('{"constructor":{"toString":"x"},"__proto__":"x"}') as JsonValue,
      { constructor: { toString: "~withheld" }, "~1q4he0t1trcwa61u80nt40": "~withheld" },
    ],
    [
      "the label of a value, and what is no label",
      "POST",
      "/Users",
      { emails: [{ type: "work" }, { type: "Ines" }] },
      { emails: [{ type: "work" }, { type: expect.stringMatching(/^~[\w-]{22}$/) as string }] },
    ],
    [
      "digits, where they name no resource",
      "POST",
      "/Users",
      { phoneNumbers: [{ value: "5550123" }], groups: [{ value: "5550123" }] },
      {
        phoneNumbers: [{ value: expect.stringMatching(/^~[\w-]{22}$/) as string }],
        groups: [{ value: "5550123" }],
      },
    ],
    [
      "the form of an address",
      "POST",
      "/Users",
      { emails: [{ value: "ines@corp.example" }], profileUrl: "https://corp.example/ines" },
      {
        emails: [{ value: expect.stringMatching(/^~[\w-]{22}@example\.invalid$/) as string }],
        profileUrl: expect.stringMatching(/^https:\/\/example\.invalid\/~[\w-]{22}$/) as string,
      },
    ],
    [
      "a path that cannot be read",
      "PATCH",
      "/Users/u1",
      { Operations: [{ op: "add", path: 'emails[type eq "Ines' }] },
      { Operations: [{ op: "add", path: expect.stringMatching(/^emails\[type eq ~[\w-]{22}$/) as string }] },
    ],
  ])("%s", async (_why, method, target, body, shows) => {
    expect((await shown(method, target, body))?.json).toEqual(shows);
  });

  test.each([
    ["userName eq 'ines'", /^userName eq '~[\w-]{22}'$/],
    ["userName eq ines", /^userName eq ~[\w-]{22}$/],
    ["active eq True and title  pr", /^active eq True and title  pr$/],
    [
      'emails[type eq "work"].value eq "ines@x.y"',
      /^emails\[type eq "work"\]\.value eq "~[\w-]{22}@example\.invalid"$/,
    ],
    [
      'not (name.givenName SW "In\\"es") or emails[not (value eq "i")]',
      /^not \(name\.givenName SW "~[\w-]{22}"\) or emails\[not \(value eq "~[\w-]{22}"\)\]$/,
    ],
  ])("a filter keeps its spelling: %s", async (filter, shows) => {
    const { log, entries } = recording();
    log.onExchange(exchange({ target: `/Users?filter=${encodeURIComponent(filter)}` }));
    await log.flush();
    expect(decodeURIComponent(entries()[0]?.target ?? "")).toMatch(
      new RegExp(`\\?filter=${shows.source.slice(1)}`),
    );
  });

  test("asks for the model of the type that it is about, and for no other: there may be hundreds", async () => {
    const catalog = createModelCatalog(createDefaultRegistry());
    const asked = new Set<string>();
    const { log, entries, errors } = recording({
      catalog: {
        model: (type) => {
          asked.add(type);
          return catalog.model(type);
        },
        models: () => {
          throw new TypeError("All models are asked for");
        },
        definitions: () => catalog.definitions(),
      },
    });
    const value = { schemas: [GROUP_URN], displayName: "Ines", meta: { resourceType: "Group" } };
    const operation = { method: "POST", path: "/Groups", bulkId: "1", data: value };
    const job = { schemas: [BULK_REQUEST_URN], Operations: [operation] };
    for (const body of [value, job])
      log.onExchange(
        exchange({ target: "/Bulk?x=y", body: { value: body, bytes: 1, isPart: false } }, { method: "POST" }),
      );
    log.onExchange(
      exchange({ target: `/Groups/${U1}?filter=displayName%20pr`, answer: JSON.stringify(value) }),
    );
    log.onExchange(exchange({ target: "/Me", location: `https://scim.example/Groups/${U1}` }));
    await log.flush();
    expect([entries().length, errors, [...asked]]).toEqual([4, [], ["Group"]]);
  });

  test("a filter for all resource types is shown as their attributes let it be", async () => {
    const literals = 'userName eq "INES" or userName eq "ines" or userType eq "INES" or password eq "INES"';
    const { log, entries } = recording();
    log.onExchange(exchange({ target: `/?filter=${encodeURIComponent(literals)}` }));
    log.onExchange(exchange({ target: `/Users?filter=${encodeURIComponent(literals)}` }));
    await log.flush();
    const [anywhere, ofUsers] = entries().map(({ target }) => target.split("?")[1]);
    expect(anywhere).toBe(ofUsers);
    expect(anywhere).toContain("~withheld");
  });

  test("texts that are equal but for letter case are one, where their attribute ignores it", async () => {
    const filter = 'userName eq "INES" or userName eq "ines" or id eq "INES" or id eq "ines"';
    const { log, entries } = recording();
    log.onExchange(exchange({ target: `/Users?filter=${encodeURIComponent(filter)}` }));
    await log.flush();
    const [entry] = entries();
    const literals = [...decodeURIComponent(entry?.target ?? "").matchAll(/"([^"]+)"/g)].map(
      ([, each]) => each,
    );
    expect(literals[0]).toBe(literals[1]);
    expect(literals[2]).not.toBe(literals[3]);
  });
});

describe("a request at /Me", () => {
  const patched: JsonValue = { Operations: [{ op: "replace", path: "active", value: "False" }] };
  const tolerance = [{ name: "string-booleans" as const, path: "active" }];

  test("is one of the resource whose permanent address the answer tells", async () => {
    const { log, entries } = recording();
    const body = { value: patched, bytes: 1, isPart: false };
    for (const [location, route] of [
      [`https://scim.example/v2/Users/${U1}`, "/Me"],
      [`https://scim.example/Groups/v2/Users/${U1}`, "/.dry-run/Me"],
    ] as const)
      log.onExchange(
        exchange({ target: route, body, location }, { method: "PATCH", route, switches: tolerance }),
      );
    await log.flush();
    for (const entry of entries()) {
      expect(entry).toMatchObject({ type: "User", resource: U1, body: { json: patched } });
      expect(explainRequest(entry)).toEqual([
        'entra sent active as the string "False"; switch string-booleans read it as false.',
      ]);
    }
  });

  test.each<readonly [why: string, method: string, target: string, value: JsonValue, path: string]>([
    ["no answer tells whose it is", "PATCH", "/Me", patched, "active"],
    [
      "a bulk job has it",
      "POST",
      "/Bulk",
      { schemas: [BULK_REQUEST_URN], Operations: [{ method: "PATCH", path: "/Me", data: patched }] },
      "active",
    ],
    [
      "it is in a filter",
      "POST",
      "/Users/.search",
      { schemas: [SEARCH_REQUEST_URN], filter: 'active eq "True"' },
      "filter",
    ],
  ])("tells of a tolerance what can be told where %s", async (_why, method, target, value, path) => {
    const { log, entries } = recording();
    const body = { value, bytes: 1, isPart: false };
    const switches = [{ name: "string-booleans" as const, path }];
    log.onExchange(exchange({ target, body }, { method, switches }));
    await log.flush();
    const [explained = ""] = entries().flatMap(explainRequest);
    expect(explained).toMatch(
      new RegExp(`^entra sent ${path} as (?:a string|the string .+); switch string-booleans: Reads `),
    );
    expect(explained).not.toMatch(/withheld|read it as/);
  });
});

test.each<readonly [how: string, id: string, status: number, shown: RegExp]>([
  ["as it is, where a resource has it", "ines", 200, /^ines$/],
  ["as it is, where none has it and it reads as ids do", U1, 404, new RegExp(`^${U1}$`)],
  ["as a value of a person, where none has it", "ines", 404, /^~[\w-]{22}$/],
])("what stands in the place of an id is told %s", async (_how, id, status, shownAs) => {
  const { log, entries } = recording();
  log.onExchange(exchange({ target: `/Users/${id}` }, { route: "/Users/{id}", status }));
  await log.flush();
  expect(entries()[0]).toMatchObject({ type: "User", resource: expect.stringMatching(shownAs) });
});

test("a request that needed nothing and broke no rule has no explanation", async () => {
  const { log, entries } = recording();
  log.onExchange(exchange());
  await log.flush();
  expect(entries().map(explainRequest)).toEqual([[]]);
});
