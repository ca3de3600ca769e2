import { createScimClient, defineResourceType, diffResources, USER } from "@scim/client";
import { USER_SCHEMA, USER_URN } from "@scim/schemas";
import { describe, expect, test } from "vitest";

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
