import type { JsonObject, SchemaRegistry } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { ResourceHooks } from "../../src/index.ts";
import { ownValues } from "../support/bodies.ts";
import { idOf, type TestClient } from "../support/client.ts";
import { testService, type TestService } from "../support/service.ts";

const URN = "urn:example:params:scim:schemas:acme:1.0:Phonebook";
const SEAL_URN = "urn:example:params:scim:schemas:extension:acme:1.0:Phonebook";
const book = (values: JsonObject): JsonObject => ({ schemas: [URN], ...values });

function addPhonebooks(attributes: readonly JsonObject[], seal: readonly JsonObject[] = []) {
  return (registry: SchemaRegistry): void => {
    registry.addDocuments([
      {
        source: "book",
        document: { id: URN, attributes: [{ name: "label", type: "string" }, ...attributes] },
      },
      { source: "seal", document: { id: SEAL_URN, attributes: [{ name: "x", type: "string" }, ...seal] } },
      {
        source: "type",
        document: {
          name: "Phonebook",
          endpoint: "/Phonebooks",
          schema: URN,
          schemaExtensions: [{ schema: SEAL_URN, required: false }],
        },
      },
    ]);
  };
}

describe("R7644-3.5.1-08 what is readOnly in the values of a list stays with those that stay", () => {
  const isVerified = { name: "isVerified", type: "boolean", mutability: "readOnly" };
  const note = { name: "note", type: "string" };
  const lists = [
    {
      name: "phones",
      type: "complex",
      multiValued: true,
      subAttributes: [{ name: "value", type: "string" }, { name: "type", type: "string" }, note, isVerified],
    },
    { name: "places", type: "complex", multiValued: true, subAttributes: [note, isVerified] },
    {
      name: "seals",
      type: "complex",
      multiValued: true,
      mutability: "immutable",
      subAttributes: [note, isVerified],
    },
  ];
  const START = {
    phones: [{ value: "1", type: "work" }, { value: "2" }],
    places: [{ note: "n" }],
    seals: [{ note: "s" }],
  };
  const marked = (values: readonly JsonObject[]): readonly JsonObject[] =>
    values.map((value) => ({ ...value, isVerified: true }));
  const MARKED = {
    phones: marked(START.phones),
    places: marked(START.places),
    seals: marked(START.seals),
  };
  const plan: NonNullable<ResourceHooks["plan"]> = (_, { before, after }) =>
    before === null ? { ...after, ...MARKED } : undefined;

  async function created(): Promise<readonly [TestClient, string]> {
    const client = testService(addPhonebooks(lists), { hooks: { Phonebook: { plan } } }).as("strict");
    return [client, idOf(await client.post("Phonebook", book(START)))];
  }
  const [work = {}, second = {}] = MARKED.phones;

  test("in a PUT of what was sent, or read", async () => {
    const [client, id] = await created();
    const before = await client.resource("Phonebook", id);
    expect(ownValues(before)).toEqual(MARKED);
    for (const sent of [START, ownValues(before)]) {
      expect((await client.put("Phonebook", id, book(sent))).resource).toEqual(before);
    }
  });

  test.each<readonly [JsonObject, readonly JsonObject[]]>([
    [
      { op: "replace", path: "phones", value: [{ value: "2", note: "n" }, { value: "3" }] },
      [{ ...second, note: "n" }, { value: "3" }],
    ],
    [
      { op: "replace", path: 'phones[value eq "1"]', value: { value: "1", type: "work", note: "n" } },
      [{ ...work, note: "n" }, second],
    ],
    [
      { op: "replace", path: 'phones[value eq "1"]', value: { value: "9", type: "work" } },
      [{ value: "9", type: "work" }, second],
    ],
  ])("in a PATCH: %j", async (operation, phones) => {
    const [client, id] = await created();
    expect((await client.patched("Phonebook", id, [operation]))["phones"]).toEqual(phones);
  });
});

describe("R7644-3.5.1-02, R7644-3.5.1-04 what is never returned stays in a PUT that cannot tell it", () => {
  const text = { type: "string" };
  const hidden = { ...text, returned: "never" };
  const attributes = [
    { ...hidden, name: "note" },
    {
      name: "lock",
      type: "complex",
      subAttributes: [
        { ...text, name: "door" },
        { ...hidden, name: "key" },
      ],
    },
    {
      name: "slot",
      type: "complex",
      subAttributes: [
        { ...hidden, name: "key" },
        { ...text, name: "number", mutability: "readOnly" },
      ],
    },
    {
      name: "safe",
      type: "complex",
      returned: "never",
      subAttributes: [
        { ...text, name: "code" },
        { ...text, name: "number", mutability: "readOnly" },
      ],
    },
    {
      name: "boss",
      type: "complex",
      subAttributes: [
        { ...text, name: "value" },
        { name: "$ref", type: "reference", referenceTypes: ["User"] },
        { ...hidden, name: "key" },
      ],
    },
  ];
  const seal = [
    { ...hidden, name: "stamp" },
    { ...text, name: "by", required: true },
  ];
  const OF_SERVICE = { slot: { key: "k", number: "7" }, safe: { code: "c", number: "8" } };
  const SEAL = { [SEAL_URN]: { x: "1", stamp: "s", by: "me" } };
  const START = { note: "n", lock: { door: "d", key: "k" }, boss: { value: "b", key: "k" }, ...SEAL };
  const stored = async ({ store, context }: TestService, id: string): Promise<JsonObject | undefined> => {
    const select = { collections: [], inverses: [] };
    return (await store.read(context(), { type: "Phonebook", id }, select))?.body;
  };

  test.each<readonly [string, JsonObject | null, JsonObject]>([
    ["what was read", null, START],
    [
      "other values",
      { note: "m", lock: { door: "e" }, boss: { value: "b" }, [SEAL_URN]: { by: "you" } },
      {
        note: "m",
        lock: { door: "e", key: "k" },
        boss: { value: "b", key: "k" },
        [SEAL_URN]: { stamp: "s", by: "you" },
      },
    ],
    ["another reference", { boss: { value: "c" }, ...SEAL }, { note: "n", boss: { value: "c" }, ...SEAL }],
    ["nothing: what is seen of a value goes with what is not", {}, { note: "n" }],
  ])("%s", async (_name, sent, kept) => {
    const plan: NonNullable<ResourceHooks["plan"]> = (_, { before, after }) =>
      before === null ? { ...after, ...OF_SERVICE } : undefined;
    const tested = testService(addPhonebooks(attributes, seal), { hooks: { Phonebook: { plan } } });
    const client = tested.as("tolerant");
    const id = idOf(await client.post("Phonebook", book(START)));
    const before = await client.get("Phonebook", id);
    const body = sent === null ? await client.resource("Phonebook", id) : book(sent);
    const after = await client.put("Phonebook", id, body);
    expect(await stored(tested, id)).toEqual({ ...kept, ...OF_SERVICE });
    expect(after.version === before.version).toBe(sent === null);
  });
});
