/**
 * Secrets of a service that has a sink: what is kept of them, and what becomes of it.
 */
import type { JsonObject, JsonValue, SchemaRegistry } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import {
  createHandlerStore,
  createScimService,
  SeenKeys,
  type ImportOutcome,
  type ResourceStore,
  type WritePlan,
} from "../../src/index.ts";
import { createMemoryStore, interposed } from "../../src/testing/index.ts";
import { user } from "../support/bodies.ts";
import { refusal } from "../support/refusal.ts";
import { testSink, type TestSink } from "../support/secret-sink.ts";
import { PLAIN, testService, type TestService } from "../support/service.ts";
import { testSources } from "../support/sources.ts";
import { bindTestExtension, extended, TEST_URN } from "../support/test-extension.ts";

const SCOPE = { tenant: "default", connection: "default" };
const SECRET = "s3cret-Passw0rd";
const OTHER = "0ther-Passw0rd";

interface Hashing extends TestService {
  readonly sink: TestSink;
  readonly plans: readonly WritePlan[];
  /** Which of some values the hash of a path is of; null where there is none. */
  readonly kept: (id: string, path?: string) => Promise<string | null>;
}

function hashing(
  prepare?: (registry: SchemaRegistry) => void,
  around = (store: ResourceStore) => store,
): Hashing {
  const sink = testSink();
  const plans: WritePlan[] = [];
  // Whatever keeps the resources of other tests: hashes stand beside resources of a store.
  const memory = createMemoryStore();
  const store = interposed<ResourceStore>(around(memory), {
    write: (scope, plan) => {
      plans.push(plan);
      return around(memory).write(scope, plan);
    },
  });
  const tested = testService(prepare, { wrap: () => store, secrets: sink });
  const kept: Hashing["kept"] = async (id, path = "password") => {
    const hash = (await memory.secrets?.find(SCOPE, { type: "User", id, path })) ?? null;
    if (hash === null) return null;
    for (const value of sink.hashed) if (await sink.matches(SCOPE, value, hash)) return value;
    throw new TypeError("A hash is of nothing that was hashed");
  };
  return { ...tested, sink, plans, kept };
}

describe("R7643-4.1-03 with a sink, a hash is kept in the place of a secret", () => {
  test("as it is created, and none where it has none", async () => {
    const { as, kept } = hashing();
    await as().post("User", user({ password: SECRET }));
    await as().post("User", user({ userName: "b" }));
    expect([await kept("id-1"), await kept("id-2")]).toEqual([SECRET, null]);
  });

  test("R8265-4.2-01 prepared: U+3000 is a space, letters are composed", async () => {
    const { as, kept } = hashing();
    await as().post("User", user({ password: "o\u0301pen\u3000sesame" }));
    expect(await kept("id-1")).toBe("ópen sesame");
  });

  test("of each attribute that is a secret by its schema, and of the same value with another hash", async () => {
    const { as, kept, plans } = hashing(bindTestExtension());
    await as().post("User", user({ password: SECRET, ...extended({ pin: SECRET, code: "x" }) }));
    expect([await kept("id-1"), await kept("id-1", `${TEST_URN}:pin`)]).toEqual([SECRET, SECRET]);
    const [plan] = plans;
    const hashes = plan?.kind === "create" ? (plan.secrets ?? []).map(({ hash }) => hash) : [];
    expect(new Set(hashes).size).toBe(2);
  });

  test.each<readonly [string, JsonObject, string | null]>([
    ["leaves it out", {}, SECRET],
    ["has null, which is as if it were left out", { password: null }, SECRET],
    ["has another", { password: OTHER }, OTHER],
  ])("R7644-3.5.1-13 a PUT that %s", async (_name, sent, expected) => {
    const { as, kept } = hashing();
    await as().post("User", user({ password: SECRET }));
    await as().put("User", "id-1", user({ nickName: "B", ...sent }));
    expect(await kept("id-1")).toBe(expected);
  });

  test.each<readonly [string, readonly JsonObject[], string | null]>([
    ["names another attribute", [{ op: "replace", path: "nickName", value: "B" }], SECRET],
    ["replaces it", [{ op: "replace", path: "password", value: OTHER }], OTHER],
    ["adds it", [{ op: "add", path: "password", value: OTHER }], OTHER],
    ["has it among others", [{ op: "replace", value: { nickName: "B", password: OTHER } }], OTHER],
    ["removes it", [{ op: "remove", path: "password" }], null],
    ["replaces it by null", [{ op: "replace", path: "password", value: null }], null],
    ["replaces it by null among others", [{ op: "replace", value: { password: null } }], null],
    ["adds null", [{ op: "add", value: { password: null } }], SECRET],
    [
      "removes it and sets it",
      [
        { op: "remove", path: "password" },
        { op: "add", path: "password", value: OTHER },
      ],
      OTHER,
    ],
    [
      "sets it and removes it",
      [
        { op: "add", path: "password", value: OTHER },
        { op: "remove", path: "password" },
      ],
      null,
    ],
  ])("a PATCH that %s", async (_name, operations, expected) => {
    const { as, kept } = hashing();
    await as().post("User", user({ password: SECRET }));
    await as().patch("User", "id-1", [...operations]);
    expect(await kept("id-1")).toBe(expected);
  });

  test("a removal counts as a change, told by its path", async () => {
    const { as, plans } = hashing();
    const created = await as().post("User", user({ password: SECRET }));
    const patched = await as().patch("User", "id-1", [{ op: "remove", path: "password" }]);
    expect(patched.version).not.toBe(created.version);
    expect(plans.at(-1)?.event.changed).toEqual(["password"]);
  });

  test("a PATCH of an extension as a whole takes its secret, and one of some of its values leaves it", async () => {
    const { as, kept } = hashing(bindTestExtension());
    await as().post("User", user(extended({ pin: SECRET, code: "x" })));
    await as().patch("User", "id-1", [{ op: "replace", path: TEST_URN, value: { code: "y" } }]);
    expect(await kept("id-1", `${TEST_URN}:pin`)).toBe(SECRET);
    await as().patch("User", "id-1", [{ op: "remove", path: TEST_URN }]);
    expect(await kept("id-1", `${TEST_URN}:pin`)).toBeNull();
  });

  describe.each([
    ["where a hash is kept", (prepare: (registry: SchemaRegistry) => void) => hashing(prepare)],
    ["where it is dropped", (prepare: (registry: SchemaRegistry) => void) => testService(prepare)],
  ])("R7644-3.5.2.2-07 a secret that is required, %s,", (_where, serviceOf) => {
    const DOOR = "urn:example:params:scim:schemas:core:2.0:Door";
    const LOCK = "urn:example:params:scim:schemas:extension:lock:2.0:Door";
    const pin = { name: "pin", type: "string", required: true, mutability: "writeOnly", returned: "never" };
    const note = { name: "note", type: "string" };
    const addDoors = (registry: SchemaRegistry): void => {
      const codes = { ...pin, name: "codes", multiValued: true };
      const bolt = { name: "bolt", type: "complex", subAttributes: [note, pin, codes] };
      const keys = { name: "keys", type: "complex", multiValued: true, subAttributes: [note, pin] };
      registry.addSchema({ id: DOOR, attributes: [note, pin, codes, bolt, keys] });
      registry.addSchema({ id: LOCK, attributes: [note, pin, codes] });
      const schemaExtensions = [{ schema: LOCK, required: false }];
      registry.addResourceType({ name: "Door", endpoint: "/Doors", schema: DOOR, schemaExtensions });
    };

    const secrets = { pin: SECRET, codes: [SECRET, OTHER] };
    const ofParts = { note: "n", ...secrets };
    const keys = [{ note: "n", pin: SECRET }];

    test.each<readonly [JsonObject, JsonObject, number]>([
      [{}, { op: "remove", path: "pin" }, 400],
      [{}, { op: "replace", path: "pin", value: null }, 400],
      [{}, { op: "replace", value: { pin: null } }, 400],
      [{}, { op: "remove", path: "codes" }, 400],
      [{}, { op: "replace", path: "codes", value: null }, 400],
      [{}, { op: "replace", path: "codes", value: [] }, 400],
      [{}, { op: "replace", value: { codes: [] } }, 400],
      [{}, { op: "add", path: "codes", value: [] }, 200],
      [{}, { op: "add", path: "codes", value: ["new"] }, 200],
      [{}, { op: "replace", path: "codes", value: [OTHER] }, 200],
      [{ bolt: ofParts }, { op: "remove", path: "bolt.pin" }, 400],
      [{ bolt: ofParts }, { op: "remove", path: "bolt.codes" }, 400],
      [{ bolt: ofParts }, { op: "replace", path: "bolt", value: { pin: null } }, 400],
      [{ bolt: ofParts }, { op: "replace", path: "bolt", value: { codes: [] } }, 400],
      [{ bolt: ofParts }, { op: "remove", path: "bolt" }, 200],
      [{}, { op: "remove", path: "bolt.pin" }, 200],
      [{ keys }, { op: "remove", path: "keys.pin" }, 400],
      [{ keys }, { op: "remove", path: 'keys[note eq "n"].pin' }, 400],
      [{ keys }, { op: "replace", path: 'keys[note eq "n"].pin', value: null }, 400],
      [{ keys }, { op: "remove", path: "keys" }, 200],
      [{ [LOCK]: ofParts }, { op: "remove", path: `${LOCK}:pin` }, 400],
      [{ [LOCK]: ofParts }, { op: "remove", path: `${LOCK}:codes` }, 400],
      [{ [LOCK]: ofParts }, { op: "replace", path: LOCK, value: { codes: null } }, 400],
      [{ [LOCK]: ofParts }, { op: "remove", path: LOCK }, 200],
      [{}, { op: "remove", path: `${LOCK}:pin` }, 200],
      [{}, { op: "remove", path: `${LOCK}:codes` }, 200],
      [{}, { op: "replace", path: "pin", value: OTHER }, 200],
    ])("beside %j stays in a PATCH of %j: %i", async (rest, operation, status) => {
      const client = serviceOf(addDoors).as("strict");
      const { id } = (
        await client.post("Door", { schemas: [DOOR, ...(LOCK in rest ? [LOCK] : [])], ...secrets, ...rest })
      ).resource;
      const patching = client.patch("Door", String(id), [operation]);
      if (status === 200) await patching;
      else expect((await refusal(patching)).answer).toBe("400 mutability");
    });
  });

  test("in bulk as by itself, and gone with the resource", async () => {
    const { service, context, kept, as } = hashing();
    const operations = [
      { method: "POST", path: "/Users", bulkId: "a", data: user({ password: SECRET }) },
      { method: "PUT", path: "/Users/bulkId:a", data: user({ password: OTHER }) },
    ];
    const schemas = ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"];
    await service.bulk(context(), { body: { schemas, Operations: operations }, authorize: () => undefined });
    expect(await kept("id-1")).toBe(OTHER);
    await as().delete("User", "id-1");
    expect(await kept("id-1")).toBeNull();
  });
});

describe("secrets that cannot be hashed", () => {
  const BAD: readonly JsonValue[] = ["", "tab\there-s3cret", "bell\u0007-s3cret"];

  test.each(BAD)("R8265-4.2-01 %j: 400, and the detail does not repeat it", async (password) => {
    const { as, plans } = hashing();
    await as().post("User", user({ userName: "there" }));
    for (const attempt of [
      as().post("User", user({ password })),
      as().put("User", "id-1", user({ password })),
      as().patch("User", "id-1", [{ op: "replace", path: "password", value: password }]),
    ]) {
      const refused = await refusal(attempt);
      expect(refused.answer).toBe("400 invalidValue");
      expect(JSON.stringify(refused)).not.toContain("s3cret");
    }
    expect(plans).toHaveLength(1);
  });

  test("of a dry run as well", async () => {
    const { service, context } = hashing();
    const request = { ...PLAIN, type: "User", body: user({ password: "" }) };
    const answer = await service.dryRun(context(), { operation: "create", request });
    expect([answer.valid, answer.status]).toEqual([false, 400]);
  });

  test("without a sink they are dropped as all others", async () => {
    const client = testService().as();
    expect((await client.post("User", user({ password: "" }))).resource["userName"]).toBe("bjensen");
  });
});

describe("hashes are not made in vain", () => {
  test("a dry run makes none, and writes none", async () => {
    const { service, context, as, sink, kept } = hashing();
    await as().post("User", user({ password: SECRET }));
    const request = { ...PLAIN, type: "User", id: "id-1", body: user({ password: OTHER }) };
    const answer = await service.dryRun(context(), { operation: "replace", request });
    expect([answer.valid, sink.hashed]).toEqual([true, [SECRET]]);
    expect(await kept("id-1")).toBe(SECRET);
    expect(JSON.stringify(answer)).not.toContain(OTHER);
  });

  test.each(["put", "patch"] as const)("a %s that is planned again hashes once", async (method) => {
    let conflicts = 2;
    const { as, sink, kept } = hashing(undefined, (store) =>
      interposed(store, {
        write: async (scope, plan) => {
          const isLost = plan.kind === "update" && conflicts > 0;
          if (!isLost) return store.write(scope, plan);
          conflicts -= 1;
          return { kind: "conflict", current: plan.expectedVersion };
        },
      }),
    );
    await as().post("User", user());
    if (method === "put") await as().put("User", "id-1", user({ password: SECRET }));
    else await as().patch("User", "id-1", [{ op: "add", path: "password", value: SECRET }]);
    expect([sink.hashed, await kept("id-1")]).toEqual([[SECRET], SECRET]);
  });
});

describe("what may be several, or is no text, is dropped with a sink too", () => {
  const URN = "urn:example:Vault";
  const secret = { mutability: "writeOnly", returned: "never" };
  const key = { name: "key", type: "string", ...secret };

  test.each<readonly [string, JsonObject]>([
    ["in lists", { locks: [{ key: SECRET }] }],
    ["a list of them", { codes: [SECRET, OTHER] }],
    ["a complex one", { safe: { label: SECRET } }],
    ["a number", { number: 4711 }],
  ])("%s", async (_name, sent) => {
    const { as, sink, plans } = hashing((registry) => {
      registry.addSchema({
        id: URN,
        name: "Vault",
        attributes: [
          { name: "locks", type: "complex", multiValued: true, subAttributes: [key] },
          { name: "codes", type: "string", multiValued: true, ...secret },
          { name: "safe", type: "complex", ...secret, subAttributes: [{ name: "label", type: "string" }] },
          { name: "number", type: "integer", ...secret },
        ],
      });
      registry.addResourceType({ name: "Vault", endpoint: "/Vaults", schema: URN });
    });
    await as().post("Vault", { schemas: [URN], ...sent });
    expect(sink.hashed).toEqual([]);
    expect(JSON.stringify(plans)).not.toMatch(/Passw0rd|4711|"secrets"/);
  });
});

describe("imports", () => {
  async function imported(
    tested: Hashing,
    body: JsonObject,
    mode: "create" | "upsert" = "upsert",
  ): Promise<ImportOutcome> {
    const items = [{ record: 1, type: "User", body }];
    const rules = { keepIds: false, mode, seen: new SeenKeys() } as const;
    const prepared = await tested.service.prepareImport(tested.context(), { ...rules, items });
    const [outcome] = await prepared.apply({ run: null, onRejected: async () => undefined });
    if (outcome === undefined) throw new TypeError("An item came to nothing");
    return outcome;
  }

  test("keep the hash of a new resource, leave one that is the same, and replace another", async () => {
    const tested = hashing();
    expect((await imported(tested, user({ password: SECRET }))).kind).toBe("created");
    expect(await tested.kept("id-1")).toBe(SECRET);
    expect(tested.plans.at(-1)?.event.changed).toEqual(["userName", "password"]);
    expect((await imported(tested, user({ password: SECRET }))).kind).toBe("unchanged");
    expect((await imported(tested, user())).kind).toBe("unchanged");
    expect((await imported(tested, user({ password: OTHER }), "create")).kind).toBe("rejected");
    expect((await imported(tested, user({ password: OTHER }))).kind).toBe("replaced");
    expect([await tested.kept("id-1"), tested.sink.hashed]).toEqual([OTHER, [SECRET, OTHER]]);
  });

  test("reject one that cannot be hashed", async () => {
    const { kind, error } = await imported(hashing(), user({ password: "a\tb" }));
    expect([kind, error?.code]).toEqual(["rejected", "invalidValue"]);
  });

  test("what is only foreseen is not hashed", async () => {
    const tested = hashing();
    const items = [{ record: 1, type: "User", body: user({ password: SECRET }) }];
    const rules = { keepIds: false, mode: "upsert", seen: new SeenKeys() } as const;
    const prepared = await tested.service.prepareImport(tested.context(), { ...rules, items });
    expect((await prepared.foresee()).map(({ kind }) => kind)).toEqual(["created"]);
    expect(tested.sink.hashed).toEqual([]);
  });
});

describe("R7643-5-01 changePassword is what is true", () => {
  async function offered(service: TestService["service"], context: TestService["context"]): Promise<unknown> {
    const answer = await service.serviceProviderConfig(context(), { ifMatch: null, ifNoneMatch: null });
    return answer.kind === "resource" ? answer.resource["changePassword"] : null;
  }

  test("with a sink, and for tenants that have one or have none of their own", async () => {
    const { service, context, sink } = hashing();
    expect(await offered(service, context)).toEqual({ supported: true });
    expect(await offered(service.adapted({ secrets: null }), context)).toEqual({ supported: false });
    const plain = testService(undefined, { wrap: () => createMemoryStore() });
    expect(await offered(plain.service, plain.context)).toEqual({ supported: false });
    expect(await offered(plain.service.adapted({ secrets: sink }), plain.context)).toEqual({
      supported: true,
    });
  });

  test("a sink whose hashes the store cannot keep is refused", () => {
    const { registry, sink } = hashing();
    const sources = testSources();
    const store = createHandlerStore({ registry, sources, handlers: {} });
    expect(() => createScimService({ registry, sources, store, secrets: sink })).toThrow(TypeError);
    const plain = createScimService({ registry, sources, store });
    expect(() => plain.adapted({ secrets: sink })).toThrow(TypeError);
  });
});
