import { bindFilter, bindValueFilter, FilterSemanticError, parseFilter } from "@scim/filter";
import type { AttributeResolver, BindOptions, BoundFilter, BoundPath } from "@scim/filter";
import { eq, valuePath } from "@scim/filter/ast";
import { describe, expect, test } from "vitest";
import { resolverOf } from "../resolver.ts";

const TEST = "urn:example:params:scim:schemas:extension:test:2.0:User";
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

function bind(text: string, options: BindOptions = {}): BoundFilter {
  return bindFilter(parseFilter(text), resolverOf("User"), options);
}

function errorOf(text: string): FilterSemanticError {
  try {
    bind(text);
  } catch (error) {
    if (error instanceof FilterSemanticError) return error;
    throw error;
  }
  throw new RangeError(`${text} was accepted`);
}

describe("operators and values by type (R7644-3.4.2.2-T-01 to T-07)", () => {
  // Which operators each type takes with a value of its own.
  const types = [
    ["userName", '"x"', "eq ne co sw ew gt ge lt le"],
    ["profileUrl", '"x"', "eq ne co sw ew gt ge lt le"],
    ["meta.created", '"2020-01-01T00:00:00Z"', "eq ne co sw ew gt ge lt le"],
    [`${TEST}:age`, "1", "eq ne gt ge lt le"],
    [`${TEST}:score`, "1.5", "eq ne gt ge lt le"],
    ["active", "true", "eq ne"],
    [`${TEST}:blob`, '"AQID"', "eq ne"],
  ] as const;
  const operators = ["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"];
  const rows = types.flatMap(([path, value, allowed]) =>
    operators.map(
      (operator) => [`${path} ${operator} ${value}`, allowed.split(" ").includes(operator)] as const,
    ),
  );

  test.for(rows.filter(([, allowed]) => allowed))("%s is accepted", ([text]) => {
    expect(bind(text).kind).toBe("comparison");
  });

  test.for(rows.filter(([, allowed]) => !allowed))("%s is refused", ([text]) => {
    expect(errorOf(text)).toMatchObject({ code: "operatorNotAllowed" });
  });

  test.for([
    "userName eq 1",
    "userName co true",
    "profileUrl eq 1",
    "active eq 1",
    'active eq "true"',
    `${TEST}:age eq "1"`,
    `${TEST}:age eq true`,
    "meta.created gt 1",
    'meta.created gt "2020-01-01"',
    'meta.created eq "2020-02-30T00:00:00Z"',
    "meta.created sw 2020",
    `${TEST}:blob eq 1`,
  ])("T-05 a value of another type is refused: %s", (text) => {
    expect(errorOf(text)).toMatchObject({ code: "valueType" });
  });

  test.for([
    "userName",
    "active",
    `${TEST}:age`,
    "meta.created",
    `${TEST}:blob`,
    "emails",
    "name",
    "emails.type",
  ])("T-06 eq null and ne null ask for presence: %s", (path) => {
    const presence = bind(`${path} pr`);
    expect(bind(`${path} ne null`)).toEqual(presence);
    expect(bind(`${path} eq null`)).toEqual({ kind: "not", operand: presence });
  });

  test.for(["co", "sw", "ew", "gt", "ge", "lt", "le"])("T-07 %s with null is refused", (operator) => {
    expect(errorOf(`title ${operator} null`)).toMatchObject({ code: "operatorNotAllowed", path: "title" });
  });
});

describe("keys are ready for comparison", () => {
  test.for([
    ['userName eq "BJensen"', "bjensen"],
    ['externalId eq "aBc"', "aBc"],
    ['meta.created gt "2020-01-01T01:00:00+01:00"', "2020-01-01T00:00:00.000000000"],
    ['meta.created sw "2020-01-01T"', "2020-01-01t"],
    [`${TEST}:age eq 4.2e1`, 42],
    ["active eq false", false],
  ] as const)("%s: %j", ([text, key]) => {
    expect(bind(text)).toMatchObject({ kind: "comparison", key });
  });
});

describe("names", () => {
  test.for([
    ["nosuch pr", "nosuch"],
    ["nosuch eq null", "nosuch"],
    ["name.nosuch pr", "name.nosuch"],
    ["userName.value pr", "userName.value"],
    ["urn:x:y:userName pr", "urn:x:y:userName"],
    ['employeeNumber eq "1"', "employeeNumber"],
    ["emails[nosuch pr]", "emails.nosuch"],
    ["emails[urn:x:y:type pr]", "emails.urn:x:y:type"],
    ["emails[type.value pr]", "emails.type.value"],
    [`${TEST}:tags[type eq "x"]`, `${TEST}.tags.type`],
    ["constructor pr", "constructor"],
  ] as const)("R7644-F-14, F-20, F-22 what is unknown is refused: %s", ([text, path]) => {
    expect(errorOf(text)).toMatchObject({ code: "unknownAttribute", path });
  });

  test("R7644-3.10-01 names ignore letter case and are bound in the schema's spelling", () => {
    expect(bind("NAME.GIVENNAME pr")).toMatchObject({ target: { keys: ["name", "givenName"] } });
  });

  test("R7644-F-23 an extension's URN alone can be tested for presence, not compared", () => {
    expect(bind(`${ENTERPRISE} pr`)).toMatchObject({ kind: "presence", target: { keys: [ENTERPRISE] } });
    expect(errorOf(`${ENTERPRISE} eq "x"`)).toMatchObject({ code: "subAttributeRequired" });
  });

  test("R7644-F-11 a multi-valued complex attribute means its value", () => {
    expect(bind('emails co "x"')).toEqual(bind('emails.value co "x"'));
    expect(errorOf('addresses eq "x"')).toMatchObject({ code: "subAttributeRequired", path: "addresses" });
    expect(errorOf('name eq "x"')).toMatchObject({ code: "subAttributeRequired", path: "name" });
    // It has no `value`, or that would have been compared.
    expect(errorOf('name eq "x"').message).not.toContain("name.value");
  });

  test("R7644-F-08 a hidden attribute cannot be compared, and is never present", () => {
    expect(errorOf('password eq "x"')).toMatchObject({ code: "hiddenAttribute" });
    expect(errorOf("password eq null")).toMatchObject({ code: "hiddenAttribute" });
    expect(errorOf("password[value pr]")).toMatchObject({ code: "hiddenAttribute", path: "password" });
    expect(bind("password pr")).toEqual({ kind: "constant", value: false });
  });

  test.for([
    ["pr", false],
    ['eq "x"', false],
    ['ne "x"', true],
    ['co "x"', false],
    ["gt 1", false],
    ["eq null", true],
    ["ne null", false],
  ] as const)("R7644-F-21 an attribute without a value in this type: %s is %s", ([condition, value]) => {
    const node = parseFilter(`nosuch ${condition}`);
    expect(bindFilter(node, resolverOf("User", true))).toEqual({ kind: "constant", value });
  });

  test("R7644-F-21 a value path on it is false, and order against null is still refused", () => {
    const resolver = resolverOf("User", true);
    expect(bindFilter(parseFilter("nosuch[a pr]"), resolver)).toEqual({ kind: "constant", value: false });
    expect(() => bindFilter(parseFilter("nosuch gt null"), resolver)).toThrow(FilterSemanticError);
  });
});

describe("value paths", () => {
  test("paths in brackets are relative to the value", () => {
    expect(bind('emails[type eq "Work"]')).toMatchObject({
      kind: "valuePath",
      target: { keys: ["emails"] },
      filter: { target: { keys: ["type"] }, key: "work" },
    });
  });

  test("R7644-F-17 value names the values of a simple attribute", () => {
    expect(bind(`${TEST}:codes[VALUE eq "A"]`)).toMatchObject({
      filter: { target: { keys: [], type: "string", caseExact: true, multiValued: false }, key: "A" },
    });
  });

  test.for(["userName[value pr]", "active[value eq true]"])(
    "a singular simple attribute has no values to filter: %s",
    (text) => {
      expect(errorOf(text)).toMatchObject({ code: "valueFilterNotAllowed" });
    },
  );

  test("a tree that the grammar does not have is refused", () => {
    const inner = valuePath("type", eq("value", "x"));
    for (const node of [valuePath("emails", inner), valuePath("emails.type", eq("value", "x"))]) {
      expect(() => bindFilter(node, resolverOf("User"))).toThrow(
        expect.objectContaining({ code: "valueFilterNotAllowed" }),
      );
    }
  });

  test("bindValueFilter binds what stands between the brackets of a PATCH path", () => {
    const resolver = resolverOf("User");
    const target = resolver.resolve(
      { kind: "attributePath", urn: null, attribute: "emails", subAttribute: null },
      null,
    );
    if (typeof target === "string") throw new RangeError(target);
    const whole = bind('emails[type eq "work" and not (primary eq true)]');
    const filter = parseFilter('type eq "work" and not (primary eq true)');
    expect(whole).toMatchObject({ filter: bindValueFilter(filter, target, { resolver }) });
    expect(() => bindValueFilter(parseFilter("nosuch pr"), target, { resolver })).toThrow("emails.nosuch");
  });
});

describe("stringBooleans", () => {
  test.for([
    ['active eq "True"', "active eq true"],
    ['active ne "FALSE"', "active ne false"],
    ['emails[primary eq "true"]', "emails[primary eq true]"],
  ] as const)("%s is %s", ([text, same]) => {
    let told = 0;
    const options = { stringBooleans: true, onStringBoolean: () => (told += 1) };
    expect(bind(text, options)).toEqual(bind(same));
    expect(told).toBe(1);
  });

  test("no other string is a boolean, and other types keep their strings", () => {
    expect(() => bind('active eq "yes"', { stringBooleans: true })).toThrow(FilterSemanticError);
    expect(bind('userName eq "True"', { stringBooleans: true })).toMatchObject({ key: "true" });
  });
});

test("groups of one kind become one list", () => {
  expect(
    bind("(title pr and active pr) and (userName pr and (locale pr or (id pr or timezone pr)))"),
  ).toMatchObject({
    kind: "and",
    operands: [{}, {}, {}, { kind: "or", operands: [{}, {}, {}] }],
  });
});

test("the caller's handle is carried", () => {
  const found: BoundPath<symbol> = {
    keys: ["a"],
    path: "a",
    type: "string",
    caseExact: true,
    multiValued: false,
    missingIsFalse: false,
    handle: Symbol("a"),
  };
  const resolver: AttributeResolver<symbol> = { resolve: () => found };
  const node = bindFilter(parseFilter("a pr"), resolver);
  expect(node.kind === "presence" && node.target.handle).toBe(found.handle);
});

test("a complex attribute of one value stands for what the resolver says, in comparisons alone", () => {
  const names = resolverOf("User");
  const value = names.resolve(
    { kind: "attributePath", urn: null, attribute: "name", subAttribute: "familyName" },
    null,
  );
  const resolver: AttributeResolver = {
    ...names,
    comparand: (target) => (target.path === "name" && typeof value !== "string" ? value : target),
  };
  const bound = (text: string): BoundFilter => bindFilter(parseFilter(text), resolver);
  expect(bound('name eq "x"')).toEqual(bound('name.familyName eq "x"'));
  expect(bound("name pr")).toEqual(bind("name pr"));
  expect(bound('name[familyName eq "x"]')).toEqual(bind('name[familyName eq "x"]'));
  expect(() => bound(`${ENTERPRISE}:manager eq "x"`)).toThrow(FilterSemanticError);
});

test("messages name the attribute and the remedy, never the value", () => {
  const { message } = errorOf('meta.created gt "bjensen"');
  expect(message).toContain("meta.created");
  expect(message).toContain("2026-01-31T12:00:00Z");
  expect(message).not.toContain("bjensen");
});
