import { createMemoryStore } from "@scim/core/testing";
import { GROUP_URN, ScimError, USER_URN, createDefaultRegistry, type JsonObject } from "@scim/schemas";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  createScimService,
  PROFILES,
  SeenKeys,
  type ImportOutcome,
  type OperatorService,
  type RequestContext,
  type ResourceHooks,
} from "../../src/index.ts";
import { testService } from "../support/service.ts";

const NONE = { attributes: null, excludedAttributes: null };

let made = 0;

function serviceWith(hooks: Readonly<Record<string, ResourceHooks>> = {}): OperatorService {
  return createScimService({
    registry: createDefaultRegistry(),
    store: createMemoryStore(),
    hooks,
    sources: {
      now: () => Date.parse("2026-03-01T08:00:00Z"),
      newId: () => `id-${String((made += 1))}`,
      newNonce: () => `n${String((made += 1))}`,
      digest: (text) => text,
    },
  });
}

const CONTEXT: RequestContext = {
  tenant: "north",
  connection: "first",
  subject: null,
  profile: PROFILES.tolerant,
  baseUrl: "",
  signal: undefined,
  onSwitch: () => undefined,
};

async function importAll(
  service: OperatorService,
  bodies: readonly JsonObject[],
  context = CONTEXT,
): Promise<readonly ImportOutcome[]> {
  const items = bodies.map((body, index) => ({
    record: index + 1,
    type: JSON.stringify(body["schemas"]).includes("Group") ? "Group" : "User",
    body,
  }));
  const request = { items, seen: new SeenKeys(), keepIds: false, mode: "upsert" as const };
  const prepared = await service.prepareImport(context, request);
  return prepared.apply({ run: null, onRejected: async () => undefined });
}

const user = (userName: string, more: JsonObject = {}): JsonObject => ({
  schemas: [USER_URN],
  userName,
  ...more,
});
const group = (displayName: string, more: JsonObject = {}): JsonObject => ({
  schemas: [GROUP_URN],
  displayName,
  ...more,
});
const kinds = (outcomes: readonly ImportOutcome[]): string => outcomes.map(({ kind }) => kind).join(" ");

describe("an import over a store that has no look-up of many", () => {
  test.each([
    ["by externalId", [user("a", { externalId: "1" })], [user("b", { externalId: "1" })], "replaced"],
    ["by userName, whatever its letter case", [user("anna")], [user("ANNA", { title: "Dr" })], "replaced"],
    ["by userName where it has no externalId yet", [user("a")], [user("a", { externalId: "1" })], "replaced"],
    [
      "not by userName where that has another externalId",
      [user("a", { externalId: "1" })],
      [user("a", { externalId: "2" })],
      "rejected",
    ],
    ["a group by displayName", [group("g")], [group("g", { members: [{ value: "u" }] })], "replaced"],
    ["with the same content", [user("a", { active: true })], [user("a", { active: true })], "unchanged"],
    ["after another of the same name", [user("a")], [user("b"), user("B")], "created rejected"],
  ])("finds a resource %s", async (_, before, after, expected) => {
    const service = serviceWith();
    await importAll(service, before);
    expect(kinds(await importAll(service, after))).toBe(expected);
  });

  test("groups of one name and different externalIds are different where names need not be unique", async () => {
    const service = serviceWith();
    const strict = { ...CONTEXT, profile: PROFILES.strict };
    const groups = [group("g", { externalId: "1" }), group("g", { externalId: "2" })];
    expect(kinds(await importAll(service, groups, strict))).toBe("created created");
    expect(kinds(await importAll(service, groups, strict))).toBe("unchanged unchanged");
    expect(kinds(await importAll(service, [group("g")], strict))).toBe("rejected");
  });
});

describe("the hooks of the application", () => {
  test("refuse and amend what is imported, and see each change once", async () => {
    const seen: string[] = [];
    const service = serviceWith({
      User: {
        plan: (_, { kind, after }) => {
          seen.push(`${kind} ${String(after?.["userName"])}`);
          if (after?.["userName"] === "no") throw new ScimError("invalidValue", "No seat is left.");
          return { ...after, title: "Seated" };
        },
      },
    });
    const outcomes = await importAll(service, [user("yes"), user("no")]);
    expect(kinds(outcomes)).toBe("created rejected");
    expect(outcomes[1]?.error?.message).toBe("No seat is left.");
    expect(kinds(await importAll(service, [user("yes", { title: "Seated" })]))).toBe("unchanged");
    expect(seen).toEqual(["created yes", "created no"]);
  });
});

describe("keys that were seen", () => {
  test("are told with the record that brought them first", () => {
    const keys = fc.array(fc.string({ maxLength: 3 }), { maxLength: 20_000, size: "max" });
    fc.assert(
      fc.property(keys, (texts) => {
        const [seen, first] = [new SeenKeys(), new Map<string, number>()];
        for (const [index, text] of texts.entries()) {
          expect(seen.add(text, index + 1)).toBe(first.get(text) ?? null);
          if (!first.has(text)) first.set(text, index + 1);
        }
      }),
      { numRuns: 5 },
    );
  });
});

const SAFE_URN = "urn:example:params:scim:schemas:core:2.0:Safe";

test("an export has nothing of what is never returned: no empty value in its place, and no member that every object inherits", async () => {
  const code = { name: "code", type: "string", returned: "never" };
  const { service, context } = testService((registry) => {
    registry.addSchema({
      id: SAFE_URN,
      name: "Safe",
      attributes: [
        { name: "label", type: "string" },
        {
          name: "locks",
          type: "complex",
          multiValued: true,
          subAttributes: [code, { name: "value", type: "string" }],
        },
        { name: "constructor", type: "complex", subAttributes: [code, { name: "value", type: "string" }] },
      ],
    });
    registry.addResourceType({ name: "Safe", endpoint: "/Safes", schema: SAFE_URN });
  });
  const safe = { schemas: [SAFE_URN], label: "a" };
  for (const more of [
    { locks: [{ code: "1" }, { code: "2", value: "front" }], constructor: { code: "3" } },
    { locks: [{ code: "1" }], constructor: { code: "3", value: "back" } },
    {},
  ])
    await service.create(context(), { type: "Safe", body: { ...safe, ...more }, ...NONE });
  const exported: JsonObject[] = [];
  for await (const { resource } of service.exportResources(context(), "Safe")) {
    const { id: _id, meta: _meta, ...values } = resource;
    exported.push(values);
  }
  expect(exported).toEqual([
    { ...safe, locks: [{ value: "front" }] },
    { ...safe, constructor: { value: "back" } },
    safe,
  ]);
});
