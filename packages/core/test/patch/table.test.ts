import { loadPatchCases, type PatchCase, type PatchOutcome } from "@scim/fixtures";
import { isJsonObject, ScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { copyObject } from "../../src/attributes/json-object.ts";
import { takeCollections } from "../../src/plan/collections.ts";
import { entriesOf } from "../../src/plan/entries.ts";
import { createModelCatalog } from "../../src/model/catalog.ts";
import { PLAIN, testService, type TestService } from "../support/service.ts";
import { bindTestExtension } from "../support/test-extension.ts";

/** Rows whose expectation a decision of the project replaces; each is an outcome that the table allows or names. */
const DECIDED: ReadonlyMap<string, string> = new Map([
  ["PT-158", "a new order of values is a change"],
  ["PT-172", "values with the same value and type become one"],
  ["PT-316", "schemas follows from the values that a resource holds"],
]);

const SCOPE = { tenant: "default", connection: "default" };
const DERIVED = new Set(["id", "meta", "schemas", "groups"]);

async function store(tested: TestService, type: string, resource: JsonObject): Promise<string> {
  const model = createModelCatalog(tested.registry).model(type);
  const body = copyObject(
    Object.fromEntries(Object.entries(resource).filter(([name]) => !DERIVED.has(name))),
  );
  const collections = takeCollections(model, body);
  const id = String(resource["id"]);
  const result = await tested.store.write(SCOPE, {
    kind: "create",
    type,
    id,
    at: "2025-01-01T00:00:00.000Z",
    nonce: "n",
    body,
    ...entriesOf(model, body, { constraints: [], connection: "default" }),
    collections: [...collections].map(([node, add]) => ({ path: node.path, remove: [], add })),
    event: { kind: "created", subject: null, changed: [] },
  });
  expect(result.kind).toBe("written");
  return result.kind === "written" ? result.version : "";
}

/** What comparing leaves out: derived members, `$ref`, false primaries, and the order of lists. */
function comparable(value: JsonValue): JsonValue {
  if (Array.isArray(value))
    return value.map(comparable).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value)
    .filter((name) => !DERIVED.has(name) && name !== "$ref")
    .toSorted();
  const kept = names.filter((name) => value[name] !== null && !(name === "primary" && value[name] === false));
  return Object.fromEntries(kept.map((name) => [name, comparable(value[name] ?? null)]));
}

async function outcomeOf(row: PatchCase): Promise<PatchOutcome> {
  const tested = testService(bindTestExtension());
  const id = String(row.before["id"]);
  const before = await store(tested, row.resourceType, row.before);
  for (const other of row.existing) await store(tested, row.resourceType, other);
  const context = tested.context("strict");
  try {
    await tested.service.patch(context, { ...PLAIN, type: row.resourceType, id, body: row.body });
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    const unchanged = await tested.store.read(
      SCOPE,
      { type: row.resourceType, id },
      { collections: [], inverses: [] },
    );
    expect(unchanged?.version).toBe(before);
    return { kind: "error", status: error.status, scimType: error.scimType ?? "" };
  }
  const answer = await tested.service.read(context, { ...PLAIN, type: row.resourceType, id });
  if (answer.kind !== "resource") throw new TypeError("Expected a resource");
  return { kind: "resource", after: answer.resource, changed: answer.version !== before };
}

function normal(outcome: PatchOutcome): unknown {
  return outcome.kind === "error" ? outcome : { changed: outcome.changed, after: comparable(outcome.after) };
}

describe("PATCH table (RFC 7644 §3.5.2)", () => {
  test.each(loadPatchCases().map((row) => [row.id, [...row.rules, row.note].join(" "), row] as const))(
    "%s %s",
    async (id, _note, row) => {
      const outcome = normal(await outcomeOf(row));
      const decided = DECIDED.get(id);
      if (decided === undefined) expect(outcome).toEqual(normal(row.expect));
      else expect(row.alternatives.map(normal), decided).toContainEqual(outcome);
    },
  );
});
