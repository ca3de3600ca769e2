import { comparePlaces, sortKeyOf, type SortPath } from "@scim/filter/evaluate";
import { describe, expect, test } from "vitest";

const NAME: SortPath = { keys: ["name", "family"], sub: null, type: "string", caseExact: false };
const MAIL: SortPath = { keys: ["emails"], sub: "value", type: "string", caseExact: true };

describe("R7644-3.4.2.3-01 what a resource is ordered by", () => {
  test.each([
    ["folded where letter case does not matter", NAME, { name: { family: "BERG" } }, "berg"],
    ["nothing where a member is missing", NAME, { name: {} }, null],
    ["nothing where the value is of another type", NAME, { name: { family: 1 } }, null],
    ["nothing where a list stands on the way", NAME, { name: [{ family: "x" }] }, null],
    ["the first of several plain values", { ...NAME, keys: ["tags"] }, { tags: ["b", "a"] }, "b"],
    ["the primary one", MAIL, { emails: [{ value: "b" }, { value: "a", primary: true }] }, "a"],
    ["else the first", MAIL, { emails: [{ value: "b" }, { value: "a" }] }, "b"],
    ["not what is no object", MAIL, { emails: ["x", null, { value: "b" }] }, "b"],
    ["nothing of an empty list", MAIL, { emails: [] }, null],
    ["nothing that it inherits", { ...NAME, keys: ["constructor", "name"] }, {}, null],
  ])("%s", (_, path, resource, key) => {
    expect(sortKeyOf(path, resource)).toBe(key);
  });
});

test("R7644-3.4.2.3-04 places without a key stand last, descending first, and equal ones by id", () => {
  const places = [
    { key: null, id: "1" },
    { key: "b", id: "4" },
    { key: "a", id: "3" },
    { key: "a", id: "2" },
  ];
  const ids = (descending: boolean): string =>
    places
      .toSorted((left, right) => comparePlaces(left, right, descending))
      .map(({ id }) => id)
      .join("");
  expect(ids(false)).toBe("2341");
  expect(ids(true)).toBe("1423");
});
