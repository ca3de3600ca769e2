import type { JsonValue, SchemaRegistry } from "@scim/schemas";
import { expect, test } from "vitest";
import { refusal } from "../support/refusal.ts";
import { testService, type TestService } from "../support/service.ts";

const URN = "urn:example:params:scim:schemas:acme:1.0:Board";

/** A type with references of which one may be the primary. */
function addBoards(registry: SchemaRegistry): void {
  registry.addSchema({
    id: URN,
    name: "Board",
    attributes: [
      {
        name: "seats",
        type: "complex",
        multiValued: true,
        subAttributes: [
          { name: "value", type: "string", caseExact: true },
          { name: "$ref", type: "reference", referenceTypes: ["User"], caseExact: true },
          { name: "primary", type: "boolean" },
        ],
      },
    ],
  });
  registry.addResourceType({ name: "Board", endpoint: "/Boards", schema: URN });
}

async function started(): Promise<TestService> {
  const tested = testService(addBoards);
  const seats = [{ value: "a", primary: true }, { value: "b" }, { value: "c" }];
  await tested.as().post("Board", { schemas: [URN], seats });
  return tested;
}

async function primaries(tested: TestService): Promise<string> {
  const { seats } = await tested.as().resource("Board", "id-1");
  const values = seats as readonly { readonly value: string; readonly primary?: boolean }[];
  return values.map(({ value, primary }) => (primary === true ? value.toUpperCase() : value)).join(" ");
}

const add = (value: JsonValue): JsonValue => ({ op: "add", path: "seats", value });

const PATCHES: readonly (readonly [string, readonly JsonValue[], string])[] = [
  ["one of a list that is added", [add([{ value: "d" }, { value: "e", primary: true }])], "a b c d E"],
  ["an object that is added", [add({ value: "d", PRIMARY: true })], "a b c D"],
  ["text for true", [add({ value: "d", primary: "True" })], "a b c D"],
  ["without path", [{ op: "add", value: { seats: [{ value: "d", primary: true }] } }], "a b c D"],
  ["a selected one", [{ op: "replace", path: 'seats[value eq "b"].primary', value: true }], "a B c"],
  [
    "parts of a selected one",
    [{ op: "add", path: 'seats[value eq "c"]', value: { primary: true } }],
    "a b C",
  ],
  ["one that a filter makes", [{ op: "add", path: 'seats[value eq "d"].primary', value: true }], "a b c D"],
  [
    "R7644-3.5.2-27 the last of several operations",
    [add({ value: "d", primary: true }), add({ value: "e" }), add({ value: "f", primary: true })],
    "a b c d e F",
  ],
  ["none that is no longer", [{ op: "add", path: 'seats[value eq "a"].primary', value: false }], "a b c"],
  ["none where the one that is added is there", [add({ value: "b", primary: true })], "A b c"],
  ["none where no value says so", [add([{ value: "d", primary: false }])], "A b c d"],
];

test.each(PATCHES)(
  "R7644-3.5.2-26 a reference that becomes the primary one takes that from the others: %s",
  async (_name, operations, expected) => {
    const tested = await started();
    await tested.as("tolerant").patch("Board", "id-1", operations);
    expect(await primaries(tested)).toBe(expected);
  },
);

test.each<readonly [string, JsonValue]>([
  [
    "added together",
    add([
      { value: "d", primary: true },
      { value: "e", primary: true },
    ]),
  ],
  ["set in all values", { op: "replace", path: "seats.primary", value: true }],
])("R7644-3.5.2-27 two primary references, %s, are refused", async (_name, operation) => {
  const tested = await started();
  expect((await refusal(tested.as("tolerant").patch("Board", "id-1", [operation]))).answer).toBe(
    "400 invalidValue",
  );
  expect(await primaries(tested)).toBe("A b c");
});
