import type { AttributeAnnotation, JsonObject, JsonValue, SchemaRegistry } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { ownValues } from "../support/bodies.ts";
import { idOf, type TestClient } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { testService, type TestService } from "../support/service.ts";

const BASE = "urn:example:params:scim:schemas:acme:1.0:Tool";
const SAFETY = "urn:example:params:scim:schemas:extension:acme:1.0:Tool";
const LEASE = "urn:example:params:scim:schemas:extension:acme:2.0:Tool";

interface Parts {
  readonly attributes?: readonly object[];
  readonly safety?: readonly object[];
  readonly lease?: readonly object[];
  readonly required?: boolean;
  readonly annotations?: Readonly<Record<string, AttributeAnnotation>>;
}

/** Adds Tool and Kit, two types of one schema, with two extensions. */
function addTools({ attributes = [], safety = [], lease = [], required = false, annotations = {} }: Parts) {
  const label = { name: "label", type: "string" };
  return (registry: SchemaRegistry): void => {
    registry.addSchema({ id: BASE, attributes: [label, ...attributes] });
    registry.addSchema({ id: SAFETY, attributes: [{ name: "note", type: "string" }, ...safety] });
    registry.addSchema({ id: LEASE, attributes: [{ name: "until", type: "dateTime" }, ...lease] });
    for (const [name, endpoint] of [
      ["Tool", "/Tools"],
      ["Kit", "/Kits"],
    ]) {
      registry.addResourceType({
        name,
        endpoint,
        schema: BASE,
        schemaExtensions: [
          { schema: SAFETY, required },
          { schema: LEASE, required: false },
        ],
        annotations,
      });
    }
  };
}

const tools = (parts: Parts): TestService => testService(addTools(parts));
const tool = (values: JsonObject = {}): JsonObject => ({ schemas: [BASE], ...values });
/** The same characteristic in the resource and in an extension: how a body holds it, and the path of it. */
const SIDES = [
  { side: "the resource", key: "attributes", hold: (values: JsonObject) => values, prefix: "" },
  {
    side: "an extension",
    key: "safety",
    hold: (values: JsonObject) => ({ [SAFETY]: values }),
    prefix: `${SAFETY}:`,
  },
] as const;

async function answerOf(request: Promise<unknown>): Promise<string> {
  return request.then(
    () => "done",
    async (error: unknown) => (await refusal(Promise.reject(error))).answer,
  );
}

describe("R7643-6-02 a required extension", () => {
  const lock = { name: "lock", type: "string", required: true };

  test("must be there, with what it requires, in POST and PUT, and cannot be patched away", async () => {
    const client = tools({ required: true, safety: [lock] }).as("strict");
    const missing = await refusal(client.post("Tool", tool()));
    expect([missing.answer, missing.detail]).toEqual([
      "400 invalidValue",
      `Attribute '${SAFETY}' is required: give it a value.`,
    ]);
    const partial = await refusal(client.post("Tool", tool({ [SAFETY]: { note: "x" } })));
    expect(partial.detail).toBe(`Attribute '${SAFETY}:lock' is required: give it a value.`);
    const { resource } = await client.post("Tool", tool({ [SAFETY]: { lock: "a" } }));
    expect(resource["schemas"]).toEqual([BASE, SAFETY]);
    expect(await answerOf(client.put("Tool", "id-1", tool()))).toBe("400 invalidValue");
    for (const path of [SAFETY, `${SAFETY}:lock`]) {
      const operations = [{ op: "remove", path }];
      expect(await answerOf(client.patch("Tool", "id-1", operations))).toBe("400 mutability");
    }
    expect(await client.resource("Tool", "id-1")).toEqual(resource);
  });

  test("R7643-7-09 what an optional extension requires is required where it is there", async () => {
    const client = tools({ safety: [lock] }).as("strict");
    expect(await answerOf(client.post("Tool", tool()))).toBe("done");
    expect(await answerOf(client.post("Tool", tool({ [SAFETY]: { note: "x" } })))).toBe("400 invalidValue");
    const operations = [{ op: "add", path: `${SAFETY}:note`, value: "x" }];
    expect(await answerOf(client.patch("Tool", "id-1", operations))).toBe("400 invalidValue");
  });
});

test("R7643-3-02, R7643-3.3-01 several extensions stand side by side, each under its URN", async () => {
  const client = tools({}).as("strict");
  const values = { label: "saw", [SAFETY]: { note: "sharp" }, [LEASE]: { until: "2030-01-01T00:00:00Z" } };
  const { resource } = await client.post("Tool", tool(values));
  expect(ownValues(resource)).toEqual(values);
  expect(resource["schemas"]).toEqual([BASE, SAFETY, LEASE]);
  expect(
    await client.matches("Tool", `${SAFETY}:note eq "SHARP" and ${LEASE}:until gt "2029-01-01T00:00:00Z"`),
  ).toEqual(["id-1"]);
  const patched = await client.patched("Tool", "id-1", [
    { op: "remove", path: `${SAFETY}:note` },
    { op: "replace", path: `${LEASE}:until`, value: "2031-01-01T00:00:00Z" },
  ]);
  expect(patched["schemas"]).toEqual([BASE, LEASE]);
  const shown = await client.resource("Tool", "id-1", { excludedAttributes: [`${LEASE}:until`] });
  expect(ownValues(shown)).toEqual({ label: "saw" });
});

describe.each(SIDES)("in $side", ({ key, hold, prefix }) => {
  const started = (attribute: object, annotations: Parts["annotations"] = {}): TestService =>
    tools({ [key]: [attribute], annotations });
  const valueOf = async (client: TestClient, id: string, options = {}): Promise<JsonValue | undefined> => {
    const resource = await client.resource("Tool", id, options);
    const holder = prefix === "" ? resource : (resource[SAFETY] as JsonObject | undefined);
    return holder?.["x"];
  };

  test.each<readonly [boolean, readonly string[], readonly string[]]>([
    [true, ["id-1"], []],
    [false, ["id-1", "id-2"], ["id-1", "id-2"]],
  ])("R7643-7-03 caseExact %j decides how filters compare", async (caseExact, exact, other) => {
    const client = started({ name: "x", type: "string", caseExact }).as("strict");
    await client.post("Tool", tool(hold({ x: "Ab" })));
    await client.post("Tool", tool(hold({ x: "aB" })));
    expect(await client.matches("Tool", `${prefix}x eq "Ab"`)).toEqual(exact);
    expect(await client.matches("Tool", `${prefix}x eq "AB"`)).toEqual(other);
    expect(await valueOf(client, "id-2")).toBe("aB");
  });

  test.each<readonly [uniqueness: string, sameType: string, otherType: string]>([
    ["none", "done", "done"],
    ["server", "409 uniqueness", "done"],
    ["global", "409 uniqueness", "409 uniqueness"],
  ])("R7643-7-06, R7643-7-07 uniqueness %s", async (uniqueness, sameType, otherType) => {
    for (const [type, value, twin] of [
      ["string", "Ab", "aB"],
      ["integer", 7, 7],
      ["decimal", 1.5, 1.5],
      ["reference", "urn:x:y", "urn:x:y"],
    ] as const) {
      const tested = started({ name: "x", type, uniqueness });
      const client = tested.as("strict");
      await client.post("Tool", tool(hold({ x: value })));
      expect([type, await answerOf(client.post("Tool", tool(hold({ x: twin }))))]).toEqual([type, sameType]);
      expect([type, await answerOf(client.post("Kit", tool(hold({ x: twin }))))]).toEqual([type, otherType]);
      const other = idOf(await client.post("Tool", tool()));
      const operations = [{ op: "add", path: `${prefix}x`, value: twin }];
      expect([type, await answerOf(client.put("Tool", other, tool(hold({ x: twin }))))]).toEqual([
        type,
        sameType,
      ]);
      if (sameType !== "done") {
        expect([type, await answerOf(client.patch("Tool", other, operations))]).toEqual([type, sameType]);
        await client.delete("Tool", "id-1");
      }
      expect([type, await answerOf(client.patch("Tool", other, operations))]).toEqual([type, "done"]);
      const elsewhere = tested.as("strict", { tenant: "other" });
      expect(await answerOf(elsewhere.post("Tool", tool(hold({ x: value }))))).toBe("done");
    }
  });

  test("of a list with uniqueness every value counts", async () => {
    const client = started({ name: "x", type: "string", multiValued: true, uniqueness: "server" }).as(
      "strict",
    );
    await client.post("Tool", tool(hold({ x: ["a", "b"] })));
    const refused = await refusal(client.post("Tool", tool(hold({ x: ["c", "B"] }))));
    expect(refused.answer).toBe("409 uniqueness");
    expect(refused.detail).toContain(`'${prefix}x'`);
    expect(refused.detail).not.toContain("B'");
  });

  test("R7643-7-04 immutable: set once, by POST, PUT or PATCH, and kept", async () => {
    const client = started({ name: "x", type: "string", mutability: "immutable" }).as("tolerant");
    await client.post("Tool", tool());
    await client.put("Tool", "id-1", tool(hold({ x: "a" })));
    expect(await answerOf(client.put("Tool", "id-1", tool({ label: "l", ...hold({ x: "a" }) })))).toBe(
      "done",
    );
    expect(await answerOf(client.put("Tool", "id-1", tool(hold({ x: "b" }))))).toBe("400 mutability");
    await client.put("Tool", "id-1", tool());
    for (const operation of [
      { op: "replace", path: `${prefix}x`, value: "b" },
      { op: "add", path: `${prefix}x`, value: "b" },
      { op: "remove", path: `${prefix}x` },
    ]) {
      expect(await answerOf(client.patch("Tool", "id-1", [operation]))).toBe("400 mutability");
    }
    await client.patch("Tool", "id-1", [{ op: "replace", path: `${prefix}x`, value: "a" }]);
    expect(await valueOf(client, "id-1")).toBe("a");
    await client.post("Tool", tool());
    await client.patch("Tool", "id-2", [{ op: "add", path: `${prefix}x`, value: "c" }]);
    expect(await valueOf(client, "id-2")).toBe("c");
  });

  const HELD = "2020-01-01T00:00:00Z";
  const HELD_ANEW = "2020-01-01T01:00:00.000+01:00";

  test.each<[string, JsonObject, JsonValue, JsonValue]>([
    ["a dateTime", { type: "dateTime" }, HELD, HELD_ANEW],
    ["dateTimes", { type: "dateTime", multiValued: true }, [HELD], [HELD_ANEW]],
    [
      "a complex value with one",
      { type: "complex", subAttributes: [{ name: "since", type: "dateTime" }] },
      { since: HELD },
      { since: HELD_ANEW },
    ],
  ])(
    "R7643-7-04, A-P-10 immutable: %s sent back in other words is the same instant",
    async (_, x, held, sent) => {
      const client = started({ ...x, name: "x", mutability: "immutable" }).as("strict");
      const { version } = await client.post("Tool", tool(hold({ x: held })));
      expect((await client.put("Tool", "id-1", tool(hold({ x: sent })))).version).toBe(version);
      await client.patch("Tool", "id-1", [{ op: "replace", path: `${prefix}x`, value: sent }]);
      expect(await valueOf(client, "id-1")).toEqual(held);
      const other = JSON.parse(JSON.stringify(sent).replace("T01:", "T02:")) as JsonValue;
      expect(await answerOf(client.put("Tool", "id-1", tool(hold({ x: other }))))).toBe("400 mutability");
    },
  );

  test("R7643-7-04 writeOnly: taken, never shown, stored or found", async () => {
    const tested = started({ name: "x", type: "string", mutability: "writeOnly" });
    const client = tested.as("strict");
    const { resource } = await client.post("Tool", tool(hold({ x: "s3cret" })), {
      attributes: [`${prefix}x`],
    });
    expect(JSON.stringify(resource)).not.toContain("s3cret");
    expect(await valueOf(client, "id-1", { attributes: [`${prefix}x`] })).toBeUndefined();
    const stored = await tested.store.read(
      tested.context(),
      { type: "Tool", id: "id-1" },
      { collections: [], inverses: [] },
    );
    expect(JSON.stringify(stored)).not.toContain("s3cret");
    expect(await answerOf(client.list("Tool", { filter: `${prefix}x eq "s3cret"` }))).toBe(
      "400 invalidFilter",
    );
    const refused = await refusal(client.post("Tool", tool(hold({ x: { s3cret: "s3cret" } }))));
    expect(refused.detail).not.toContain("s3cret");
  });

  test.each<readonly [returned: string, plain: boolean, named: boolean, excluded: boolean, posted: boolean]>([
    ["always", true, true, true, true],
    ["default", true, true, false, true],
    ["request", false, true, false, true],
    ["never", false, false, false, false],
  ])("R7643-7-05 returned %s", async (returned, plain, named, excluded, posted) => {
    const client = started({ name: "x", type: "string", returned }).as("strict");
    const created = await client.post("Tool", tool(hold({ x: "v" })));
    expect(JSON.stringify(created.resource).includes('"v"')).toBe(posted);
    expect((await valueOf(client, "id-1")) === "v").toBe(plain);
    expect((await valueOf(client, "id-1", { attributes: [`${prefix}x`] })) === "v").toBe(named);
    expect((await valueOf(client, "id-1", { attributes: ["label"] })) === "v").toBe(returned === "always");
    expect((await valueOf(client, "id-1", { excludedAttributes: [`${prefix}x`] })) === "v").toBe(excluded);
  });

  test.each<readonly [string, object, JsonValue]>([
    ["plain values", { type: "string" }, ["v"]],
    ["objects", { type: "complex", subAttributes: [{ name: "value", type: "string" }] }, [{ value: "v" }]],
  ])(
    "R7644-F-08 no filter tells which of %s that are never returned are there",
    async (_what, kind, value) => {
      const client = started({ name: "x", multiValued: true, returned: "never", ...kind }).as("strict");
      await client.post("Tool", tool(hold({ x: value })));
      for (const known of ["v", "w"]) {
        const path = `${prefix}x[value eq "${known}"]`;
        const refused = await refusal(client.list("Tool", { filter: path }));
        expect([refused.answer, refused.detail]).toEqual([
          "400 invalidFilter",
          `${prefix}x is never returned and cannot be compared: remove it from the filter.`,
        ]);
        for (const op of ["add", "replace", "remove"])
          expect(await answerOf(client.patch("Tool", "id-1", [{ op, path, value: "n" }]))).toBe(
            "400 invalidFilter",
          );
      }
    },
  );

  test.each<readonly [string, object, JsonValue, JsonValue]>([
    ["a string", { type: "string" }, "SMALL", "tiny"],
    ["a case exact string", { type: "string", caseExact: true }, "small", "SMALL"],
    ["a list", { type: "string", multiValued: true }, ["small", "Large"], ["small", "tiny"]],
  ])(
    "R7643-2.3.1-02 canonical values of %s: enforced in strict, told in tolerant",
    async (_what, kind, sound, odd) => {
      const tested = started({ name: "x", canonicalValues: ["small", "large"], ...kind });
      const strict = tested.as("strict");
      await strict.post("Tool", tool(hold({ x: sound })));
      const refused = await refusal(strict.post("Tool", tool(hold({ x: odd }))));
      expect([refused.answer, refused.detail]).toEqual([
        "400 invalidValue",
        `Attribute '${prefix}x' must be one of: small, large.`,
      ]);
      const operations = [{ op: "replace", path: `${prefix}x`, value: odd }];
      expect(await answerOf(strict.patch("Tool", "id-1", operations))).toBe("400 invalidValue");
      await tested.as("tolerant").patch("Tool", "id-1", operations);
      expect(tested.fired).toEqual([`non-canonical-values ${prefix}x`]);
      expect(await valueOf(strict, "id-1")).toEqual(odd);
    },
  );

  test.each<readonly [string, object]>([
    ["a complex value", { type: "complex" }],
    ["a list of complex values", { type: "complex", multiValued: true }],
  ])("canonical values within %s, in lists too", async (_what, kind) => {
    const sizes = { name: "sizes", type: "string", multiValued: true, canonicalValues: ["small", "large"] };
    const attribute = { name: "x", ...kind, subAttributes: [sizes, { name: "o", type: "string" }] };
    const isList = "multiValued" in kind;
    const holding = (values: readonly string[]): JsonObject =>
      hold({ x: isList ? [{ sizes: values }] : { sizes: values } });
    const client = started(attribute).as("strict");
    await client.post("Tool", tool(holding(["small", "LARGE"])));
    expect((await refusal(client.post("Tool", tool(holding(["small", "tiny"]))))).detail).toBe(
      `Attribute '${prefix}x.sizes' must be one of: small, large.`,
    );
  });

  describe("defaults by annotation", () => {
    const ANNOTATED = { [`${prefix}x`]: { default: "d" } };

    test("R7644-3.4.2.2-14 are stored, found and shown", async () => {
      const client = started({ name: "x", type: "string" }, ANNOTATED).as("strict");
      await client.post("Tool", tool());
      expect(await valueOf(client, "id-1")).toBe("d");
      expect(await client.matches("Tool", `${prefix}x eq "d"`)).toEqual(["id-1"]);
      expect(await client.matches("Tool", `${prefix}x ne "d"`)).toEqual([]);
    });

    test("R7644-3.5.1-07 give way to an immutable value that a PUT leaves out", async () => {
      const client = started({ name: "x", type: "string", mutability: "immutable" }, ANNOTATED).as("strict");
      await client.post("Tool", tool(hold({ x: "mine" })));
      await client.put("Tool", "id-1", tool());
      expect(await valueOf(client, "id-1")).toBe("mine");
      expect(await answerOf(client.put("Tool", "id-1", tool(hold({ x: "d" }))))).toBe("400 mutability");
    });

    test("are the service's own for a readOnly attribute", async () => {
      const client = started({ name: "x", type: "string", mutability: "readOnly" }, ANNOTATED).as("strict");
      await client.post("Tool", tool());
      expect(await valueOf(client, "id-1")).toBe("d");
      expect((await client.put("Tool", "id-1", tool({ label: "a" }))).kind).toBe("resource");
      expect(await valueOf(client, "id-1")).toBe("d");
    });

    test("of sub-attributes are set in the complex values that are there", async () => {
      const subAttributes = [
        { name: "a", type: "string" },
        { name: "b", type: "string" },
      ];
      const annotations = { [`${prefix}x.b`]: { default: "d" } };
      const one = started({ name: "x", type: "complex", subAttributes }, annotations).as("strict");
      await one.post("Tool", tool());
      expect(await valueOf(one, "id-1")).toBeUndefined();
      await one.put("Tool", "id-1", tool(hold({ x: { a: "1" } })));
      expect(await valueOf(one, "id-1")).toEqual({ a: "1", b: "d" });
      const many = started({ name: "x", type: "complex", multiValued: true, subAttributes }, annotations).as(
        "strict",
      );
      await many.post("Tool", tool(hold({ x: [{ a: "1" }, { a: "2", b: "mine" }] })));
      expect(await valueOf(many, "id-1")).toEqual([
        { a: "1", b: "d" },
        { a: "2", b: "mine" },
      ]);
      expect(await many.matches("Tool", `${prefix}x[a eq "1" and b eq "d"]`)).toEqual(["id-1"]);
    });
  });

  describe("a complex value with an immutable part", () => {
    const subAttributes = [
      { name: "code", type: "string", mutability: "immutable" },
      { name: "must", type: "string", required: true },
      { name: "free", type: "string" },
    ];
    const attribute = { name: "x", type: "complex", subAttributes };

    test("R7644-3.5.1-07 keeps it, and what it requires, when a PUT leaves the whole value out", async () => {
      const client = started(attribute).as("strict");
      await client.post("Tool", tool(hold({ x: { code: "1", must: "m", free: "f" } })));
      await client.put("Tool", "id-1", tool());
      expect(await valueOf(client, "id-1")).toEqual({ code: "1", must: "m" });
      await client.put("Tool", "id-1", tool(hold({ x: { must: "n" } })));
      expect(await valueOf(client, "id-1")).toEqual({ code: "1", must: "n" });
      expect(await answerOf(client.put("Tool", "id-1", tool(hold({ x: { code: "2", must: "n" } }))))).toBe(
        "400 mutability",
      );
      expect(await answerOf(client.patch("Tool", "id-1", [{ op: "remove", path: `${prefix}x` }]))).toBe(
        "400 mutability",
      );
    });

    test("goes where that part has no value", async () => {
      const client = started(attribute).as("strict");
      await client.post("Tool", tool(hold({ x: { must: "m" } })));
      await client.patch("Tool", "id-1", [{ op: "remove", path: `${prefix}x` }]);
      expect(await valueOf(client, "id-1")).toBeUndefined();
      await client.put("Tool", "id-1", tool(hold({ x: { must: "m" } })));
      await client.put("Tool", "id-1", tool());
      expect(await valueOf(client, "id-1")).toBeUndefined();
    });
  });
});

test("R7643-2.5-02, R7643-2.1-03 what has no value is left out, schemas never", async () => {
  const client = tools({ attributes: [{ name: "tags", type: "string", multiValued: true }] }).as("strict");
  const { resource } = await client.post("Tool", tool({ label: null, tags: [], [SAFETY]: { note: null } }));
  expect(Object.keys(resource).toSorted()).toEqual(["id", "meta", "schemas"]);
  expect(resource["schemas"]).toEqual([BASE]);
});

test.each(["id", "meta", "schemas"])(
  "an extension's attribute %s is as unique, and found, as any",
  async (name) => {
    const client = tools({ safety: [{ name, type: "string", uniqueness: "server" }] }).as("strict");
    await client.post("Tool", tool({ [SAFETY]: { [name]: "a" } }));
    expect(await answerOf(client.post("Tool", tool({ [SAFETY]: { [name]: "A" } })))).toBe("409 uniqueness");
    expect(await client.matches("Tool", `${SAFETY}:${name} eq "a"`)).toEqual(["id-1"]);
  },
);
