import type { JsonObject } from "@scim/schemas";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChangeRequest, DryRunAnswer } from "../../src/index.ts";
import { members, userValues } from "../support/arbitraries.ts";
import { group, ownValues, user } from "../support/bodies.ts";
import { idOf } from "../support/client.ts";
import { PLAIN, testService, type TestService } from "../support/service.ts";
import { bindTestExtension } from "../support/test-extension.ts";

/** What the values of a resource are, references in any order. */
function valuesOf(resource: JsonObject | null): JsonObject {
  const { members: list, ...values } = ownValues(resource ?? {});
  if (!Array.isArray(list)) return values;
  const sorted = (list as readonly JsonObject[]).toSorted((a, b) =>
    String(a["value"]) < String(b["value"]) ? -1 : 1,
  );
  return { ...values, members: sorted };
}

const IMMUTABLE: ReadonlySet<string> = new Set(["badge", "note", "lock"]);

/** The values without those that no change may touch. */
function withoutImmutable(values: JsonObject): JsonObject {
  const text = JSON.stringify(values, (name, value: unknown) => (IMMUTABLE.has(name) ? undefined : value));
  return JSON.parse(text) as JsonObject;
}

let runs = 0;
function fresh(values: JsonObject): JsonObject {
  return user({ ...values, userName: `${String(values["userName"])}-${String((runs += 1))}` });
}

interface Compared {
  readonly tried: DryRunAnswer;
  readonly put: JsonObject;
  readonly patched: JsonObject;
}

/** Tries a PUT out, makes it, and makes the difference of the trial to the same resource in another tenant. */
async function compare(
  tested: TestService,
  type: string,
  { before, after }: { readonly before: JsonObject; readonly after: JsonObject },
): Promise<Compared> {
  const other = tested.as("tolerant", { tenant: "other" });
  const client = tested.as("tolerant");
  const id = idOf(await client.post(type, before));
  const copy = idOf(await other.post(type, before));
  const change: ChangeRequest = { operation: "replace", request: { ...PLAIN, type, id, body: after } };
  const tried = await tested.service.dryRun(tested.context("tolerant"), change);
  await other.patch(
    type,
    copy,
    tried.diff.map((operation) => ({ ...operation })),
  );
  await client.put(type, id, after);
  return { tried, put: await client.resource(type, id), patched: await other.resource(type, copy) };
}

describe("a dry run of PUT shows what PUT makes, and its difference is a PATCH that makes the same", () => {
  test("User", async () => {
    const tested = testService(bindTestExtension());
    await fc.assert(
      fc.asyncProperty(userValues, userValues, async (old, next) => {
        const bodies = { before: fresh(withoutImmutable(old)), after: fresh(withoutImmutable(next)) };
        const { tried, put, patched } = await compare(tested, "User", bodies);
        expect(valuesOf(tried.resource)).toEqual(valuesOf(put));
        expect(valuesOf(patched)).toEqual(valuesOf(put));
      }),
    );
  });

  test("what is required and goes with its extension, or gets other parts", async () => {
    const [badge, desk] = ["urn:example:Badge", "urn:example:Desk"];
    const tested = testService((registry) => {
      const place = ["floor", "room"].map((name) => ({ name, type: "string" }));
      registry.addSchema({
        id: desk,
        attributes: [{ name: "place", type: "complex", required: true, subAttributes: place }],
      });
      registry.addSchema({
        id: badge,
        attributes: [
          { name: "note", type: "string" },
          { name: "code", type: "string", required: true },
        ],
      });
      const schemaExtensions = [{ schema: badge, required: false }];
      registry.addResourceType({ name: "Desk", endpoint: "/Desks", schema: desk, schemaExtensions });
    });
    const before = {
      schemas: [desk, badge],
      place: { room: "1" },
      [badge]: { note: "n", code: "c" },
    };
    const { tried, put, patched } = await compare(tested, "Desk", {
      before,
      after: { schemas: [desk], place: { floor: "2" } },
    });
    expect(tried.diff).toEqual([
      { op: "add", path: "place.floor", value: "2" },
      { op: "remove", path: "place.room" },
      { op: "remove", path: badge },
    ]);
    expect(valuesOf(patched)).toEqual(valuesOf(put));
  });

  test("Group", async () => {
    const tested = testService();
    await fc.assert(
      fc.asyncProperty(members, members, async (old, next) => {
        const name = `g${String((runs += 1))}`;
        const bodies = {
          before: group({ displayName: name, members: old }),
          after: group({ displayName: `${name}b`, members: next }),
        };
        const { tried, put, patched } = await compare(tested, "Group", bodies);
        expect(valuesOf(tried.resource)).toEqual(valuesOf(put));
        expect(valuesOf(patched)).toEqual(valuesOf(put));
      }),
    );
  });
});
