import { createDefaultRegistry, GROUP_URN, type JsonObject, type JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { PROFILES } from "../../src/index.ts";
import { createModelCatalog } from "../../src/model/catalog.ts";
import { bindOperations, type BoundOperation } from "../../src/patch/apply.ts";
import { coalesce } from "../../src/patch/coalesce.ts";
import { readOperations } from "../../src/patch/operation.ts";
import type { BindingContext } from "../../src/patch/state.ts";
import { createTargetBinder } from "../../src/patch/target-cache.ts";
import { createFilterParser } from "../../src/query/parser.ts";
import { patchBody } from "../support/client.ts";
import { testService } from "../support/service.ts";

/** What operations on a Group come to, one text each: op, path and value. */
function coalesced(operations: readonly JsonObject[]): readonly string[] {
  const request = testService().context("tolerant");
  const model = createModelCatalog(createDefaultRegistry()).model("Group");
  const binding: BindingContext = {
    id: "id-1",
    decode: {
      model,
      profile: PROFILES.tolerant,
      onSwitch: request.onSwitch,
      unknownCode: "invalidValue",
      onReadOnly: () => undefined,
    },
    target: { model, request, parser: createFilterParser({}) },
    binder: createTargetBinder(),
  };
  const steps = bindOperations(readOperations(patchBody(operations), request), binding);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return coalesce(step.value).map(shortly);
}

function shortly({ target, change }: BoundOperation): string {
  const values = Array.isArray(change.value) ? change.value : [change.value];
  return `${change.op} ${target.attribute.path} ${values.map(nameOf).join(",")}`;
}

function nameOf(value: JsonValue | undefined): string {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return String(isObject ? (value as JsonObject)["value"] : value);
}

const add = (...ids: readonly string[]): JsonObject => ({
  op: "add",
  path: "members",
  value: ids.map((value) => ({ value })),
});
const remove = (id: string): JsonObject => ({ op: "remove", path: `members[value eq "${id}"]` });
const rename = { op: "replace", path: "displayName", value: "x" };

describe("what adds to a collection, or removes from it, becomes one operation, so that a thousand cost like one", () => {
  test.each<readonly [string, readonly JsonObject[], readonly string[]]>([
    ["adds", [add("a"), add("b", "c"), add("d")], ["add members a,b,c,d"]],
    ["removals by value path", [remove("a"), remove("b")], ["remove members a,b"]],
    [
      "removals by path and by list",
      [remove("a"), { op: "remove", path: "members", value: [{ value: "b" }] }],
      ["remove members a,b"],
    ],
    [
      "adds without path",
      [{ op: "add", value: { members: [{ value: "a" }] } }, add("b")],
      ["add members a,b"],
    ],
    ["adds of one object", [{ ...add(), value: { value: "a" } }, add("b")], ["add members a,b"]],
    [
      "past an operation on another attribute",
      [add("a"), rename, add("b")],
      ["add members a,b", "replace displayName x"],
    ],
    [
      "past the other op, where others are named",
      [remove("a"), add("x"), remove("b"), add("y", "z"), remove("c")],
      ["remove members a,b,c", "add members x,y,z"],
    ],
    [
      "not past the other op, where the same is named",
      [add("a"), remove("b"), add("c"), remove("a"), add("a"), remove("d"), add("e")],
      ["add members a,c", "remove members b,a", "add members a,e", "remove members d"],
    ],
    [
      "not past the other op, where a name stands in an address",
      [remove("a"), { ...add(), value: [{ $ref: "Users/b" }] }, remove("b")],
      ["remove members a", "add members undefined", "remove members b"],
    ],
    ["not with what adds the same", [add("a"), add("b", "a")], ["add members a", "add members b,a"]],
    [
      "not past the list of schemas",
      [add("a"), { op: "replace", path: "schemas", value: [GROUP_URN] }, add("b")],
      ["add members a", `replace schemas ${GROUP_URN}`, "add members b"],
    ],
    [
      "not what speaks of all",
      [
        add("a"),
        { op: "remove", path: "members" },
        { op: "replace", path: "members", value: [{ value: "b" }] },
      ],
      ["add members a", "remove members undefined", "replace members b"],
    ],
  ])("%s", (_name, operations, expected) => {
    expect(coalesced(operations)).toEqual(expected);
  });

  test("lists of any length", () => {
    const ids = Array.from({ length: 200_000 }, (_, index) => `m${String(index)}`);
    expect(coalesced([add("a"), add("b"), { ...add(), value: ids.map((value) => ({ value })) }])).toEqual([
      `add members a,b,${ids.join(",")}`,
    ]);
  });

  test("a thousand", () => {
    const ids = Array.from({ length: 1000 }, (_, index) => `m${String(index)}`);
    expect(coalesced(ids.map((id) => add(id)))).toEqual([`add members ${ids.join(",")}`]);
    expect(coalesced(ids.map(remove))).toEqual([`remove members ${ids.join(",")}`]);
    const others = ids.map((id) => `x${id}`);
    expect(coalesced(ids.flatMap((id, index) => [remove(id), add(others[index] ?? ""), rename]))).toEqual([
      `remove members ${ids.join(",")}`,
      `add members ${others.join(",")}`,
      ...ids.map(() => "replace displayName x"),
    ]);
  });
});
