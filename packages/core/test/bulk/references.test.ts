import { ENTERPRISE_USER_URN, type JsonObject, type JsonValue, type SchemaRegistry } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { enterprise, group, user } from "../support/bodies.ts";
import { jobRunner, madeId, outcomes, post } from "../support/bulk.ts";
import { patchBody } from "../support/client.ts";
import { addMemberships, membership } from "../support/memberships.ts";
import { BASE_URL, testService, type TestService } from "../support/service.ts";
import { addTeamsWithProjects, PROJECT_URN, team } from "../support/teams.ts";

/** URN of a type with attributes of type reference. */
const LINK_URN = "urn:example:params:scim:schemas:core:2.0:Link";

function addTypes(registry: SchemaRegistry): void {
  addTeamsWithProjects(registry);
  registry.addSchema({
    id: LINK_URN,
    name: "Link",
    attributes: [
      { name: "about", type: "reference", referenceTypes: ["User"], caseExact: true },
      {
        name: "seeAlso",
        type: "reference",
        referenceTypes: ["User", "uri"],
        multiValued: true,
        caseExact: true,
      },
      { name: "page", type: "reference", referenceTypes: ["external"], caseExact: true },
      {
        name: "parts",
        type: "complex",
        multiValued: true,
        subAttributes: [
          { name: "value", type: "string" },
          { name: "owner", type: "reference", referenceTypes: ["User"], caseExact: true },
        ],
      },
    ],
  });
  registry.addResourceType({ name: "Link", endpoint: "/Links", schema: LINK_URN });
}

const link = (members: JsonObject): JsonObject => ({ schemas: [LINK_URN], ...members });

/** The ids that a job's first resource was made with: `u` of the User, `g` of the Group made before it. */
interface Ids {
  readonly u: string;
  readonly g: string;
}

async function started(): Promise<TestService> {
  const tested = testService(addTypes);
  const client = tested.as();
  await client.post("User", user({ userName: "old" }));
  await client.post(
    "Group",
    group({ displayName: "Old", members: [{ value: "stays", type: "User" }, { value: "id-1" }] }),
  );
  await client.post("Team", team({ displayName: "Old" }));
  return tested;
}

/** Makes a User `u` and a Group `g` in a job, then does the operation; answers the resource at `read`. */
async function after(
  operation: JsonObject,
  read: readonly [type: string, id: string] | null,
): Promise<{ readonly resource: JsonObject; readonly ids: Ids }> {
  const tested = await started();
  const answers = await jobRunner(
    tested.service,
    tested.context("tolerant"),
  )([
    post("/Users", "u", user({ userName: "new" })),
    post("/Groups", "g", group({ displayName: "New" })),
    operation,
  ]);
  expect(answers.map(({ error }) => error?.detail ?? "done")).toEqual(["done", "done", "done"]);
  const [u, g, made] = answers.map(madeId);
  const [type = "", id = ""] = read ?? [];
  const resource = await tested.as().resource(type, id === "" ? (made ?? "") : id);
  return { resource, ids: { u: u ?? "", g: g ?? "" } };
}

const patch = (path: string, operations: JsonValue): JsonObject => ({
  method: "PATCH",
  path,
  data: patchBody(operations),
});

/** Where a reference stands, the operation, what is read after it, and what it must hold. */
const RESOLVED: readonly (readonly [
  string,
  JsonObject,
  readonly [string, string],
  (ids: Ids) => JsonObject,
])[] = [
  [
    "value of a member",
    post("/Groups", "x", group({ members: [{ value: "bulkId:u" }, { value: "bulkId:g", type: "Group" }] })),
    ["Group", ""],
    ({ u, g }) => ({ members: [{ value: u }, { value: g, type: "Group" }] }),
  ],
  [
    "$ref of a member, relative to the type",
    post("/Groups", "x", group({ members: [{ $ref: "../Users/bulkId:u" }] })),
    ["Group", ""],
    ({ u }) => ({ members: [{ value: u, type: "User" }] }),
  ],
  [
    "$ref of a member, relative to the base, beside value",
    post("/Groups", "x", group({ members: [{ value: "bulkId:u", $ref: "Users/bulkId:u" }] })),
    ["Group", ""],
    ({ u }) => ({ members: [{ value: u, type: "User" }] }),
  ],
  [
    "absolute $ref",
    post("/Groups", "x", group({ members: [{ $ref: `${BASE_URL}/Users/bulkId:u` }] })),
    ["Group", ""],
    ({ u }) => ({ members: [{ value: u }] }),
  ],
  [
    "member names in another letter case",
    post("/Groups", "x", group({ MEMBERS: [{ VALUE: "bulkId:u" }] })),
    ["Group", ""],
    ({ u }) => ({ members: [{ value: u }] }),
  ],
  [
    "a list of ids alone",
    post("/Groups", "x", group({ members: ["bulkId:u"] })),
    ["Group", ""],
    ({ u }) => ({ members: [{ value: u }] }),
  ],
  [
    "manager of the extension",
    post("/Users", "x", user({ ...enterprise({ manager: { value: "bulkId:u" } }) })),
    ["User", ""],
    ({ u }) => ({ [ENTERPRISE_USER_URN]: { manager: { value: u, $ref: `${BASE_URL}/Users/${u}` } } }),
  ],
  [
    "manager as text",
    post("/Users", "x", user({ ...enterprise({ manager: "bulkId:u" }) })),
    ["User", ""],
    ({ u }) => ({ [ENTERPRISE_USER_URN]: { manager: { value: u } } }),
  ],
  [
    "a reference of a type of documents",
    post("/Teams", "x", team({ owners: [{ value: "bulkId:u" }], lead: { value: "bulkId:u" } })),
    ["Team", ""],
    ({ u }) => ({ owners: [{ value: u }], lead: { value: u } }),
  ],
  [
    "a collection of an extension",
    post("/Teams", "x", team({ [PROJECT_URN]: { sponsors: [{ value: "bulkId:u" }] } })),
    ["Team", ""],
    ({ u }) => ({ [PROJECT_URN]: { sponsors: [{ value: u }] } }),
  ],
  [
    "attributes of type reference",
    post("/Links", "x", link({ about: "bulkId:u", seeAlso: ["Users/bulkId:u", "urn:x"] })),
    ["Link", ""],
    ({ u }) => ({ about: u, seeAlso: [`Users/${u}`, "urn:x"] }),
  ],
  [
    "a sub-attribute of type reference",
    post("/Links", "x", link({ parts: [{ value: "bulkId:u", owner: "/Users/bulkId:u" }] })),
    ["Link", ""],
    ({ u }) => ({ parts: [{ value: "bulkId:u", owner: `/Users/${u}` }] }),
  ],
  [
    "PUT",
    { method: "PUT", path: "/Groups/id-2", data: group({ members: [{ value: "bulkId:u" }] }) },
    ["Group", "id-2"],
    ({ u }) => ({ members: [{ value: u }] }),
  ],
  [
    "PATCH, values of a path",
    patch("/Groups/id-2", [{ op: "add", path: "members", value: [{ value: "bulkId:u" }] }]),
    ["Group", "id-2"],
    ({ u }) => ({ members: [{ value: "stays" }, { value: "id-1" }, { value: u }] }),
  ],
  [
    "PATCH, one object for a list",
    patch("/Groups/id-2", [{ OP: "Add", PATH: "Members", VALUE: { value: "bulkId:u" } }]),
    ["Group", "id-2"],
    ({ u }) => ({ members: [{ value: "stays" }, { value: "id-1" }, { value: u }] }),
  ],
  [
    "PATCH without path",
    patch("/Groups/id-2", [{ op: "replace", value: { members: [{ value: "bulkId:u" }] } }]),
    ["Group", "id-2"],
    ({ u }) => ({ members: [{ value: u }] }),
  ],
  [
    "PATCH without path, a key of an extension's attribute",
    patch("/Users/id-1", [{ op: "add", value: { [`${ENTERPRISE_USER_URN}:manager.value`]: "bulkId:u" } }]),
    ["User", "id-1"],
    ({ u }) => ({ [ENTERPRISE_USER_URN]: { manager: { value: u } } }),
  ],
  [
    "PATCH without path, an extension as an object",
    patch("/Users/id-1", [
      { op: "add", value: { [ENTERPRISE_USER_URN]: { manager: { value: "bulkId:u" } } } },
    ]),
    ["User", "id-1"],
    ({ u }) => ({ [ENTERPRISE_USER_URN]: { manager: { value: u } } }),
  ],
  [
    "PATCH of an extension as a whole",
    patch("/Users/id-1", [
      { op: "add", path: ENTERPRISE_USER_URN, value: { manager: { value: "bulkId:u" } } },
    ]),
    ["User", "id-1"],
    ({ u }) => ({ [ENTERPRISE_USER_URN]: { manager: { value: u } } }),
  ],
  [
    "PATCH of an extension as a whole, its URN with a colon behind it",
    patch("/Users/id-1", [
      { op: "add", path: `${ENTERPRISE_USER_URN}:`, value: { manager: { value: "bulkId:u" } } },
    ]),
    ["User", "id-1"],
    ({ u }) => ({ [ENTERPRISE_USER_URN]: { manager: { value: u } } }),
  ],
  [
    "PATCH without path, a list of one object",
    patch("/Users/id-1", [
      { op: "add", value: [{ [ENTERPRISE_USER_URN]: { manager: { value: "bulkId:u" } } }] },
    ]),
    ["User", "id-1"],
    ({ u }) => ({ [ENTERPRISE_USER_URN]: { manager: { value: u } } }),
  ],
  [
    "PATCH without path, the filter of a key",
    patch("/Groups/id-2", [{ op: "add", value: { 'members[value eq "bulkId:u"].display': "New" } }]),
    ["Group", "id-2"],
    ({ u }) => ({ members: [{ value: "stays" }, { value: "id-1" }, { value: u, display: "New" }] }),
  ],
  [
    "PATCH of a sub-attribute",
    patch("/Users/id-1", [{ op: "add", path: `${ENTERPRISE_USER_URN}:manager.value`, value: "bulkId:u" }]),
    ["User", "id-1"],
    ({ u }) => ({ [ENTERPRISE_USER_URN]: { manager: { value: u } } }),
  ],
];

describe("R7644-3.7.2-01 R7644-3.7.2-02 a reference is replaced by the id, wherever the schema has one", () => {
  test.each(RESOLVED)("%s", async (_name, operation, read, expected) => {
    const { resource, ids } = await after(operation, read);
    expect(resource).toMatchObject(expected(ids));
  });

  test.each<readonly [string, JsonValue]>([
    ["a value path", { op: "remove", path: 'members[value eq "bulkId:u"]' }],
    ["a longer filter", { op: "remove", path: 'members[not (value ne "bulkId:u") and value pr]' }],
    ["a list of values to remove", { op: "remove", path: "members", value: [{ value: "bulkId:u" }] }],
    [
      "a list within an object, as Salesforce sends it",
      { op: "remove", path: "members", value: { members: [{ value: "bulkId:u" }] } },
    ],
    [
      "an object in the place of that list, its name in another letter case",
      { op: "remove", path: "MEMBERS", value: { Members: { value: "bulkId:u" } } },
    ],
  ])("what a PATCH removes: %s", async (_name, operation) => {
    const tested = await started();
    const answers = await jobRunner(
      tested.service,
      tested.context("tolerant"),
    )([
      post("/Users", "u", user({ userName: "new" })),
      patch("/Groups/id-2", [{ op: "add", path: "members", value: [{ value: "bulkId:u" }] }, operation]),
    ]);
    expect(outcomes(answers)).toEqual(["201", "200"]);
    const { members } = await tested.as().resource("Group", "id-2");
    expect(members).toMatchObject([{ value: "stays" }, { value: "id-1" }]);
  });

  test("the filter of a path to plain values", async () => {
    const tested = testService(addTypes);
    await tested.as().post("Link", link({ seeAlso: ["urn:x"] }));
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([
      post("/Users", "u", user()),
      patch("/Links/id-1", [{ op: "add", path: "seeAlso", value: ["Users/bulkId:u"] }]),
      patch("/Links/id-1", [{ op: "remove", path: 'seeAlso[value eq "Users/bulkId:u"]' }]),
    ]);
    expect(outcomes(answers)).toEqual(["201", "200", "200"]);
    expect((await tested.as().resource("Link", "id-1"))["seeAlso"]).toEqual(["urn:x"]);
  });

  test("the path of PUT, PATCH and DELETE, with the location of the resource", async () => {
    const tested = testService();
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([
      post("/Users", "a b", user()),
      { method: "PUT", path: "/Users/bulkId:a b", data: user({ nickName: "n" }) },
      patch("/Users/bulkId:a%20b", [{ op: "add", path: "title", value: "x" }]),
      { method: "DELETE", path: "/Groups/bulkId:a%20b" },
      { method: "DELETE", path: "Users/bulkId:a%20b" },
    ]);
    expect(outcomes(answers)).toEqual(["201", "200", "200", "404", "204"]);
    expect(answers.map((each) => each.location)).toEqual(
      ["Users", "Users", "Users", "Groups", "Users"].map((endpoint) => `${BASE_URL}/${endpoint}/id-1`),
    );
  });

  test.each([["hr/ines"], ["HR\\ines"], [".."], ["50%"], ["a?b#c"], ["x\u0007"]])(
    "the path of an operation, whatever characters the bulkId has: %j",
    async (bulkId) => {
      const tested = testService();
      const path = `/Users/bulkId:${encodeURIComponent(bulkId)}`;
      const answers = await jobRunner(
        tested.service,
        tested.context(),
      )([
        post("/Users", bulkId, user()),
        patch(path, [{ op: "add", path: "title", value: "x" }]),
        { method: "DELETE", path },
      ]);
      expect(outcomes(answers)).toEqual(["201", "200", "204"]);
      expect(answers.map((each) => each.location)).toEqual(Array(3).fill(`${BASE_URL}/Users/id-1`));
    },
  );
});

describe("R7644-3.7.2-02 text that is no reference stays", () => {
  test.each<readonly [string, string, JsonObject, JsonObject]>([
    ["displayName", "Group", group({ displayName: "bulkId:u" }), { displayName: "bulkId:u" }],
    ["externalId", "User", user({ externalId: "bulkId:u" }), { externalId: "bulkId:u" }],
    [
      "a value without $ref",
      "User",
      user({ emails: [{ value: "bulkId:u" }] }),
      { emails: [{ value: "bulkId:u" }] },
    ],
    [
      "display of a member",
      "Group",
      group({ members: [{ value: "m", display: "bulkId:u" }] }),
      { members: [{ value: "m", display: "bulkId:u" }] },
    ],
    [
      "an address elsewhere",
      "Link",
      link({ page: "https://x.example/bulkId:u" }),
      { page: "https://x.example/bulkId:u" },
    ],
  ])("%s", async (_name, type, body, expected) => {
    const tested = testService(addTypes);
    const answers = await jobRunner(tested.service, tested.context())([post(`/${type}s`, "x", body)]);
    expect(outcomes(answers)).toEqual(["201"]);
    expect(await tested.as().resource(type, "id-1")).toMatchObject(expected);
  });

  test("a part of a value is no reference, but a malformed id", async () => {
    const tested = testService();
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([post("/Users", "u", user()), post("/Groups", "g", group({ members: [{ value: "xbulkId:u" }] }))]);
    expect(outcomes(answers)).toEqual(["201", "400 invalidValue"]);
  });

  test("values that PATCH sets elsewhere, and what it compares elsewhere", async () => {
    const tested = testService();
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([
      post("/Users", "u", user({ emails: [{ value: "bulkId:u", type: "work" }] })),
      patch("/Users/bulkId:u", [
        { op: "add", path: 'emails[value eq "bulkId:u"].display', value: "bulkId:u" },
        { op: "add", path: "title", value: "bulkId:u" },
      ]),
    ]);
    expect(outcomes(answers)).toEqual(["201", "200"]);
    expect(await tested.as().resource("User", "id-1")).toMatchObject({
      title: "bulkId:u",
      emails: [{ value: "bulkId:u", display: "bulkId:u" }],
    });
  });

  test("what a client cannot write refers to nothing: the operation says what is wrong with it", async () => {
    const tested = testService();
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([post("/Users", "u", user({ groups: [{ value: "bulkId:u" }] }))]);
    expect(outcomes(answers)).toEqual(["400 mutability"]);
  });
});

describe("what is referred to is made first, answers stay in order", () => {
  test("R7644-3.7-09 a chain of forward references", async () => {
    const tested = testService();
    const length = 100;
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )(
      Array.from({ length }, (_, index) =>
        post(
          "/Groups",
          `g${String(index)}`,
          group({
            displayName: `G${String(index)}`,
            ...(index + 1 < length ? { members: [{ value: `bulkId:g${String(index + 1)}` }] } : {}),
          }),
        ),
      ),
    );
    expect(answers.map(({ bulkId }) => bulkId)).toEqual(answers.map((_, index) => `g${String(index)}`));
    const ids = answers.map(madeId);
    for (const [index, id] of ids.entries()) {
      const { members = [] } = await tested.as().resource("Group", id);
      expect(members).toMatchObject(index + 1 < length ? [{ value: ids[index + 1] }] : []);
    }
  });

  test("also for resources that are rows of another", async () => {
    const tested = testService(addMemberships);
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([
      post("/GroupMemberships", "m", membership("bulkId:g", "bulkId:u")),
      post("/GroupMemberships", "n", membership("bulkId:g", "other")),
      post("/Groups", "g", group()),
      post("/Users", "u", user()),
      { method: "DELETE", path: "/GroupMemberships/bulkId:n" },
    ]);
    expect(outcomes(answers)).toEqual(["201", "201", "201", "201", "204"]);
    const [, , g = "", u = ""] = answers.map(madeId);
    expect(await tested.as().resource("Group", g)).toMatchObject({ members: [{ value: u }] });
  });

  test("for PUT, PATCH and DELETE too", async () => {
    const tested = await started();
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([
      { method: "PUT", path: "/Groups/id-2", data: group({ members: [{ value: "bulkId:u" }] }) },
      patch("/Users/bulkId:u", [{ op: "add", path: "title", value: "x" }]),
      post("/Users", "u", user({ userName: "new" })),
    ]);
    expect(outcomes(answers)).toEqual(["200", "200", "201"]);
    const id = madeId(answers[2]);
    expect(await tested.as().resource("User", id)).toMatchObject({ title: "x", groups: [{ value: "id-2" }] });
  });
});

describe("references to nothing", () => {
  const operations = (reference: string): readonly (readonly [string, JsonObject])[] => [
    ["POST", post("/Groups", "x", group({ displayName: "x", members: [{ value: reference }] }))],
    ["PUT", { method: "PUT", path: "/Groups/id-2", data: group({ members: [{ value: reference }] }) }],
    ["PATCH", patch("/Groups/id-2", [{ op: "add", path: "members", value: [{ value: reference }] }])],
    ["a filter", patch("/Groups/id-2", [{ op: "remove", path: `members[value eq "${reference}"]` }])],
    ["DELETE", { method: "DELETE", path: `/Groups/${reference}` }],
  ];

  test.each(operations("bulkId:nobody"))(
    "R7644-3.7.2-04 an unknown bulkId in %s: 400 invalidValue",
    async (_name, operation) => {
      const tested = await started();
      const before = await tested.as().list("Group");
      const answers = await jobRunner(tested.service, tested.context())([operation]);
      expect(outcomes(answers)).toEqual(["400 invalidValue"]);
      expect(await tested.as().list("Group")).toEqual(before);
    },
  );

  test.each(operations("bulkId:failed"))(
    "R7644-3.7.2-05 a POST that failed, in %s: 409",
    async (_name, operation) => {
      const tested = await started();
      const before = await tested.as().list("Group");
      for (const failed of [
        post("/Users", "failed", user({ active: 1 })),
        post("/Robots", "failed", user()),
        { method: "POST", path: "/Users", bulkId: "failed" },
      ]) {
        const job = jobRunner(tested.service, tested.context());
        const answers = await job([operation, failed]);
        expect(answers[0]?.status).toBe(409);
        expect(answers[1]?.status).toBeGreaterThanOrEqual(400);
      }
      expect(await tested.as().list("Group")).toEqual(before);
    },
  );

  test("R7644-3.7.2-04 the bulkId of an operation that is no POST", async () => {
    const tested = await started();
    const answers = await jobRunner(
      tested.service,
      tested.context(),
    )([
      { ...patch("/Users/id-1", [{ op: "add", path: "title", value: "x" }]), bulkId: "p" },
      post("/Groups", "g", group({ displayName: "x", members: [{ value: "bulkId:p" }] })),
    ]);
    expect(outcomes(answers)).toEqual(["200", "400 invalidValue"]);
    expect(answers[0]?.bulkId).toBe("p");
  });
});

test("R7644-3.7-07 a PATCH that names its path twice is refused alone, whatever it refers to", async () => {
  const tested = await started();
  const answers = await jobRunner(
    tested.service,
    tested.context(),
  )([
    post("/Users", "u", user({ userName: "new" })),
    patch("/Groups/id-2", [
      { op: "add", path: "members", Path: "displayName", value: [{ value: "bulkId:u" }] },
    ]),
    post("/Users", "v", user({ userName: "last" })),
  ]);
  expect(outcomes(answers)).toEqual(["201", "400 invalidSyntax", "201"]);
});

test.each<readonly [string, (names: readonly string[]) => JsonObject[]]>([
  ["without a path", (names) => [{ op: "add", value: Object.fromEntries(names.map((name) => [name, 1])) }]],
  ["with paths", (names) => names.map((path) => ({ op: "add", path, value: 1 }))],
])("a PATCH that refers to others names 1000 paths at most: %s", async (_, operations) => {
  const tested = await started();
  const adding = { op: "add", path: "members", value: [{ value: "bulkId:u" }] };
  const names = (count: number): string[] => Array.from({ length: count }, (__, at) => `no such ${at}`);
  const job = (all: JsonObject[]): JsonObject[] => [
    post("/Users", "u", user({ userName: `u${all.length}` })),
    patch("/Groups/id-2", [...all, adding]),
    patch("/Groups/id-2", [adding]),
  ];
  const run = jobRunner(tested.service, tested.context());
  expect(outcomes(await run(job(operations(names(1001)))))).toEqual(["201", "413", "200"]);
  const [, most] = await run(job(operations(names(999))));
  expect(most?.status).not.toBe(413);
});
