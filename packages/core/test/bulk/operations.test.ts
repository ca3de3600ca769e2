import {
  BULK_REQUEST_URN,
  PATCH_OP_URN,
  ScimError,
  USER_URN,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { ResourceHooks, ResourceStore } from "../../src/index.ts";
import { enterprise, group, user } from "../support/bodies.ts";
import { bulkBody, jobRunner, outcome, outcomes, post } from "../support/bulk.ts";
import { patchBody } from "../support/client.ts";
import { BASE_URL, testService, type TestService } from "../support/service.ts";
import { interceptingStore, recordingStore } from "../support/store-wrappers.ts";
import { addReports, addTeams, narrowUsers } from "../support/teams.ts";

const TITLE = patchBody([{ op: "replace", path: "title", value: "x" }]);

/** A service with the User `id-1`. */
async function started(): Promise<TestService> {
  const tested = testService();
  await tested.as().post("User", user({ userName: "first" }));
  return tested;
}

/** What one operation comes to, with a good one behind it that must not suffer. */
async function alone(operation: JsonValue, tested: TestService): Promise<string> {
  const job = jobRunner(tested.service, tested.context());
  const [first, second] = await job([operation, post("/Groups", "other", group())]);
  expect(second?.status).toBe(201);
  return first === undefined ? "" : outcome(first);
}

describe("R7644-3.7-04 an error of one operation is its own", () => {
  test.each<readonly [string, JsonValue, string]>([
    ["no object", "DELETE /Users/id-1", "400 invalidSyntax"],
    ["R7644-3.7-02 no method", { path: "/Users/id-1" }, "400 invalidSyntax"],
    ["a method that is no text", { method: 1, path: "/Users/id-1" }, "400 invalidSyntax"],
    ["an unknown method", { method: "MERGE", path: "/Users/id-1", data: {} }, "400 invalidSyntax"],
    ["R7644-3.7-06 GET", { method: "GET", path: "/Users/id-1" }, "400 invalidSyntax"],
    ["R7644-3.7-02 no path", { method: "DELETE" }, "400 invalidSyntax"],
    ...[
      { Method: "GET" },
      { PATH: "/Users/id-2" },
      { BULKID: "a", bulkId: "b" },
      { version: "1", Version: "*" },
    ].map((more): readonly [string, JsonValue, string] => [
      `R7644-3.7-05 a member in two spellings: ${Object.keys(more)[0] ?? ""}`,
      { method: "DELETE", path: "/Users/id-1", ...more },
      "400 invalidSyntax",
    ]),
    [
      "R7644-3.7-05 a member of a PATCH in two spellings",
      {
        method: "PATCH",
        path: "/Users/id-1",
        data: patchBody([{ op: "replace", path: "userName", PATH: "title", value: "x" }]),
      },
      "400 invalidSyntax",
    ],
    ["a path that is no text", { method: "DELETE", path: ["/Users/id-1"] }, "400 invalidSyntax"],
    [
      "R7644-3.7-02 POST without bulkId",
      { method: "POST", path: "/Users", data: user() },
      "400 invalidSyntax",
    ],
    ["POST with a bulkId that is no text", { ...post("/Users", "", user()), bulkId: 7 }, "400 invalidSyntax"],
    ["POST with an empty bulkId", post("/Users", "", user()), "400 invalidSyntax"],
    ["R7644-3.7-02 POST without data", { method: "POST", path: "/Users", bulkId: "a" }, "400 invalidSyntax"],
    ["PUT without data", { method: "PUT", path: "/Users/id-1" }, "400 invalidSyntax"],
    ["PATCH with null", { method: "PATCH", path: "/Users/id-1", data: null }, "400 invalidSyntax"],
    [
      "R7644-3.7.3-07 PATCH with a bare list",
      { method: "PATCH", path: "/Users/id-1", data: [{}] },
      "400 invalidSyntax",
    ],
    ["R7644-3.7-03 POST to a resource", post("/Users/id-1", "a", user()), "400 invalidValue"],
    ["R7644-3.7-03 PUT to an endpoint", { method: "PUT", path: "/Users", data: user() }, "400 invalidValue"],
    ["DELETE of an endpoint", { method: "DELETE", path: "/Users" }, "400 invalidValue"],
    ["a version that is no text", { method: "DELETE", path: "/Users/id-1", version: 1 }, "400 invalidSyntax"],
    ["a malformed version", { method: "DELETE", path: "/Users/id-1", version: 'W/"x' }, "400 invalidSyntax"],
    ["an unknown resource", { method: "DELETE", path: "/Users/nobody" }, "404"],
    ["a bad body", post("/Users", "a", user({ active: 1 })), "400 invalidValue"],
    ["R7644-3.7-10 a taken userName", post("/Users", "a", user({ userName: "FIRST" })), "409 uniqueness"],
    ["R7644-3.7-10 a stale version", { method: "DELETE", path: "/Users/id-1", version: "stale" }, "412"],
  ])("%s", async (_name, operation, answer) => {
    const tested = await started();
    expect(await alone(operation, tested)).toBe(answer);
    expect(await tested.as().resource("User", "id-1")).toMatchObject({ userName: "first" });
  });

  test("R7644-3.7-04 a bulkId that was there before: the later operation fails, the first is done", async () => {
    const tested = testService();
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([
      post("/Users", "same", user({ userName: "a" })),
      post("/Users", "same", user({ userName: "b" })),
      post("/Groups", "g", group({ members: [{ value: "bulkId:same" }] })),
    ]);
    expect(outcomes(answers)).toEqual(["201", "400 invalidValue", "201"]);
    expect(await tested.as().resource("Group", "id-2")).toMatchObject({ members: [{ value: "id-1" }] });
  });
});

describe("paths", () => {
  test.each(["/Users/id-1", "Users/id-1", `${BASE_URL}/Users/id-1`, "/Users/id%2D1", "/%55sers/id-1"])(
    "R7644-3.7-05 %s names the resource",
    async (path) => {
      const tested = await started();
      expect(await alone({ method: "patch", path, data: TITLE }, tested)).toBe("200");
      expect(await tested.as().resource("User", "id-1")).toHaveProperty("title", "x");
    },
  );

  test.each<readonly [string, string]>([
    ["", "400 invalidValue"],
    ["/", "400 invalidValue"],
    ["//Users/id-1", "400 invalidValue"],
    ["/Users//id-1", "400 invalidValue"],
    ["/Users/id-1/", "400 invalidValue"],
    ["/Groups/../Users/id-1", "400 invalidValue"],
    ["/Groups/%2e%2e/Users/id-1", "400 invalidValue"],
    ["../Users/id-1", "400 invalidValue"],
    ["/./Users/id-1", "400 invalidValue"],
    ["/Users%2Fid-1", "400 invalidValue"],
    ["/Users/x%2F..%2Fid-1", "400 invalidValue"],
    ["/Users/..%5Cid-1", "400 invalidValue"],
    ["/Users/id-1%00", "400 invalidValue"],
    ["/Users/%", "400 invalidValue"],
    ["/Users/id-1?attributes=userName", "400 invalidValue"],
    ["/Users/id-1#x", "400 invalidValue"],
    ["https://elsewhere.example/scim/v2/Users/id-1", "400 invalidValue"],
    [`${BASE_URL}.elsewhere.example/Users/id-1`, "400 invalidValue"],
    [`${BASE_URL}/../v2/Users/id-1`, "400 invalidValue"],
    ["/Bulk", "400 invalidValue"],
    ["/Users/.search", "400 invalidValue"],
    ["/.search", "400 invalidValue"],
    ["/Schemas/urn:x", "400 invalidValue"],
    ["/ResourceTypes/User", "400 invalidValue"],
    ["/ServiceProviderConfig", "400 invalidValue"],
    ["/.dry-run/Users/id-1", "400 invalidValue"],
    ["/Robots/id-1", "404"],
    ["/users/id-1", "404"],
    ["/__proto__/id-1", "404"],
    ["/constructor/id-1", "404"],
    ["/Users/id-1/name", "404"],
    ["/Users/__proto__", "404"],
  ])("R7644-3.7-06 %s leads nowhere: %s", async (path, answer) => {
    const tested = await started();
    expect(await alone({ method: "DELETE", path }, tested)).toBe(answer);
    expect((await tested.as().list("User")).totalResults).toBe(1);
  });

  test("an operation that the type does not offer is 405", async () => {
    const tested = testService((registry) => {
      addReports(registry);
      narrowUsers(registry);
    });
    await tested.as().post("User", user());
    for (const operation of [
      { method: "DELETE", path: "/Users/id-1" },
      { method: "PUT", path: "/Users/id-1", data: user() },
      post("/Reports", "r", {}),
    ]) {
      expect(await alone(operation, tested)).toBe("405");
    }
    expect((await tested.as().list("User")).totalResults).toBe(1);
  });
});

describe("answers", () => {
  test("R7644-3.7.3-01 one for each operation, in the order of the request; R7644-3.7.2-03 with its bulkId, R7644-3.7.3-02 its location, R7644-3.7.3-04 its error", async () => {
    const tested = await started();
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([
      post("/Users", "new", user({ userName: "new" })),
      { method: "PUT", path: "/Users/id-1", bulkId: "p", data: user({ userName: "put" }) },
      { method: "PATCH", path: "/Users/id-1", data: TITLE },
      { method: "DELETE", path: "/Users/id-1" },
      { method: "DELETE", path: "/Users/id-1" },
      post("/Users", "bad", user({ userName: "" })),
      { method: "MERGE", path: "/Users/id-1" },
    ]);
    const location = `${BASE_URL}/Users/id-1`;
    expect(answers).toEqual([
      {
        method: "POST",
        bulkId: "new",
        status: 201,
        location: `${BASE_URL}/Users/id-2`,
        version: expect.stringMatching(/./),
        error: null,
      },
      { method: "PUT", bulkId: "p", status: 200, location, version: expect.stringMatching(/./), error: null },
      {
        method: "PATCH",
        bulkId: null,
        status: 200,
        location,
        version: expect.stringMatching(/./),
        error: null,
      },
      { method: "DELETE", bulkId: null, status: 204, location, version: null, error: null },
      { method: "DELETE", bulkId: null, status: 404, location, version: null, error: expect.any(ScimError) },
      {
        method: "POST",
        bulkId: "bad",
        status: 400,
        location: null,
        version: null,
        error: expect.any(ScimError),
      },
      {
        method: "MERGE",
        bulkId: null,
        status: 400,
        location: null,
        version: null,
        error: expect.any(ScimError),
      },
    ]);
  });

  test("R7644-3.7.3-02 the location also where the rest of the operation cannot be read", async () => {
    const tested = await started();
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([
      { method: "PUT", path: "/Users/id-1" },
      { method: "PATCH", path: "/Users/id-1", data: TITLE, version: 'W/"x' },
      { method: "DELETE", path: "/Users/id-1", version: 7 },
      { method: "DELETE", path: "/Users" },
    ]);
    const location = `${BASE_URL}/Users/id-1`;
    expect(answers.map((each) => [each.status, each.location])).toEqual([
      [400, location],
      [400, location],
      [400, location],
      [400, null],
    ]);
  });

  test("R7644-3.7.3-05 the version is that of the resource as it is now", async () => {
    const tested = await started();
    const [patched] = await jobRunner(
      tested.service,
      tested.context(),
    )([{ method: "PATCH", path: "/Users/id-1", data: TITLE }]);
    expect((await tested.as().get("User", "id-1")).version).toBe(patched?.version);
  });

  test("R7644-3.7-10 R7232-3.1-01 R7232-3.1-02 version: raw, as a weak tag, as one of a list, *", async () => {
    for (const form of [
      (version: string) => version,
      (version: string) => `W/"${version}"`,
      (version: string) => `"${version}"`,
      (version: string) => `"stale", W/"${version}"`,
      () => "*",
    ]) {
      const tested = await started();
      const { version } = await tested.as().get("User", "id-1");
      const operation = { method: "PATCH", path: "/Users/id-1", version: form(version), data: TITLE };
      expect(await alone(operation, tested)).toBe("200");
    }
  });

  test("R7644-3.7.3-06 R7232-6-01 a stale version: 412 with both versions, and nothing changes", async () => {
    const tested = await started();
    const before = await tested.as().get("User", "id-1");
    const stale = { path: "/Users/id-1", version: 'W/"stale"' };
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([
      { ...stale, method: "PUT", data: user() },
      { ...stale, method: "PATCH", data: TITLE },
      { ...stale, method: "DELETE" },
      { ...stale, method: "DELETE", path: "/Users/nobody" },
    ]);
    expect(outcomes(answers)).toEqual(["412", "412", "412", "404"]);
    for (const { error } of answers.slice(0, 3)) {
      expect(error?.members).toEqual({ expectedVersion: "stale", currentVersion: before.version });
      expect(error?.detail).not.toContain("If-Match");
    }
    expect(await tested.as().get("User", "id-1")).toEqual(before);
  });

  test("a PATCH that is answered without a body is 204", async () => {
    const tested = testService(undefined, { limits: { answerReferences: 1 } });
    const members = [{ value: "a" }, { value: "b" }];
    await tested.as().post("Group", group({ members }));
    const data = patchBody([{ op: "add", path: "members", value: [{ value: "c" }] }]);
    expect(await alone({ method: "PATCH", path: "/Groups/id-1", data }, tested)).toBe("204");
  });
});

describe("R7644-3.7-10 each operation is a request of its own", () => {
  test("authorize is asked before each, and its refusal is that operation's", async () => {
    const tested = await started();
    const asked: string[] = [];
    const answers = await jobRunner(tested.service, tested.context())(
      [
        post("/Groups", "g", group()),
        { method: "PATCH", path: "/Users/id-1", data: TITLE },
        { method: "DELETE", path: "/Users/id-1" },
        { method: "GET", path: "/Users/id-1" },
      ],
      {
        authorize: (type, operation) => {
          asked.push(`${operation} ${type}`);
          if (operation === "delete") throw new ScimError("forbidden", "You may not delete.");
        },
      },
    );
    expect(asked).toEqual(["create Group", "patch User", "delete User"]);
    expect(outcomes(answers)).toEqual(["201", "200", "403", "400 invalidSyntax"]);
    expect((await tested.as().list("User")).totalResults).toBe(1);
  });

  test("in its tenant: what another has is 404, and userNames do not clash", async () => {
    const tested = await started();
    const job = jobRunner(tested.service, tested.context("strict", { tenant: "other" }));
    const answers = await job([
      { method: "DELETE", path: "/Users/id-1" },
      post("/Users", "a", user({ userName: "first" })),
    ]);
    expect(outcomes(answers)).toEqual(["404", "201"]);
  });

  test("its tolerances are told, of each operation once", async () => {
    const tested = testService();
    await jobRunner(
      tested.service,
      tested.context("tolerant"),
    )(["a", "b"].map((name) => post("/Users", name, user({ userName: name, active: "True" }))));
    expect(tested.fired).toEqual(["string-booleans active", "string-booleans active"]);
    const answers = await jobRunner(
      tested.service,
      tested.context("strict"),
    )([post("/Users", "c", user({ userName: "c", active: "True" }))]);
    expect(outcomes(answers)).toEqual(["400 invalidValue"]);
  });

  test("its plans are those of single requests: kind, subject and changes of each event", async () => {
    const operations = [
      post("/Users", "a", user({ ...enterprise({ department: "Tours" }) })),
      { method: "PATCH", path: "/Users/id-1", data: TITLE },
      { method: "PUT", path: "/Users/id-1", data: user({ nickName: "b" }) },
      { method: "DELETE", path: "/Users/id-1" },
    ];
    const plansOf = async (run: (tested: TestService) => Promise<unknown>): Promise<unknown> => {
      const plans: Parameters<ResourceStore["write"]>[1][] = [];
      const tested = testService(undefined, { wrap: (store) => recordingStore(store, { plans }) });
      await run(tested);
      return plans;
    };
    const bulk = await plansOf((tested) =>
      jobRunner(tested.service, tested.context("strict", { subject: "me" }))(operations),
    );
    const single = await plansOf(async (tested) => {
      const client = tested.as("strict", { subject: "me" });
      await client.post("User", user({ ...enterprise({ department: "Tours" }) }));
      await client.patch("User", "id-1", [{ op: "replace", path: "title", value: "x" }]);
      await client.put("User", "id-1", user({ nickName: "b" }));
      await client.delete("User", "id-1");
    });
    expect(bulk).toEqual(single);
  });
});

describe("R7644-3.7-09 of two operations that want one unique value the first gets it", () => {
  test.each<readonly [string, readonly JsonObject[]]>([
    ["users", [post("/Users", "a", user()), post("/Users", "b", user())]],
    [
      "users, in other spellings",
      [post("/Users", "a", user()), post("/Users", "b", { schemas: [USER_URN], USERNAME: "BJensen" })],
    ],
    ["groups of one connection", [post("/Groups", "a", group()), post("/Groups", "b", group())]],
  ])("%s, though the hook of the first takes longer", async (_name, operations) => {
    let asked = 0;
    const slowAtFirst: ResourceHooks = {
      plan: async () => {
        asked += 1;
        const turns = asked === 1 ? 20 : 0;
        for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      },
    };
    const tested = testService(undefined, { hooks: { User: slowAtFirst, Group: slowAtFirst } });
    const answers = await jobRunner(tested.service, tested.context("tolerant"))(operations);
    expect(outcomes(answers)).toEqual(["201", "409 uniqueness"]);
  });
});

describe("how far a job goes", () => {
  const good = (name: string): JsonObject => post("/Users", name, user({ userName: name }));
  const bad = { method: "DELETE", path: "/Users/nobody" };

  test("R7644-3.7-07 without failOnErrors everything is tried", async () => {
    const tested = testService();
    const answers = await jobRunner(tested.service, tested.context())([bad, good("a"), bad, bad, good("b")]);
    expect(outcomes(answers)).toEqual(["404", "201", "404", "404", "201"]);
  });

  test.each([
    [1, ["201", "404"]],
    [2, ["201", "404", "201", "404"]],
    [3, ["201", "404", "201", "404", "201"]],
  ])(
    "R7644-3.7-08 failOnErrors %i: processed are %j, and what is done stays done",
    async (failOnErrors, expected) => {
      const tested = testService();
      const operations = [good("a"), bad, good("b"), bad, good("c")];
      const answers = await jobRunner(tested.service, tested.context())(operations, {
        members: { failOnErrors },
      });
      expect(outcomes(answers)).toEqual(expected);
      const { totalResults } = await tested.as().list("User");
      expect(totalResults).toBe(expected.filter((status) => status === "201").length);
    },
  );

  test("failOnErrors counts a POST that another operation waits for", async () => {
    const tested = testService();
    const answers = await jobRunner(tested.service, tested.context())(
      [
        post("/Groups", "g", group({ members: [{ value: "bulkId:u" }] })),
        good("a"),
        post("/Users", "u", user({ active: 1 })),
      ],
      { members: { failOnErrors: 1 } },
    );
    expect(answers.map((each) => [each.bulkId, outcome(each)])).toEqual([["u", "400 invalidValue"]]);
    expect((await tested.as().list("User")).totalResults).toBe(0);
  });

  test("of equal userNames the first wins, however many run together", async () => {
    const tested = testService();
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )(
      Array.from({ length: 200 }, (_, index) =>
        post("/Users", `b${String(index)}`, user({ userName: `u${String(index % 100)}` })),
      ),
    );
    expect(outcomes(answers)).toEqual([
      ...Array.from({ length: 100 }, () => "201"),
      ...Array.from({ length: 100 }, () => "409 uniqueness"),
    ]);
  });

  test("R7644-3.7-09 an operation sees what those before it did", async () => {
    const tested = testService();
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([
      good("a"),
      { method: "DELETE", path: "/Users/bulkId:a" },
      { ...good("a"), bulkId: "again" },
      { method: "PATCH", path: "/Users/bulkId:again", data: TITLE },
    ]);
    expect(outcomes(answers)).toEqual(["201", "204", "201", "200"]);
  });

  test("POST operations that follow each other run together; with failOnErrors, one after another", async () => {
    for (const [members, most] of [
      [{}, 64],
      [{ failOnErrors: 1000 }, 1],
    ] as const) {
      let running = 0;
      let greatest = 0;
      const wrap = (store: ResourceStore): ResourceStore => ({
        ...recordingStore(store, {}),
        write: async (scope, plan) => {
          running += 1;
          greatest = Math.max(greatest, running);
          await Promise.resolve();
          running -= 1;
          return store.write(scope, plan);
        },
      });
      const tested = testService(undefined, { wrap });
      const operations = Array.from({ length: 150 }, (_, index) => good(`u${String(index)}`));
      const answers = await jobRunner(tested.service, tested.context())(operations, { members });
      expect(answers.every(({ status }) => status === 201)).toBe(true);
      expect(greatest).toBe(most);
    }
  });

  test("a fault of the service is a 500 of that operation, with its cause; the others are done", async () => {
    const cause = new TypeError("disk on fire");
    const wrap = (store: ResourceStore): ResourceStore =>
      interceptingStore(store, async (plan) => {
        if (plan.kind === "create" && plan.body["userName"] === "b") throw cause;
        return null;
      });
    const tested = testService(undefined, { wrap });
    const answers = await jobRunner(tested.service, tested.context())(["a", "b", "c"].map(good));
    expect(outcomes(answers)).toEqual(["201", "500", "201"]);
    expect(answers[1]?.error?.cause).toBe(cause);
    expect(answers[1]?.error?.detail).not.toContain("fire");
  });

  test("a job ends between operations when the client goes away; what is done stays done", async () => {
    const controller = new AbortController();
    const wrap = (store: ResourceStore): ResourceStore =>
      interceptingStore(store, async (plan) => {
        if (plan.kind === "delete") controller.abort(new Error("gone"));
        return null;
      });
    const tested = testService(undefined, { wrap });
    const job = jobRunner(tested.service, tested.context("strict", { signal: controller.signal }));
    const operations = [good("a"), { method: "DELETE", path: "/Users/bulkId:a" }, good("b")];
    await expect(job(operations)).rejects.toThrow("gone");
    expect((await tested.as().list("User")).totalResults).toBe(0);
  });
});

describe("hostile jobs", () => {
  test("names such as __proto__ and constructor are names like any other", async () => {
    const tested = testService();
    const text = JSON.stringify(
      bulkBody([
        post("/Users", "__proto__", user({ ...enterprise({ manager: { value: "bulkId:constructor" } }) })),
        post("/Users", "constructor", user({ userName: "c" })),
      ]),
    ).replace('"userName":"c"', '"userName":"c","__proto__":{"title":"x"}');
    const body: JsonValue = JSON.parse(text) as JsonValue;
    const { operations } = await tested.service.bulk(tested.context("tolerant"), {
      body,
      authorize: () => undefined,
    });
    expect(outcomes(operations)).toEqual(["201", "201"]);
    expect(await tested.as().resource("User", "id-1")).not.toHaveProperty("title");
    const unknown = await jobRunner(
      tested.service,
      tested.context(),
    )([post("/Groups", "g", group({ members: [{ value: "bulkId:toString" }] }))]);
    expect(outcomes(unknown)).toEqual(["400 invalidValue"]);
  });

  test("a bulkId of 10,000 characters, or of any others, is a name too", async () => {
    for (const name of ["x".repeat(10_000), "a/b", " ", "ä😀", "bulkId:a", '"'] as const) {
      const tested = testService();
      const answers = await jobRunner(
        tested.service,
        tested.context(),
      )([
        post("/Groups", "g", group({ members: [{ value: `bulkId:${name}` }] })),
        post("/Users", name, user()),
      ]);
      expect(answers.map((each) => [each.bulkId, outcome(each)])).toEqual([
        ["g", "201"],
        [name, "201"],
      ]);
    }
  });

  test("errors tell no value: neither path nor bulkId", async () => {
    const tested = await started();
    const secret = "s3cr3t";
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([
      { method: secret, path: "/Users/id-1" },
      { method: "DELETE", path: `/Users/${secret}` },
      { method: "DELETE", path: `/${secret}/x` },
      { method: "DELETE", path: `/Users//${secret}` },
      { method: "DELETE", path: `/Users/bulkId:${secret}` },
      { method: "DELETE", path: "/Users/id-1", version: `"${secret}` },
    ]);
    for (const { error } of answers) {
      expect(error).not.toBeNull();
      expect(error?.detail).not.toContain(secret);
    }
  });

  test("R7644-3.7-06 a job inside a job is none", async () => {
    const tested = testService();
    const inner = { schemas: [BULK_REQUEST_URN], Operations: [post("/Users", "a", user())] };
    expect(await alone(post("/Bulk", "b", inner), tested)).toBe("400 invalidValue");
    expect((await tested.as().list("User")).totalResults).toBe(0);
  });

  test("a type that documents made is served like the others", async () => {
    const tested = testService(addTeams);
    const data = { schemas: [PATCH_OP_URN], Operations: [{ op: "add", path: "budget", value: 5 }] };
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([
      post("/Teams", "t", { schemas: ["urn:example:params:scim:schemas:core:2.0:Team"], displayName: "Red" }),
      { method: "PATCH", path: "/Teams/bulkId:t", data },
    ]);
    expect(outcomes(answers)).toEqual(["201", "200"]);
    expect(await tested.as().resource("Team", "id-1")).toMatchObject({ budget: 5 });
  });
});
