import { describe, expect, expectTypeOf, test } from "vitest";
import {
  isJsonArray,
  isJsonObject,
  isSameUrn,
  LIST_RESPONSE_URN,
  listResponse,
  PATCH_OP_URN,
  patchOp,
  resolveAttribute,
  USER_URN,
  type JsonValue,
  type PatchOperation,
} from "@scim/schemas";

describe("listResponse", () => {
  test("counts the page and tells where it begins", () => {
    expect(listResponse({ resources: [{ id: "a" }, { id: "b" }], totalResults: 42, startIndex: 41 })).toEqual(
      {
        schemas: [LIST_RESPONSE_URN],
        totalResults: 42,
        startIndex: 41,
        itemsPerPage: 2,
        Resources: [{ id: "a" }, { id: "b" }],
      },
    );
  });

  test("begins at 1 where nothing else is said, and may be empty", () => {
    expect(listResponse({ resources: [], totalResults: 0 })).toMatchObject({
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    });
  });
});

describe("patchOp", () => {
  test("R7644-3.5.2-02 states the schema of the message", () => {
    const operations: readonly PatchOperation[] = [{ op: "replace", path: "active", value: false }];
    expect(patchOp(operations)).toEqual({ schemas: [PATCH_OP_URN], Operations: operations });
  });

  test("R7644-3.5.2-06 the type demands a path for remove, and a value for add and replace", () => {
    expectTypeOf<{ op: "remove" }>().not.toExtend<PatchOperation>();
    expectTypeOf<{ op: "add"; path: "active" }>().not.toExtend<PatchOperation>();
    expectTypeOf<{ op: "replace"; value: { active: false } }>().toExtend<PatchOperation>();
  });
});

describe("JSON values", () => {
  test.each<[value: JsonValue | undefined, array: boolean, object: boolean]>([
    [[], true, false],
    [{}, false, true],
    [null, false, false],
    ["a", false, false],
    [0, false, false],
    [undefined, false, false],
  ])("%j", (value, array, object) => {
    expect([isJsonArray(value), isJsonObject(value)]).toEqual([array, object]);
  });
});

test("URNs are the same in any letter case", () => {
  expect(isSameUrn(USER_URN, USER_URN.toUpperCase())).toBe(true);
  expect(isSameUrn(USER_URN, `${USER_URN}s`)).toBe(false);
});

describe("resolveAttribute", () => {
  test("R7643-2.2-01 fills in every default", () => {
    expect(resolveAttribute({ name: "nickName", type: "string" })).toEqual({
      name: "nickName",
      type: "string",
      multiValued: false,
      description: "",
      required: false,
      canonicalValues: [],
      caseExact: false,
      mutability: "readWrite",
      returned: "default",
      uniqueness: "none",
      referenceTypes: [],
      subAttributes: [],
    });
  });

  test("R7643-2.3.7-02 references and binary values are case exact, whatever the document says", () => {
    expect(resolveAttribute({ name: "a", type: "reference", caseExact: false }).caseExact).toBe(true);
    expect(resolveAttribute({ name: "a", type: "binary" }).caseExact).toBe(true);
  });

  test("R7643-3.1-02 makes the id of what a value refers to case exact", () => {
    const idOf = (referenceTypes: readonly string[]): boolean | undefined =>
      resolveAttribute({
        name: "a",
        type: "complex",
        subAttributes: [
          { name: "value", type: "string", caseExact: false },
          { name: "$ref", type: "reference", referenceTypes },
        ],
      }).subAttributes[0]?.caseExact;
    expect([["User"], ["external"], []].map(idOf)).toEqual([true, false, false]);
  });

  test("R7643-7-04 writeOnly values are never returned, whatever the document says", () => {
    expect(resolveAttribute({ name: "a", type: "string", mutability: "writeOnly" }).returned).toBe("never");
  });
});
