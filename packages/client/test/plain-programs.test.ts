import {
  createScimClient,
  defineResourceType,
  diffResources,
  field,
  USER,
  type ScimClient,
} from "@scim/client";
import { USER_SCHEMA, USER_URN } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { scripted } from "./support/scripted.ts";

/** What a program without types gives. */
const plain = (value: unknown): never => value as never;
const FAULTY: readonly (readonly [string, unknown])[] = [
  ["nothing", undefined],
  ["a URN", USER_URN],
  ["no id", { attributes: [] }],
  ["no attributes", { id: USER_URN }],
  ["attributes by name", { id: USER_URN, attributes: { userName: {} } }],
  ["an attribute that is none", { id: USER_URN, attributes: [null] }],
  ["an attribute without a name", { id: USER_URN, attributes: [{ type: "string" }] }],
  ["a sub-attribute that is none", { id: USER_URN, attributes: [{ name: "a", subAttributes: ["b"] }] }],
];

describe.each(FAULTY)("%s in place of a schema", (_, given) => {
  const user = { name: "User", endpoint: "/Users" };
  const refusal = (what: string): object =>
    expect.objectContaining({
      name: "UsageError",
      code: "invalidOption",
      message: expect.stringMatching(new RegExp(`^${what} is a schema with 'id' and 'attributes'`)),
    });

  test("is refused by name, before anything is sent", () => {
    expect(() => defineResourceType({ ...user, schema: plain(given) })).toThrow(
      refusal("The schema of User"),
    );
    const bound = { ...user, schema: USER_SCHEMA, extensions: plain([USER_SCHEMA, given]) };
    expect(() => defineResourceType(bound)).toThrow(refusal("Extension 1 of User"));
    expect(() => diffResources({}, {}, { schema: plain(given) })).toThrow(refusal("The schema"));
    const pair = { schema: USER_SCHEMA, extensions: plain([given]) };
    expect(() => diffResources({}, {}, pair)).toThrow(refusal("Extension 0"));
  });
});

test.each([
  ["no name", { endpoint: "/Users", schema: USER_SCHEMA }, "The name of a resource type is a text"],
  [
    "no endpoint",
    { name: "User", schema: USER_SCHEMA },
    "The endpoint of User is a path such as '/Devices'.",
  ],
  ["extensions by name", { ...USER, extensions: {} }, "The extensions of User are a list of schemas."],
])("a resource type with %s", (_, options, message) => {
  expect(() => defineResourceType(plain(options))).toThrow(
    expect.objectContaining({ code: "invalidOption", message: expect.stringContaining(message) }),
  );
});

test.each([undefined, null, "User", {}, USER_SCHEMA])("a client has no resources of %j", (given) => {
  const client = createScimClient({ baseUrl: "https://id.example/scim/v2", auth: "a" });
  expect(() => client.resource(plain(given))).toThrow(
    expect.objectContaining({
      code: "invalidOption",
      message: expect.stringContaining("defineResourceType"),
    }),
  );
});

const EXPRESSION = field("userName").eq("ada");

describe("what is no query is refused before anything is sent: of it, everybody would be found", () => {
  const QUERIES: readonly (readonly [string, unknown])[] = [
    ["the text of a filter", 'userName eq "ada"'],
    ["a function by itself", () => EXPRESSION],
    ["an expression by itself", EXPRESSION],
    ["a tree by itself", EXPRESSION.node],
    ["a list", [{ filter: EXPRESSION }]],
    ["a function that gives nothing back", { filter: () => void EXPRESSION }],
    ["an attribute without an operator", { filter: field("userName") }],
    ["the same of a function", { filter: (user: { readonly userName: unknown }) => user.userName }],
    ["no filter in its place", { filter: null }],
    ["an object that is no filter", { filter: {} }],
    ["a tree that is none", { filter: { kind: "eq" } }],
    ["a number", { filter: 3 }],
  ];
  const WAYS: readonly (readonly [string, (client: ScimClient, query: never) => Promise<unknown>])[] = [
    ["list", async (client, query) => client.users.list(query).toArray()],
    ["search", async (client, query) => client.users.search(query).toArray()],
    ["page", async (client, query) => client.users.page(query)],
  ];

  test.each(QUERIES.flatMap(([what, query]) => WAYS.map(([way, run]) => [way, what, run, query] as const)))(
    "%s of %s",
    async (_way, _what, run, query) => {
      const { client, requests } = scripted([{ body: { totalResults: 0 } }]);
      await expect(run(client, plain(query))).rejects.toMatchObject({
        name: "UsageError",
        code: "invalidInput",
      });
      expect(requests).toEqual([]);
    },
  );

  test.each([undefined, null, {}, { filter: undefined }])("and %j asks for everybody", async (query) => {
    const { client, requests } = scripted([{ body: { totalResults: 0 } }]);
    await client.users.page(plain(query));
    expect(requests.map(({ path }) => path)).toEqual(["/scim/v2/Users"]);
  });
});

describe("what changes nothing is refused before anything is sent", () => {
  const PATCHES: readonly unknown[] = [undefined, null, "title", {}, () => undefined, () => null];
  const WAYS: readonly (readonly [string, (client: ScimClient, patch: never) => Promise<unknown>])[] = [
    ["patch", (client, patch) => client.users.patch("1", patch)],
    [
      "patch in a bulk job",
      async (client, operations) => client.bulk().patch(client.users, "1", { operations }),
    ],
    [
      "patch in a bulk job, without a name",
      async (client, patch) => client.bulk().patch(client.users, "1", patch ?? {}),
    ],
    [
      "replace in a bulk job, without a name",
      async (client, input) => client.bulk().replace(client.users, "1", input ?? {}),
    ],
    [
      "update",
      (client, change) =>
        client.users.update("1", typeof change === "function" ? plain({ title: "Dr" }) : change),
    ],
  ];

  test.each(WAYS.flatMap(([way, run]) => PATCHES.map((patch) => [way, patch, run] as const)))(
    "%s by %s",
    async (_way, patch, run) => {
      const { client, requests } = scripted([{ body: {} }]);
      await expect(run(client, plain(patch))).rejects.toMatchObject({
        name: "UsageError",
        code: "invalidInput",
      });
      expect(requests).toEqual([]);
    },
  );
});
