import { createModelCatalog, type FeedEvent } from "@scim/core";
import { createDefaultRegistry, defineSchema } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { claimsOf, positionOfTokenId, tokenId } from "../../src/security-events/claims.ts";
import { CATALOG } from "../delivery/service.ts";

const PARTS = {
  catalog: CATALOG,
  issuerOf: (tenant: string) => `https://scim.example.com/scim/${tenant}/v2`,
};
const RECEIVER = {
  tenant: "north",
  id: "s1",
  payload: "reference",
  audience: "https://them.example",
  url: "",
} as const;
const FULL = { ...RECEIVER, payload: "full" } as const;
const PROV = "urn:ietf:params:scim:event:prov";
const VERSION = 'W/"2-x"';
const AT = "2026-03-01T08:00:00.250Z";
const META = {
  resourceType: "User",
  lastModified: AT,
  location: "https://scim.example.com/scim/north/v2/Users/u1",
  version: VERSION,
};
const [USER, GROUP] = ["User", "Group"].map((name) => `urn:ietf:params:scim:schemas:core:2.0:${name}`);

function eventOf(of: Partial<FeedEvent> = {}): FeedEvent {
  return {
    position: 7,
    at: AT,
    connection: "first",
    subject: null,
    origin: null,
    kind: "patched",
    type: "User",
    id: "u1",
    version: "2-x",
    versionBefore: "1-x",
    changed: ["title"],
    before: { userName: "anna", externalId: "e-1", title: "a" },
    after: { userName: "anna", externalId: "e-1", title: "b" },
    collections: [],
    ...of,
  };
}

describe("the claims of a token", () => {
  test("R8417-2.2-01 R8417-2.2-02 R8417-2.2-03 R9967-2.1-01: name issuer, audience, id and subject, and no sub or exp", () => {
    const claims = claimsOf(PARTS, RECEIVER, eventOf());
    expect(claims).toEqual({
      iss: "https://scim.example.com/scim/north/v2",
      iat: 1_772_352_000,
      jti: "s1_7_2-x",
      txn: "evt_north_7_2-x",
      aud: "https://them.example",
      sub_id: { format: "scim", uri: "/Users/u1", id: "u1" },
      events: { [`${PROV}:patch:notice`]: { attributes: ["title"], version: VERSION } },
    });
  });

  test("R9967-2.2-02: of one change two receivers have two ids and one transaction", () => {
    const [first, second] = ["s1", "s2"].map((id) => claimsOf(PARTS, { ...RECEIVER, id }, eventOf()));
    expect(first?.["jti"]).not.toBe(second?.["jti"]);
    expect(first?.["txn"]).toBe(second?.["txn"]);
  });

  test("R9967-2.1-02 R9493-01: the subject has its externalId where values of persons may be told", () => {
    expect(claimsOf(PARTS, FULL, eventOf())["sub_id"]).toMatchObject({ uri: "/Users/u1", externalId: "e-1" });
    const deleted = eventOf({ kind: "deleted", after: null });
    expect(claimsOf(PARTS, FULL, deleted)["sub_id"]).toMatchObject({ externalId: "e-1" });
    expect(JSON.stringify(claimsOf(PARTS, RECEIVER, eventOf()))).not.toContain("e-1");
  });

  test("the address is the audience where none is stated", () => {
    const claims = claimsOf(PARTS, { ...RECEIVER, audience: null, url: "https://hooks.example" }, eventOf());
    expect(claims["aud"]).toBe("https://hooks.example");
  });
});

/** Event, in which mode, and what the token holds. */
const EVENTS: readonly (readonly [string, Partial<FeedEvent>, "notice" | "full", object])[] = [
  [
    "R9967-2.4.1-01 R9967-2.2-01 R9967-2.2-03 R8417-2.2-04: a creation, as a notice, with the version",
    { kind: "created", before: null, changed: ["userName"], after: { userName: "anna" } },
    "notice",
    { [`${PROV}:create:notice`]: { attributes: ["userName"], version: VERSION } },
  ],
  [
    "R9967-2.4.1-01: a creation, with the final representation and its id",
    { kind: "created", versionBefore: null, before: null, after: { userName: "anna" } },
    "full",
    {
      [`${PROV}:create:full`]: {
        data: { schemas: [USER], id: "u1", userName: "anna", meta: { ...META, created: AT } },
        version: VERSION,
      },
    },
  ],
  [
    "a creation with members",
    {
      kind: "created",
      type: "Group",
      before: null,
      after: { displayName: "staff" },
      collections: [{ path: "members", removed: [], added: ["u1"] }],
    },
    "full",
    {
      [`${PROV}:create:full`]: {
        data: {
          schemas: [GROUP],
          id: "u1",
          displayName: "staff",
          members: [{ value: "u1" }],
          meta: { ...META, resourceType: "Group", location: META.location.replace("Users", "Groups") },
        },
        version: VERSION,
      },
    },
  ],
  [
    "R9967-5-02: of a creation with more members than an event names, the notice",
    {
      kind: "created",
      type: "Group",
      before: null,
      changed: ["displayName", "members"],
      after: { displayName: "staff" },
      collections: [{ path: "members", removed: [], added: 5000 }],
    },
    "full",
    { [`${PROV}:create:notice`]: { attributes: ["displayName", "members"], version: VERSION } },
  ],
  [
    "R9967-2.4.2-01: a patch, with the operations that lead to it",
    {
      before: { userName: "anna", title: "a", nickName: "n" },
      after: { userName: "anna", title: "b" },
    },
    "full",
    {
      [`${PROV}:patch:full`]: {
        data: {
          schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
          Operations: [
            { op: "replace", path: "title", value: "b" },
            { op: "remove", path: "nickName" },
          ],
        },
        version: VERSION,
      },
    },
  ],
  [
    "a patch of members alone",
    {
      type: "Group",
      before: null,
      after: null,
      collections: [{ path: "members", removed: ["u1"], added: ["u2", "u3"] }],
    },
    "full",
    {
      [`${PROV}:patch:full`]: {
        data: {
          schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
          Operations: [
            { op: "remove", path: 'members[value eq "u1"]' },
            { op: "add", path: "members", value: [{ value: "u2" }, { value: "u3" }] },
          ],
        },
        version: VERSION,
      },
    },
  ],
  [
    "R7644-3.5.2-03: of a patch of a password alone, which leaves no operation to tell, the notice",
    {
      changed: ["password"],
      before: { userName: "anna" },
      after: { userName: "anna" },
    },
    "full",
    { [`${PROV}:patch:notice`]: { attributes: ["password"], version: VERSION } },
  ],
  [
    "R7644-3.5.2-03: of a patch of a person who was erased, the notice",
    { changed: [], before: null, after: null },
    "full",
    { [`${PROV}:patch:notice`]: { attributes: [], version: VERSION } },
  ],
  [
    "R9967-2.4.3-01 A-EVT-02: a replacement, with the final representation",
    { kind: "replaced", after: { userName: "anna", title: "b" } },
    "full",
    {
      [`${PROV}:put:full`]: {
        data: { schemas: [USER], id: "u1", userName: "anna", title: "b", meta: META },
        version: VERSION,
      },
    },
  ],
  [
    "a replacement of what has members, as a notice: which of them stayed is not told",
    { kind: "replaced", type: "Group", changed: ["displayName"], after: { displayName: "staff" } },
    "full",
    { [`${PROV}:put:notice`]: { attributes: ["displayName"], version: VERSION } },
  ],
  [
    "a replacement of members, as a notice: what stayed is not told",
    {
      kind: "replaced",
      type: "Group",
      changed: ["members"],
      before: null,
      after: null,
      collections: [{ path: "members", removed: [], added: ["u2"] }],
    },
    "full",
    { [`${PROV}:put:notice`]: { attributes: ["members"], version: VERSION } },
  ],
  [
    "R9967-2.4.4-01: a deletion, without payload",
    { kind: "deleted", after: null },
    "full",
    { [`${PROV}:delete`]: {} },
  ],
  [
    "R9967-2.4.5-01 R9967-2-01: a deactivation beside the change that made it so",
    { changed: ["active"], before: { active: true }, after: { active: false } },
    "notice",
    { [`${PROV}:patch:notice`]: { attributes: ["active"], version: VERSION }, [`${PROV}:deactivate`]: {} },
  ],
  [
    "an activation",
    { kind: "replaced", changed: ["active"], before: { active: false }, after: {} },
    "notice",
    { [`${PROV}:put:notice`]: { attributes: ["active"], version: VERSION }, [`${PROV}:activate`]: {} },
  ],
  [
    "nothing of activity where active is told for the first time",
    { changed: ["active"], before: {}, after: { active: true } },
    "notice",
    { [`${PROV}:patch:notice`]: { attributes: ["active"], version: VERSION } },
  ],
  [
    "a notice where the resource type is not served any more",
    { type: "Gone" },
    "full",
    { [`${PROV}:patch:notice`]: { attributes: ["title"], version: VERSION } },
  ],
];

test.each(EVENTS)("%s", (_name, of, mode, expected) => {
  const receiver = mode === "full" ? FULL : RECEIVER;
  expect(claimsOf(PARTS, receiver, eventOf(of))["events"]).toEqual(expected);
});

test.each([
  ["s1_7_2-x", 7],
  [tokenId("s1", eventOf()), 7],
  ["s2_7_2-x", null],
  ["s1_7", null],
  ["s1_seven_2-x", null],
  ["", null],
])("the id %j names the position %j of stream s1", (jti, position) => {
  expect(positionOfTokenId("s1", jti)).toBe(position);
});

describe("a PATCH of an attribute that has a secret part beside others", () => {
  const URN = "urn:example:params:scim:schemas:core:2.0:Badge";
  const registry = createDefaultRegistry();
  const texts = (...names: readonly string[]) => names.map((name) => ({ name, type: "string" }) as const);
  registry.addSchema(
    defineSchema({
      id: URN,
      name: "Badge",
      description: "A badge.",
      attributes: [
        { name: "lock", type: "complex", subAttributes: texts("door", "pin") },
        { name: "locks", type: "complex", multiValued: true, subAttributes: texts("value", "pin") },
      ],
    }),
  );
  registry.addResourceType({
    name: "Badge",
    endpoint: "/Badges",
    schema: URN,
    annotations: { "lock.pin": { sensitivity: "secret" }, "locks.pin": { sensitivity: "secret" } },
  });
  const parts = { ...PARTS, catalog: createModelCatalog(registry) };
  const operations = (before: object, after: object): unknown => {
    const event = eventOf({ type: "Badge", ...({ before, after } as Pick<FeedEvent, "before" | "after">) });
    return claimsOf(parts, FULL, event)["events"];
  };
  const patchOf = (operation: object): object => ({
    [`${PROV}:patch:full`]: expect.objectContaining({
      data: expect.objectContaining({ Operations: [operation] }),
    }),
  });
  const lock = (door: string, pin: string): object => ({ lock: { door, pin } });
  const locks = (value: string, pin: string): object => ({ locks: [{ value, pin }] });

  test.each([
    [
      "tells of the others",
      lock("a", "1"),
      lock("b", "2"),
      { op: "replace", path: "lock", value: { door: "b" } },
    ],
    [
      "tells of the others in lists",
      locks("a", "1"),
      locks("b", "1"),
      { op: "replace", path: "locks", value: [{ value: "b" }] },
    ],
    ["tells that all of it went", lock("a", "1"), {}, { op: "remove", path: "lock" }],
  ])("%s", (_what, before, after, operation) => {
    expect(operations(before, after)).toEqual(patchOf(operation));
  });

  test("is a notice where the secret alone changed", () => {
    expect(operations(lock("a", "1"), lock("a", "2"))).toEqual({
      [`${PROV}:patch:notice`]: { attributes: ["title"], version: VERSION },
    });
  });
});
