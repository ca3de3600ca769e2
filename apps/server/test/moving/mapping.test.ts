import { createModelCatalog } from "@scim/core";
import { createDefaultRegistry, ENTERPRISE_USER_URN, USER_URN } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { fieldsOfResource, planColumns, resourceOfFields, type Column } from "../../src/csv/columns.ts";
import { mappingOf } from "../../src/csv/mapping.ts";

const USER = createModelCatalog(createDefaultRegistry()).model("User");

const MAPPING = mappingOf({
  type: "User",
  columns: {
    login: "userName",
    first: "name.givenName",
    mail: 'emails[type eq "work"].value',
    home: 'emails[type eq "home"].value',
    active: { path: "active", true: ["yes", "ja"], false: "no" },
    phones: { path: "phoneNumbers.value", separator: ";" },
    department: `${ENTERPRISE_USER_URN}:department`,
    boss: `${ENTERPRISE_USER_URN}:manager.value`,
    note: null,
  },
  constants: { 'emails[type eq "work"].primary': true, userType: "Employee" },
});
const HEADERS = ["login", "first", "mail", "home", "active", "phones", "department", "boss", "note"];

describe("a mapping of columns", () => {
  test("makes a resource of a record", () => {
    const plan = planColumns(USER, HEADERS, MAPPING);
    const fields = ["bo", "Bo", "bo@x.example", "", "JA", "tel:1; tel:2", "R&D", "m-1", "ignored"];
    expect(resourceOfFields(plan, fields)).toEqual({
      schemas: [USER_URN, ENTERPRISE_USER_URN],
      userName: "bo",
      name: { givenName: "Bo" },
      emails: [{ type: "work", value: "bo@x.example", primary: true }],
      active: true,
      phoneNumbers: [{ value: "tel:1" }, { value: "tel:2" }],
      userType: "Employee",
      [ENTERPRISE_USER_URN]: { department: "R&D", manager: { value: "m-1" } },
    });
  });

  test("leaves out what is empty, constants of values that no column made among it", () => {
    const plan = planColumns(USER, HEADERS, MAPPING);
    const fields = ["bo", "", "", "bo@home.example", "", "", "", "", ""];
    expect(resourceOfFields(plan, fields)).toEqual({
      schemas: [USER_URN],
      userName: "bo",
      emails: [{ type: "home", value: "bo@home.example" }],
      userType: "Employee",
    });
  });

  test("leads back from a resource to its record", () => {
    const { columns } = planColumns(USER, HEADERS, MAPPING);
    const kept = columns.filter((column): column is Column => column !== null);
    const fields = ["bo", "Bo", "bo@x.example", "bo@home.example", "no", "tel:1;tel:2", "R&D", "m-1"];
    const resource = resourceOfFields(planColumns(USER, HEADERS, MAPPING), [...fields, ""]);
    expect(fieldsOfResource(kept, resource)).toEqual(fields);
  });

  test("without rules, columns bear the paths of their attributes", () => {
    const plan = planColumns(USER, ["userName", "NAME.familyName", "active", "id", "meta.created"], null);
    expect(resourceOfFields(plan, ["bo", "Berg", "maybe", "b-1", "2020-01-01T00:00:00Z"])).toEqual({
      schemas: [USER_URN],
      userName: "bo",
      name: { familyName: "Berg" },
      active: "maybe",
      id: "b-1",
      meta: { created: "2020-01-01T00:00:00Z" },
    });
  });

  test.each([
    [["userName", "shoe size"], null, /'shoe size' is no attribute/],
    [["userName", "shoeSize"], null, /'shoeSize' is no attribute of User/],
    [["groups.value"], null, /'groups.value' cannot be set/],
    [["meta.version"], null, /'meta.version' cannot be set/],
    [["name"], null, /must name a sub-attribute/],
    [["userName", "userName"], null, /two columns 'userName'/],
    [["x".repeat(150)], null, /^'x{100}…' is no attribute of User\.$/],
    [
      Array.from({ length: 30 }, (_, at) => `hat${at}`),
      null,
      /'hat9' is no attribute of User\. And 20 faults more\.$/,
    ],
    [["a"], { columns: { b: "userName" } }, /There is no column 'b'/],
    [["a"], { columns: { a: 'emails[type ne "work"].value' } }, /by equalities alone/],
    [["a"], { columns: { a: 'name[formatted eq "x"].givenName' } }, /is no list/],
    [["a"], { columns: { a: 'emails[type eq "work"]' } }, /must end in a sub-attribute/],
    [
      ["a"],
      { columns: { a: { path: "userName", true: "yes" } } },
      /^The column 'a' has words for 'true' and 'false', but 'userName' is no boolean\.$/,
    ],
  ])("header %j with mapping %j is refused", (headers, mapping, message) => {
    expect(() => planColumns(USER, headers, mapping === null ? null : mappingOf(mapping))).toThrow(message);
  });

  test.each([
    [[], /the document must be an object/],
    [{ colums: {} }, /'colums' is unknown/],
    [{ delimiter: "::" }, /one ASCII character/],
    [{ columns: { a: 1 } }, /'columns.a' must be an object/],
    [{ columns: { a: {} } }, /must have a 'path'/],
    [
      { columns: { a: { path: "active", true: [1] } } },
      /'columns.a': 'true' must be a word or a list of words/,
    ],
    [{ columns: { a: { path: "active", false: [] } } }, /'false' must be a word or a list of words/],
    [{ columns: { a: { path: "active", true: ["yes", " "] } } }, /no field is empty/],
    [
      { columns: { a: { path: "active", true: ["x", "TRUE"], false: [" true"] } } },
      /'true' is a word for both/,
    ],
    [{ columns: { a: { path: "active", true: "False" } } }, /'false' is a word for both/],
    [{ constants: { active: null } }, /must be a text, a number or a boolean/],
  ])("mapping %j is refused", (mapping, message) => {
    expect(() => mappingOf(mapping)).toThrow(message);
  });

  test.each(["maybe", "true", "false"])(
    "a column with words for true and false of its own is refused by them, not as the attribute: %s",
    (word) => {
      const plan = planColumns(USER, HEADERS, MAPPING);
      const fields = ["bo", "", "", "", word, "", "", "", ""];
      expect(() => resourceOfFields(plan, fields)).toThrow(
        /^The column 'active' must hold 'yes' or 'ja' for true, or 'no' for false\.$/,
      );
    },
  );

  test("a record with another number of columns is refused", () => {
    expect(() => resourceOfFields(planColumns(USER, ["userName"], null), ["a", "b"])).toThrow(
      "The record has 2 columns where the header has 1.",
    );
  });
});
