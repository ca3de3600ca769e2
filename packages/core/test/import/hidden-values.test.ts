/**
 * What an export leaves out because it is never returned: an import takes records without it, and keeps what is there.
 */
import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { SeenKeys, type ImportOutcome, type ResourceHooks } from "../../src/index.ts";
import { refusal } from "../support/refusal.ts";
import { testService, type TestService } from "../support/service.ts";

const BADGE_URN = "urn:example:params:scim:schemas:core:2.0:Badge";
const SEAL_URN = "urn:example:params:scim:schemas:extension:2.0:Seal";
const NONE = { attributes: null, excludedAttributes: null };

const text = { type: "string", required: true };
const hidden = { ...text, returned: "never" };
const secret = { ...hidden, mutability: "writeOnly" };

function badges(hooks: Readonly<Record<string, ResourceHooks>> = {}): TestService {
  return testService(
    (registry) => {
      registry.addSchema({
        id: BADGE_URN,
        name: "Badge",
        attributes: [
          { ...text, name: "code", uniqueness: "server" },
          { name: "label", type: "string" },
          { ...secret, name: "pin" },
          { ...hidden, name: "note" },
          {
            name: "lock",
            type: "complex",
            required: true,
            subAttributes: [
              { ...text, name: "door" },
              { ...hidden, name: "key" },
              { ...secret, name: "spare" },
            ],
          },
          {
            name: "vault",
            type: "complex",
            required: true,
            subAttributes: [
              { ...hidden, name: "key" },
              { ...secret, name: "spare" },
            ],
          },
          {
            name: "codes",
            type: "complex",
            multiValued: true,
            subAttributes: [{ type: "string", returned: "never", name: "text" }],
          },
          {
            name: "doors",
            type: "complex",
            multiValued: true,
            required: true,
            subAttributes: [
              { ...text, name: "value" },
              { ...hidden, name: "key" },
            ],
          },
        ],
      });
      registry.addSchema({ id: SEAL_URN, name: "Seal", attributes: [{ ...hidden, name: "stamp" }] });
      registry.addResourceType({
        name: "Badge",
        endpoint: "/Badges",
        schema: BADGE_URN,
        schemaExtensions: [{ schema: SEAL_URN, required: true }],
      });
    },
    { hooks },
  );
}

const BADGE: JsonObject = {
  schemas: [BADGE_URN, SEAL_URN],
  code: "c1",
  label: "one",
  pin: "1234",
  note: "n",
  lock: { door: "d", key: "k", spare: "s" },
  vault: { key: "k", spare: "s" },
  doors: [{ value: "front", key: "f" }],
  [SEAL_URN]: { stamp: "x" },
};

async function exported({ service, context }: TestService): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for await (const { resource } of service.exportResources(context(), "Badge")) found.push(resource);
  return found;
}

async function imported(
  { service, context }: TestService,
  bodies: readonly JsonObject[],
): Promise<readonly ImportOutcome[]> {
  const items = bodies.map((body, index) => ({ record: index + 1, type: "Badge", body }));
  const request = { items, seen: new SeenKeys(), keepIds: true, mode: "upsert" as const };
  const prepared = await service.prepareImport(context(), request);
  return prepared.apply({ run: null, onRejected: async () => undefined });
}

async function filled(): Promise<TestService> {
  const tested = badges();
  await tested.service.create(tested.context(), { type: "Badge", body: BADGE, ...NONE });
  return tested;
}

async function stored({ store }: TestService, id: string): Promise<JsonObject | undefined> {
  const select = { collections: [], inverses: [] };
  return (
    await store.read(
      { tenant: "default", connection: "default", signal: undefined },
      { type: "Badge", id },
      select,
    )
  )?.body;
}

describe("required values that are never returned", () => {
  test("are in no export, and are demanded of no record that is imported, nor of a PATCH of its resource", async () => {
    const records = await exported(await filled());
    expect(JSON.stringify(records)).not.toMatch(/pin|note|key|spare|stamp|vault/);
    const other = badges({ Badge: { plan: (_, { after }) => ({ ...after, label: "hooked" }) } });
    expect(await imported(other, records)).toMatchObject([{ kind: "created" }]);
    const [record] = await exported(other);
    expect(record).toEqual({ ...records[0], label: "hooked" });
    const id = String(record?.["id"]);
    const patch = (path: string, value: string): Promise<unknown> =>
      other.as().patch("Badge", id, [{ op: "replace", path, value }]);
    await patch("lock.door", "back");
    await patch("note", "now there");
    expect(await stored(other, id)).toMatchObject({ lock: { door: "back" }, note: "now there" });
  });

  test("are demanded of what a PATCH adds to a resource that has them", async () => {
    const tested = await filled();
    const added = { op: "add", path: "doors", value: [{ value: "back" }] };
    const { answer, detail } = await refusal(tested.as().patch("Badge", "id-1", [added]));
    expect([answer, detail]).toEqual([
      "400 invalidValue",
      "Attribute 'doors[1].key' is required: give it a value.",
    ]);
  });

  test("stay where a record of an export is imported over them", async () => {
    const tested = await filled();
    const records = await exported(tested);
    const id = String(records[0]?.["id"]);
    const before = await stored(tested, id);
    expect(await imported(tested, records)).toMatchObject([{ kind: "unchanged" }]);
    expect(await imported(tested, [{ ...records[0], label: "two" }])).toMatchObject([{ kind: "replaced" }]);
    expect(await stored(tested, id)).toEqual({ ...before, label: "two" });
  });

  test("that a record states, beside others or as they are, are those of the record, once each", async () => {
    const tested = badges();
    const body = { ...BADGE, codes: [{ text: "a" }, { text: "b" }] };
    await tested.service.create(tested.context(), { type: "Badge", body, ...NONE });
    const [record] = await exported(tested);
    const id = String(record?.["id"]);
    const codes = [{ text: "b" }, { text: "c" }];
    expect(await imported(tested, [{ ...record, codes }])).toMatchObject([{ kind: "replaced" }]);
    expect((await stored(tested, id))?.["codes"]).toEqual(codes);
    expect(await imported(tested, [{ ...record, codes }])).toMatchObject([{ kind: "unchanged" }]);
  });

  test("are demanded of clients, and cannot be taken away from a resource that has them", async () => {
    const tested = await filled();
    const [record] = await exported(tested);
    const id = String(record?.["id"]);
    const { note: _note, ...without } = BADGE;
    const refused = { code: "invalidValue", detail: "Attribute 'note' is required: give it a value." };
    const body = { ...without, code: "c2" };
    await expect(
      tested.service.create(tested.context(), { type: "Badge", body, ...NONE }),
    ).rejects.toMatchObject(refused);
    await expect(tested.as().patch("Badge", id, [{ op: "remove", path: "note" }])).rejects.toMatchObject({
      code: "mutability",
    });
    await expect(imported(tested, [{ ...record, code: null }])).resolves.toMatchObject([
      { kind: "rejected" },
    ]);
  });
});
