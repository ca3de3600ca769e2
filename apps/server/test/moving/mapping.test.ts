import { createModelCatalog, type ResourceModel } from "@scim/core";
import { createDefaultRegistry, ENTERPRISE_USER_URN, USER_URN } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { fieldsOfResource, planColumns, resourceOfFields, type Column } from "../../src/csv/columns.ts";
import { mappingOf } from "../../src/csv/mapping.ts";

const USER = createModelCatalog(createDefaultRegistry()).model("User");

const PARCEL = "urn:example:params:scim:schemas:core:2.0:Parcel";

/** A type with numbers and plain lists. */
function parcelModel(): ResourceModel {
  const registry = createDefaultRegistry();
  registry.addSchema({
    id: PARCEL,
    name: "Parcel",
    attributes: [
      { name: "weight", type: "decimal" },
      { name: "count", type: "integer" },
      { name: "tags", type: "string", multiValued: true },
    ],
  });
  registry.addResourceType({ name: "Parcel", endpoint: "/Parcels", schema: PARCEL });
  return createModelCatalog(registry).model("Parcel");
}

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
    // As an export writes it, without the column that is left out.
    const written = kept.map(({ header }) => header);
    expect(resourceOfFields(planColumns(USER, written, MAPPING), fields)).toEqual(resource);
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
      ["userName", 'emails[type eq "work"].value', "emails.value"],
      null,
      /^The columns 'emails\[type eq "work"\].value' and 'emails.value' may hold the same emails.value\.$/,
    ],
    [
      ["mail1", "mail2"],
      { columns: { mail1: "emails.value", mail2: "EMAILS.value" } },
      /^The columns 'mail1' and 'mail2' may hold the same emails.value/,
    ],
    [["userName", "USERNAME"], null, /^The columns 'userName' and 'USERNAME' may hold the same userName\.$/],
    [
      ["a", "b"],
      {
        columns: {
          a: 'emails[type eq "work" and primary eq true].value',
          b: 'emails[primary eq true and type eq "WORK"].value',
        },
      },
      /^The columns 'a' and 'b' may hold the same emails.value/,
    ],
    [
      ["a", "b"],
      {
        columns: { a: 'emails[type eq "work" and primary eq true].value', b: 'emails[type eq "work"].value' },
      },
      /^The columns 'a' and 'b' may hold the same emails.value/,
    ],
    [
      ["a"],
      { columns: { a: "userType" }, constants: { userType: "Employee" } },
      /^The column 'a' and the constant 'userType' hold the same userType\.$/,
    ],
    [
      ["a"],
      { columns: { a: { path: "name.givenName", separator: "|" } } },
      /^The column 'a' has a separator, but 'name.givenName' is no list\.$/,
    ],
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
    [{ delimiter: '"' }, /no quotation mark/],
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

  test.each([
    [
      ["a|b|c", "work||home"],
      ["work", null, "home"],
    ],
    [
      ["a||c", "work|mobile|home"],
      ["work", "mobile", "home"],
    ],
    [
      [" a | b |", "|work"],
      [null, "work"],
    ],
    [["", "work"], ["work"]],
  ])("lists side by side keep their places: %j", ([values = "", types = ""], expected) => {
    const mapping = mappingOf({
      columns: {
        mails: { path: "emails.value", separator: "|" },
        types: { path: "emails.type", separator: "|" },
        login: "userName",
      },
    });
    for (const headers of [
      ["mails", "types", "login"],
      ["types", "mails", "login"],
    ]) {
      const plan = planColumns(USER, headers, mapping);
      const fields = headers.map((header) => ({ mails: values, types })[header] ?? "bo");
      const resource = resourceOfFields(plan, fields);
      const parts = values.split("|").map((part) => part.trim());
      expect(resource["emails"]).toEqual(
        expected.map((type, place) => ({
          ...((parts[place] ?? "") === "" ? {} : { value: parts[place] }),
          ...(type === null ? {} : { type }),
        })),
      );
      const columns = plan.columns.filter((column): column is Column => column !== null);
      const again = resourceOfFields(plan, fieldsOfResource(columns, resource));
      expect(again).toEqual(resource);
    }
  });

  test("an empty place that no column fills is no value, and takes no constant", () => {
    const mapping = mappingOf({
      columns: {
        work: { path: 'emails[type eq "work"].value', separator: "|" },
        display: { path: 'emails[type eq "work"].display', separator: "|" },
        phones: { path: "phoneNumbers.value", separator: "|" },
      },
      constants: { 'emails[type eq "work"].primary': false, "phoneNumbers.type": "work" },
    });
    const plan = planColumns(USER, ["work", "display", "phones"], mapping);
    expect(resourceOfFields(plan, ["a||c|", "|", "||"])).toEqual({
      schemas: [USER_URN],
      emails: [
        { type: "work", value: "a", primary: false },
        { type: "work", value: "c", primary: false },
      ],
    });
  });

  test.each([
    ["|", ["1|2"]],
    ["||", ["1|", "2"]],
    ["||", ["1", "", "2|", "3"]],
  ])("what the separator %s would be found in elsewhere is not written: %j", (separator, values) => {
    const mapping = mappingOf({ columns: { phones: { path: "phoneNumbers.value", separator } } });
    const { columns } = planColumns(USER, ["phones"], mapping);
    const kept = columns.filter((column): column is Column => column !== null);
    const phoneNumbers = values.map((value) => ({ value }));
    expect(() => fieldsOfResource(kept, { phoneNumbers })).toThrow(
      `A value of the column 'phones' holds the separator '${separator}', or ends as it begins: choose another one in the mapping.`,
    );
    const fine = phoneNumbers.map(({ value }) => ({ value: value.replaceAll("|", "-") }));
    expect(fieldsOfResource(kept, { phoneNumbers: fine })).toEqual([
      values.map((value) => value.replaceAll("|", "-")).join(separator),
    ]);
  });

  test("a column without a separator holds what the first value has, and nothing of another", () => {
    const { columns } = planColumns(USER, ["emails.value", "emails.type"], null);
    const kept = columns.filter((column): column is Column => column !== null);
    const resource = { emails: [{ value: "a" }, { value: "b", type: "home" }] };
    expect(fieldsOfResource(kept, resource)).toEqual(["a", ""]);
  });

  test.each([
    ["0.5", 0.5],
    ["-007.50", -7.5],
    ["1e3", 1000],
    ["much", "much"],
  ])("a number is read as it is written: %s", (text, weight) => {
    const plan = planColumns(parcelModel(), ["weight"], null);
    expect(resourceOfFields(plan, [text])).toEqual({ schemas: [PARCEL], weight });
  });

  test.each([
    ["weight", "0.1234567890123456789"],
    ["weight", "12345678901234567890.5"],
    ["weight", "1e-400"],
    ["weight", "1e999"],
    ["count", "12345678901234567891"],
  ])("a number that a double cannot hold is refused: %s %s", (column, text) => {
    const plan = planColumns(parcelModel(), [column], null);
    expect(() => resourceOfFields(plan, [text])).toThrow(
      `The number in the column '${column}' has more digits or a greater exponent than a double holds.`,
    );
  });

  test("a list of plain values has no empty ones", () => {
    const mapping = mappingOf({ columns: { tags: { path: "tags", separator: ";" } } });
    const plan = planColumns(parcelModel(), ["tags"], mapping);
    expect(resourceOfFields(plan, ["a;; b ;"])).toEqual({ schemas: [PARCEL], tags: ["a", "b"] });
    expect(resourceOfFields(plan, [" ; "])).toEqual({ schemas: [PARCEL] });
  });

  test("a record with another number of columns is refused", () => {
    expect(() => resourceOfFields(planColumns(USER, ["userName"], null), ["a", "b"])).toThrow(
      "The record has 2 columns where the header has 1.",
    );
  });
});
