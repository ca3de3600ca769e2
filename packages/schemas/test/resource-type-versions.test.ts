import { describe, expect, test } from "vitest";
import {
  createDefaultRegistry,
  ENTERPRISE_USER_URN,
  SchemaDocumentError,
  USER_RESOURCE_TYPE,
  USER_SCHEMA,
  type SchemaRegistry,
} from "@scim/schemas";
import { refusalOf } from "./refusal.ts";

const BADGE_URN = "urn:example:params:scim:schemas:extension:acme:1.0:User";
const PERSON_URN = "urn:example:params:scim:schemas:acme:1.0:Person";
const BADGE = { schema: BADGE_URN, required: false };
const BOUND = [...USER_RESOURCE_TYPE.schemaExtensions, BADGE];
const NOTED = { ...USER_RESOURCE_TYPE.annotations, nickName: { maxLength: 40, default: "x" } };
const REGISTERED = { ...USER_RESOURCE_TYPE, schemaExtensions: BOUND, annotations: NOTED };

function registry(): SchemaRegistry {
  const made = createDefaultRegistry();
  made.addSchema({ id: BADGE_URN, attributes: [{ name: "number", type: "string" }] });
  made.addSchema({ ...USER_SCHEMA, id: PERSON_URN });
  made.addResourceType(REGISTERED, { allowBreaking: true });
  return made;
}

/** Ways to add a document. */
const WAYS = [
  {
    way: "addResourceType",
    add: (made: SchemaRegistry, document: unknown, allowBreaking?: boolean): unknown =>
      allowBreaking === undefined
        ? made.addResourceType(document)
        : made.addResourceType(document, { allowBreaking }),
  },
  {
    way: "addDocuments",
    add: (made: SchemaRegistry, document: unknown, allowBreaking?: boolean): unknown =>
      allowBreaking === undefined
        ? made.addDocuments([{ source: "user.json", document }])
        : made.addDocuments([{ source: "user.json", document }], { allowBreaking }),
  },
];

const BREAKING: readonly (readonly [change: object, path: string, message: string])[] = [
  [{ endpoint: "/People" }, "endpoint", "is /People, was /Users: clients know the old address"],
  [
    { schema: PERSON_URN },
    "schema",
    `is ${PERSON_URN}, was ${USER_RESOURCE_TYPE.schema}: stored values may not fit`,
  ],
  [
    { schemaExtensions: [BADGE] },
    `schemaExtensions[${ENTERPRISE_USER_URN.toLowerCase()}]`,
    "is gone: its stored values are lost to clients",
  ],
  [
    { schemaExtensions: [...USER_RESOURCE_TYPE.schemaExtensions, { ...BADGE, required: true }] },
    `schemaExtensions[${BADGE_URN.toLowerCase()}]`,
    "is required: stored resources may lack it",
  ],
  [
    { operations: ["create", "read", "query"] },
    "operations",
    "no longer hold replace, patch, delete: such requests are refused",
  ],
  [
    { annotations: { ...NOTED, nickName: { maxLength: 20, default: "x" } } },
    'annotations["nickname"].maxLength',
    "is 20, was 40: stored values may not fit",
  ],
  [
    { annotations: { ...NOTED, nickName: { maxLength: 40 } } },
    'annotations["nickname"].default',
    'is not stated, was "x": clients rely on the old default',
  ],
];

describe.each(WAYS)("a version of a resource type that breaks the registered one, by $way", ({ add }) => {
  test.each(BREAKING)("is refused with the member and the reason: %j", (change, path, message) => {
    const made = registry();
    const before = [made.revision, made.schemas(), made.resourceTypes()];
    for (const allowBreaking of [undefined, false]) {
      const error = refusalOf(() => add(made, { ...REGISTERED, ...change }, allowBreaking));
      expect(error).toBeInstanceOf(SchemaDocumentError);
      expect(error.code).toBe("resourceTypeConflict");
      expect(error.issues).toEqual([expect.objectContaining({ path, message })]);
      expect([made.revision, made.schemas(), made.resourceTypes()]).toEqual(before);
    }
  });

  test.each(BREAKING)("takes its place where that is allowed: %j", (change) => {
    const made = registry();
    const { revision } = made;
    add(made, { ...REGISTERED, ...change }, true);
    expect(made.revision).toBe(revision + 1);
    expect(made.resourceType("User")).toMatchObject(change);
  });
});

describe.each(WAYS)("a version of a resource type that breaks nothing, by $way", ({ add }) => {
  test.each([
    { description: "People who work here." },
    { schemaExtensions: BOUND.toReversed() },
    { annotations: { ...NOTED, nickName: { maxLength: 80, default: "x" } } },
    { annotations: { ...NOTED, title: { default: "Guide" } } },
  ])("takes its place: %j", (change) => {
    const made = registry();
    add(made, { ...REGISTERED, ...change });
    expect(made.resourceType("User")).toMatchObject(change);
  });
});

test("what refuses says what to do", () => {
  const error = refusalOf(() => registry().addResourceType({ ...REGISTERED, endpoint: "/People" }));
  expect(error.message).toContain("resource type User would break");
  expect(error.message).toContain("allowBreaking");
});
