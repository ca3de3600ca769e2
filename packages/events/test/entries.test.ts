import { canonicalJson, createModelCatalog, type FeedEvent } from "@scim/core";
import { createDefaultRegistry, defineSchema, type JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { createAuditChain, type EventToLink, type LinkedTo } from "../src/index.ts";
import { SAMPLE_KEYS } from "../src/testing/index.ts";

const URN = "urn:example:params:scim:schemas:core:2.0:Badge";

const SCHEMA = defineSchema({
  id: URN,
  name: "Badge",
  description: "A badge.",
  attributes: [
    { name: "label", type: "string" },
    { name: "level", type: "integer" },
    { name: "color", type: "string" },
    { name: "valid", type: "boolean" },
    { name: "pin", type: "string" },
    {
      name: "owner",
      type: "complex",
      subAttributes: [
        { name: "name", type: "string" },
        { name: "floor", type: "string" },
      ],
    },
    { name: "doors", type: "complex", multiValued: true, subAttributes: [{ name: "value", type: "string" }] },
    {
      name: "desk",
      type: "complex",
      subAttributes: [
        { name: "room", type: "string" },
        { name: "row", type: "integer" },
      ],
    },
    { name: "site", type: "complex", subAttributes: [{ name: "name", type: "string" }] },
  ],
});

function badgeCatalog() {
  const registry = createDefaultRegistry();
  registry.addSchema(SCHEMA);
  registry.addResourceType({
    name: "Badge",
    endpoint: "/Badges",
    schema: URN,
    annotations: {
      color: { sensitivity: "none" },
      pin: { sensitivity: "secret" },
      "owner.floor": { sensitivity: "none" },
      site: { sensitivity: "none" },
    },
  });
  return createModelCatalog(registry);
}

const newSecret = (): string => "new";
const chain = createAuditChain({ ...SAMPLE_KEYS, newSecret, catalog: badgeCatalog() });
/** Each resource of each tenant has a secret of its own. */
function firstOf(tenant: string): LinkedTo {
  return { previous: null, secretOf: (type, id) => `secret of ${tenant} ${type} ${id}` };
}

function eventOf(of: Partial<EventToLink>): EventToLink {
  return {
    position: 1,
    at: "2026-03-01T08:00:00.000Z",
    connection: "first",
    subject: null,
    origin: null,
    kind: "patched",
    type: "Badge",
    id: "b1",
    version: "2-x",
    versionBefore: "1-x",
    changed: [],
    before: null,
    after: null,
    collections: [],
    ...of,
  };
}

function entryOf(of: Partial<EventToLink>, tenant = "north", to = firstOf(tenant)): JsonObject {
  const [entry] = chain.link(tenant, to, [eventOf(of)]);
  const parsed = JSON.parse(entry?.text ?? "null") as JsonObject;
  expect(entry?.text, "RFC 8785").toBe(canonicalJson(parsed));
  return parsed;
}

/** The changes of a badge by path. */
function changesOf(before: JsonObject | null, after: JsonObject | null, changed: readonly string[] = []) {
  return entryOf({ before, after, changed })["changes"];
}

/** What the first change of an entry came to. */
function hashIn({ changes }: JsonObject, side: "before" | "after" = "after"): unknown {
  return (changes as { readonly [side: string]: unknown }[])[0]?.[side];
}

const HASH = { hash: expect.stringMatching(/^[0-9a-z]{22}$/) };

describe("what an entry shows", () => {
  test("who did what to which resource, from where, and the versions before and after", () => {
    const origin = { request: "r-1", credential: "c-1", address: "192.0.2.1" };
    expect(entryOf({ origin, subject: "u9" })).toEqual({
      position: 1,
      at: "2026-03-01T08:00:00.000Z",
      connection: "first",
      subject: "u9",
      origin,
      kind: "patched",
      type: "Badge",
      id: "b1",
      version: { before: "1-x", after: "2-x" },
      changes: [],
      collections: [],
      key: "k2",
    });
  });

  test.each([
    ["a string that nobody annotated is hashed", { label: "a" }, [{ path: "label", after: HASH }]],
    ["so is a number", { level: 3 }, [{ path: "level", after: HASH }]],
    ["a boolean is shown", { valid: false }, [{ path: "valid", after: { value: false } }]],
    ["what is annotated as none is shown", { color: "red" }, [{ path: "color", after: { value: "red" } }]],
    ["of a secret no hash is shown", { pin: "1234" }, [{ path: "pin", after: { withheld: true } }]],
    [
      "a complex attribute of which not all parts are personal is told part by part",
      { owner: { name: "Zoë", floor: "3" } },
      [
        { path: "owner.name", after: HASH },
        { path: "owner.floor", after: { value: "3" } },
      ],
    ],
    [
      "an annotation holds for what is within, and what comes as a whole is one value",
      { site: { name: "x" } },
      [{ path: "site", after: { value: { name: "x" } } }],
    ],
    [
      "so is what comes as a whole and is personal as a whole",
      { desk: { room: "9", row: 3 } },
      [{ path: "desk", after: HASH }],
    ],
    ["a multi-valued attribute is one value", { doors: [{ value: "x" }] }, [{ path: "doors", after: HASH }]],
    ["an attribute that no schema knows is hashed", { odd: true }, [{ path: "odd", after: HASH }]],
    [
      "a name of JavaScript's own is a name",
      { ["__proto__x"]: 1, constructor: "x" },
      [
        { path: "__proto__x", after: HASH },
        { path: "constructor", after: HASH },
      ],
    ],
  ] as const)("%s", (_name, after, expected) => {
    expect(changesOf(null, after)).toEqual(expected);
  });

  test("only what differs, with what it was", () => {
    const before = { label: "a", color: "red", owner: { name: "Zoë", floor: "3" }, level: 1 };
    const after = { owner: { floor: "4", name: "Zoë" }, label: "a", color: "red" };
    expect(changesOf(before, after)).toEqual([
      { path: "owner.floor", before: { value: "3" }, after: { value: "4" } },
      { path: "level", before: HASH },
    ]);
  });

  test("part by part where a complex attribute was there and is still", () => {
    const [before, after] = [{ desk: { room: "9", row: 3 } }, { desk: { room: "9", row: 4 } }];
    expect(changesOf(before, after)).toEqual([{ path: "desk.row", before: HASH, after: HASH }]);
    expect(changesOf(before, {})).toEqual([{ path: "desk", before: HASH }]);
  });

  test("of what comes or goes as a whole one hash of the personal values, and each path", () => {
    const badge = { label: "a", color: "red", pin: "1234", level: 3 };
    const changes = [
      { path: "*", after: HASH },
      { path: "label" },
      { path: "color", after: { value: "red" } },
      { path: "pin", after: { withheld: true } },
      { path: "level" },
    ];
    const created = entryOf({ kind: "created", after: badge });
    expect(created["changes"]).toEqual(changes);
    const deleted = entryOf({ kind: "deleted", before: badge });
    expect(deleted["changes"]).toContainEqual({ path: "*", before: hashIn(created) });
    expect(entryOf({ kind: "created", after: { color: "red" } })["changes"]).toEqual([changes[2]]);
    expect(hashIn(entryOf({ kind: "created", after: { ...badge, level: 4 } }))).not.toEqual(hashIn(created));
  });

  test("the hash of the whole is that of its JSON without secrets, at hand or made of it", () => {
    const state = { label: "a", color: "red", owner: { name: "Zoë", floor: "3" } };
    const created = hashIn(entryOf({ kind: "created", after: state }));
    const stateText = JSON.stringify(state);
    expect(hashIn(entryOf({ kind: "created", after: state, stateText }))).toEqual(created);
    expect(hashIn(entryOf({ kind: "deleted", before: state, stateText }), "before")).toEqual(created);
    const withSecret = { ...state, pin: "1234" };
    const told = { after: withSecret, stateText: JSON.stringify(withSecret) };
    expect(hashIn(entryOf({ kind: "created", ...told }))).toEqual(created);
  });

  test("the path alone of what no JSON holds, such as a secret that was set", () => {
    expect(changesOf({ label: "a" }, { label: "a" }, ["password"])).toEqual([{ path: "password" }]);
    const collections = [{ path: "members", removed: [], added: ["u1"] }];
    expect(entryOf({ changed: ["members"], collections })).toMatchObject({ changes: [], collections });
  });

  test("everything as a hash where the resource type is not served any more", () => {
    expect(entryOf({ type: "Gone", after: { valid: true } })["changes"]).toEqual([
      { path: "valid", after: HASH },
    ]);
  });
});

describe("hashes of values", () => {
  const hashOf = (of: Partial<FeedEvent>, tenant?: string): string =>
    JSON.stringify(entryOf(of, tenant)["changes"]);

  test("are equal for equal values of one attribute of one resource", () => {
    const [first, later] = [{ after: { label: "a" } }, { position: 9, before: { label: "a" } }];
    const told = hashOf(later).replace("before", "after");
    expect(told).toBe(hashOf(first));
    expect(hashOf({ ...first, id: "b2" })).not.toBe(hashOf(first));
  });

  test("say nothing any more once the secret of the resource is another", () => {
    const erased = entryOf({ after: { label: "a" } }, "north", { previous: null, secretOf: () => "other" });
    expect(JSON.stringify(erased["changes"])).not.toBe(hashOf({ after: { label: "a" } }));
  });

  test("need no secret where nothing is hashed", () => {
    const secretOf = (): never => {
      throw new TypeError("No secret was to be asked for");
    };
    const after = { valid: true, pin: "1234", color: "red" };
    expect(() => entryOf({ after }, "north", { previous: null, secretOf })).not.toThrow();
  });

  test("differ by value, attribute and tenant, and hold no clear text", () => {
    const [label] = [hashOf({ after: { label: "anna" } })];
    expect(hashOf({ after: { label: "bert" } })).not.toBe(label);
    expect(hashOf({ after: { odd: "anna" } }).replace("odd", "label")).not.toBe(label);
    expect(hashOf({ after: { label: "anna" } }, "south")).not.toBe(label);
    expect(label).not.toContain("anna");
  });
});

test("a chain needs a key", () => {
  expect(() => createAuditChain({ ...SAMPLE_KEYS, keys: [], newSecret, catalog: badgeCatalog() })).toThrow(
    "at least one key",
  );
});

describe("the trail of administration", () => {
  test("shows what administrators did, as it stands", () => {
    const event = eventOf({
      type: "Connection",
      id: "acme/okta",
      origin: { admin: "ann" },
      changed: ["state", "rate"],
      before: { state: "active", profile: "okta" },
      after: { state: "suspended", profile: "okta", rate: { perSecond: 5, burst: 9 } },
    });
    const [entry] = chain.link("admin", firstOf("admin"), [event]);
    expect(JSON.parse(entry?.text ?? "")).toMatchObject({
      origin: { admin: "ann" },
      changes: [
        { path: "state", before: { value: "active" }, after: { value: "suspended" } },
        { path: "rate", after: { value: { perSecond: 5, burst: 9 } } },
      ],
    });
    const [elsewhere] = chain.link("acme", firstOf("acme"), [event]);
    expect(elsewhere?.text).not.toContain("suspended");
  });
});
