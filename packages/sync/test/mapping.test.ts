import { MappingError, readMapping } from "@scim/sync";
import { describe, expect, test } from "vitest";

/** A mapping whose section has `more` besides what every one has. */
const withMore = (more: string, set = 'userName: "{mail}"'): string => `
resources:
  - type: User
    key: "{id}"
    match: userName
    set: {${set}}
    ${more}
`;

function faultsOf(text: string): readonly string[] {
  try {
    readMapping(text, "people.yaml");
    return [];
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    return error.message.split("\n");
  }
}

describe("what is wrong with a mapping is told with its place", () => {
  test.each([
    ["no YAML", "resources: [", "people.yaml:1:13: "],
    ["no section", "resources: []", "people.yaml:1:12 resources: There is nothing to do"],
    ["no list", "resources: 1", "people.yaml:1:12 resources: It must be a list."],
    ["no object", "resources: [1]", "people.yaml:1:13 resources[0]: It must be an object"],
    ["a member that is missing", "resources: [{type: User}]", "resources[0]: 'key' is missing."],
    ["a member that there is not", withMore("whom: x"), ":7:11 resources[0].whom: 'whom' is unknown"],
    ["another word for leavers", withMore("leavers: fire"), "'fire' is none of deactivate, delete, ignore."],
    ["an empty text", withMore('from: ""'), ":7:11 resources[0].from: It must be a text."],
    ["no expression", withMore('where: "{a"'), ":7:12 resources[0].where: A '{' is not closed."],
    ["no value behind a colon", withMore("initial: {title: }"), "resources[0].initial.title: A value is"],
    [
      "a name without a colon",
      withMore("initial: {title}"),
      ":7:15 resources[0].initial.title: It has no value",
    ],
    ["a limit beyond its bound", `${withMore("")}limits: {leavers: {percent: 101}}`, "from 0 to 100."],
    ["a limit below its bound", `${withMore("")}limits: {updates: {most: -1}}`, "A number from 0."],
    ["a table of lists", `${withMore("")}tables: {t: {a: [b]}}`, "tables.t.a: A table holds texts"],
  ])("%s", (_, text, told) => {
    expect(faultsOf(text).join("\n")).toContain(told);
  });

  test("all faults at once", () => {
    const told = faultsOf(withMore("leavers: fire\n    whom: x"));
    expect(told.map((fault) => fault.slice(0, "people.yaml:7".length)).toSorted()).toEqual([
      "people.yaml:7",
      "people.yaml:8",
    ]);
  });

  test("two names that are written alike", () => {
    expect(faultsOf(`${withMore("")}tables: {t: {1: a, "1": b}}`).join("\n")).toContain("must be unique");
  });

  // Read as the name beside it, it would be written into every resource.
  test.each([
    [
      "a value",
      withMore("initial: {title: *mail}", 'userName: &mail "{mail}"'),
      "resources[0].initial.title",
    ],
    [
      "an item",
      withMore("initial: {title: [*mail]}", 'userName: &mail "{mail}"'),
      "resources[0].initial.title[0]",
    ],
    ["itself", withMore("initial: {title: &own [*own]}"), "resources[0].initial.title[0]"],
  ])("an alias in the place of %s", (_, text, path) => {
    const [fault, ...others] = faultsOf(text);
    expect(fault).toMatch(/^people\.yaml:7:\d+ /);
    expect(fault).toContain(`${path}: '*`);
    expect(fault).toContain("is no value here: write out what it stands for.");
    expect(others).toEqual([]);
  });
});

describe("codes are no numbers", () => {
  test.each([
    ["01", "01"],
    ["+49123", "+49123"],
    ["1.10", "1.10"],
    ["12345678901234567890", "12345678901234567890"],
    ["7", 7],
    ["-1.5", -1.5],
    ["true", true],
    ['"01"', "01"],
  ])("%s is %j", (text, value) => {
    const { tables, sections } = readMapping(
      `${withMore(`initial: {title: ${text}}`)}tables: {t: {01: ${text}, 1: one}}`,
      "people.yaml",
    );
    expect(sections[0]?.initial[0]?.rule).toEqual({ kind: "constant", value });
    expect(tables.get("t")).toEqual(
      new Map([
        ["01", value],
        ["1", "one"],
      ]),
    );
  });
});
