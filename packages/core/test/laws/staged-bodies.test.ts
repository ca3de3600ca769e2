import { isJsonArray, isJsonObject, isScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  createBodyReader,
  PROFILES,
  type FoundReferences,
  type LongBody,
  type ResourceAnswer,
} from "../../src/index.ts";
import { addTeamsWithProjects, PROJECT_URN, TEAM_URN } from "../support/teams.ts";
import { testService, type TestService } from "../support/service.ts";

const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const NONE = {
  attributes: null,
  excludedAttributes: null,
  precondition: { ifMatch: null, ifNoneMatch: null },
};

const id = fc.constantFrom("a", "b", "c", "d", "e", "B");
const text = (...words: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...words);
const good = fc.record(
  {
    value: id,
    type: text("User", "user"),
    display: text("Anna", "Ben", ""),
    $ref: text("../Users/a", "https://id.example/v2/Users/b"),
  },
  { requiredKeys: ["value"] },
);
/** Values that a profile rewrites, drops or refuses. */
const odd: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
  null,
  {},
  [],
  "a",
  "has space",
  7,
  true,
  { value: null },
  { value: "" },
  { value: 5 },
  { value: "no id" },
  { value: "bulkId:x" },
  { display: "nobody" },
  { Value: "c", TYPE: "User" },
  { value: "a", VALUE: "b" },
  { value: "a", display: 5 },
  { value: "a", display: ["list"] },
  { value: "b", type: "Robot" },
  { value: "b", type: 3 },
  { value: "b", type: "Group" },
  { value: "b", type: "Team" },
  { value: "b", $ref: "/Teams/c" },
  { value: "b", $ref: "/Groups/c" },
  { value: "b", $ref: "no uri" },
  { value: "b", $ref: "../Robots/1" },
  { $ref: "../Users/d" },
  { value: "c", color: "red" },
  { value: ["a"] },
  [{ value: "d" }],
);
const list = fc.array(fc.oneof({ weight: 60, arbitrary: good }, { weight: 1, arbitrary: odd }), {
  maxLength: 9,
});
const oddMember = fc.constantFrom<JsonObject>(
  {},
  {},
  {},
  {},
  { displayName: 5 },
  { color: "red" },
  { id: "x" },
  { schemas: [] },
  { externalId: ["a", "b"] },
);
const group = fc
  .tuple(list, oddMember, fc.boolean(), text("members", "Members"))
  .map(([members, odds, first, name]): JsonObject => {
    const head = { schemas: [GROUP], displayName: "one" };
    return first ? { ...head, [name]: members, ...odds } : { ...head, ...odds, [name]: members };
  });
const team = fc.tuple(list, list, list, oddMember).map(([owners, guests, sponsors, odds]): JsonObject => ({
  schemas: [TEAM_URN, PROJECT_URN],
  displayName: "one",
  owners,
  ...odds,
  guests,
  [PROJECT_URN]: { code: "x", sponsors },
}));

/** Reads a body as a thread would: the values of its collections two at a time, the rest as a whole. */
async function split(
  long: LongBody,
  body: JsonObject,
): Promise<readonly [JsonObject, ReadonlyMap<JsonValue, FoundReferences>]> {
  const reader = createBodyReader(structuredClone(long.reading));
  const lists = new Map<JsonValue, FoundReferences>();
  const without = async (object: JsonObject, names: readonly string[]): Promise<JsonObject> => {
    const rest: Record<string, JsonValue> = {};
    for (const [name, value] of Object.entries(object)) {
      const collection = isJsonArray(value) ? reader.collection([...names, name]) : null;
      if (isJsonArray(value) && collection !== null) {
        const stand: JsonValue = [];
        for (let start = 0; start < value.length; start += 2) {
          const batch = collection.read(value.slice(start, start + 2));
          if (batch !== null) await long.stage(collection.path, batch);
        }
        lists.set(stand, collection.found());
        rest[name] = stand;
      } else rest[name] = isJsonObject(value) && names.length === 0 ? await without(value, [name]) : value;
    }
    return rest;
  };
  return [await without(body, []), lists];
}

interface Sent {
  readonly type: string;
  /** Null to create. */
  readonly id: string | null;
  readonly body: JsonObject;
  readonly profile: "tolerant" | "strict";
}

async function send(
  scim: TestService,
  { type, id: target, body, profile }: Sent,
  isLong: boolean,
): Promise<unknown> {
  const context = scim.context(PROFILES[profile]);
  const long = isLong ? ((await scim.service.longBody(context, type)?.()) ?? null) : null;
  try {
    const [rest, lists] = long === null ? [body, new Map()] : await split(long, body);
    const staged = long === null ? {} : { staged: { stage: long.target, lists }, streams: true };
    const request = { type, body: rest, ...NONE, ...staged };
    const answer =
      target === null
        ? await scim.service.create(context, request)
        : await scim.service.replace(context, { ...request, id: target });
    return await whole(answer);
  } catch (error) {
    if (!isScimError(error)) throw error;
    return { code: error.code, detail: error.detail };
  } finally {
    await long?.close();
  }
}

/** The resource with its long collections. */
async function whole({ resource, stream }: ResourceAnswer): Promise<JsonObject> {
  const result: Record<string, JsonValue> = structuredClone(resource) as Record<string, JsonValue>;
  for (const { keys, batches } of stream?.collections[0] ?? []) {
    const values: JsonValue[] = [];
    for await (const batch of batches) values.push(...batch);
    const [first = "", second] = keys;
    if (second === undefined) result[first] = values;
    else result[first] = { ...(result[first] as JsonObject | undefined), [second]: values };
  }
  await stream?.close();
  return result;
}

async function outcome(
  type: string,
  bodies: readonly JsonObject[],
  options: { profile: Sent["profile"]; isLong: boolean },
) {
  const scim = testService(addTeamsWithProjects, { limits: { heldReferences: 1 } });
  const answers: unknown[] = [];
  const [first = {}, ...others] = bodies;
  // What is replaced is there in any case.
  const seed = { schemas: first["schemas"] ?? [], displayName: "one" };
  const made = await scim.service.create(scim.context(), {
    type,
    body: type === "Team" ? { ...seed, schemas: [TEAM_URN] } : { ...seed, schemas: [GROUP] },
    ...NONE,
  });
  const target = String(made.resource["id"]);
  const { profile, isLong } = options;
  answers.push(await send(scim, { type, id: null, body: { ...first, displayName: "new" }, profile }, isLong));
  for (const body of others) answers.push(await send(scim, { type, id: target, body, profile }, isLong));
  const all = await scim.service.list(scim.context(), {
    type,
    ...NONE,
    filter: null,
    sortBy: null,
    sortOrder: null,
    startIndex: null,
    count: null,
    cursor: null,
    source: "body",
  });
  return { answers, resources: all.resources, fired: scim.fired.toSorted() };
}

/** What PATCH operations on a Team of some references come to, where so many are held. */
async function patched(
  seed: JsonObject,
  operations: JsonObject,
  { profile, heldReferences }: { profile: Sent["profile"]; heldReferences: number },
) {
  const scim = testService(addTeamsWithProjects, { limits: { heldReferences } });
  const client = scim.as(profile);
  await client.post("Team", seed);
  const answer = await client.patched("Team", "id-1", [operations]).catch((error: unknown) => {
    if (!isScimError(error)) throw error;
    return { code: error.code, detail: error.detail };
  });
  return { answer, resource: await client.resource("Team", "id-1"), fired: scim.fired.toSorted() };
}

test.each(["tolerant", "strict"] as const)(
  "a PATCH of a whole collection gets the same answer and leads to the same state, held or exchanged (%s)",
  async (profile) => {
    const values = fc.array(good, { maxLength: 5 });
    const seeds = fc.tuple(values, values, values).map(([owners, guests, sponsors]): JsonObject => ({
      schemas: [TEAM_URN, PROJECT_URN],
      displayName: "one",
      owners,
      guests,
      [PROJECT_URN]: { code: "x", sponsors },
    }));
    const path = fc.constantFrom("owners", "guests", `${PROJECT_URN}:sponsors`);
    const operations = fc.oneof(
      fc.record({ op: fc.constant("replace"), path, value: list }),
      fc.record({ op: fc.constant("remove"), path }),
      fc.record({ op: fc.constant("replace"), value: team }),
      fc.record({ op: fc.constant("remove"), path: fc.constant(PROJECT_URN) }),
    );
    await fc.assert(
      fc.asyncProperty(seeds, operations, async (seed, operation) => {
        const held = await patched(seed, operation, { profile, heldReferences: 1000 });
        expect(await patched(seed, operation, { profile, heldReferences: 0 })).toEqual(held);
      }),
      { numRuns: 100 },
    );
  },
);

test.each(["tolerant", "strict"] as const)(
  "a body gets the same answer and leads to the same state, held or staged (%s)",
  async (profile) => {
    const bodies = fc.oneof(
      fc.tuple(fc.constant("Group"), fc.array(group, { minLength: 1, maxLength: 4 })),
      fc.tuple(fc.constant("Team"), fc.array(team, { minLength: 1, maxLength: 4 })),
    );
    await fc.assert(
      fc.asyncProperty(bodies, async ([type, sent]) => {
        const held = await outcome(type, sent, { profile, isLong: false });
        const staged = await outcome(type, sent, { profile, isLong: true });
        expect(staged).toEqual(held);
      }),
      { numRuns: 60 },
    );
  },
);
