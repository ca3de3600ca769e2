import type { JsonObject, JsonValue } from "@scim/schemas";
import { expect, test } from "vitest";
import { createMemoryHandler, runHandlerContract } from "../../src/testing/index.ts";
import { things } from "../support/things.ts";
import { testSources } from "../support/sources.ts";

const REFERENCE: JsonObject = {
  type: "complex",
  subAttributes: [
    { name: "value", type: "string", caseExact: true },
    { name: "$ref", type: "reference", caseExact: true, referenceTypes: ["Thing"] },
  ],
};
const PARTS: JsonObject = {
  type: "complex",
  subAttributes: [
    { name: "made", type: "dateTime" },
    { name: "size", type: "integer", returned: "request" },
    { name: "on", type: "boolean" },
  ],
};

const day = (n: number): string => `2026-01-${String(10 + (n % 18))}T08:00:00Z`;

test.each<[string, JsonObject, (n: number) => JsonValue, JsonValue]>([
  ["a date", { type: "dateTime" }, day, "2020-01-01T00:00:00Z"],
  ["bytes", { type: "binary", caseExact: true }, () => "AAAA", "AAAB"],
  ["an address", { type: "reference", referenceTypes: ["external"] }, (n) => `https://x.example/${n}`, "x:y"],
  ["a whole number", { type: "integer" }, (n) => n, 1000],
  ["a number", { type: "decimal" }, (n) => n + 0.5, 1000.25],
  ["one of some texts", { type: "string", canonicalValues: ["a", "b"] }, () => "a", "b"],
  ["what is shown on request", { type: "string", returned: "request" }, (n) => `Note ${n}`, "Other"],
  ["parts of several kinds", PARTS, (n) => ({ made: day(n), size: n, on: true }), { size: 7 }],
  ["a reference", REFERENCE, (n) => ({ value: `t${n}` }), { value: "other" }],
  ["references", { ...REFERENCE, multiValued: true }, (n) => [{ value: `t${n}` }], [{ value: "o" }]],
])("a handler that does right keeps all rules for %s", async (_, held, valueOf, other) => {
  const state = (n: number, value: JsonValue): JsonObject => ({ label: `Thing ${n}`, held: value });
  const findings = await runHandlerContract({
    type: "Thing",
    registry: things(held),
    open: () => createMemoryHandler(),
    sample: (n) => state(n, valueOf(n)),
    changed: (n) => state(n, other),
    sources: testSources(),
  });
  expect(findings.filter(({ outcome }) => outcome === "broken")).toEqual([]);
  const unsupported = findings.filter(({ outcome }) => outcome === "unsupported").map(({ rule }) => rule);
  expect(unsupported.filter((rule) => rule === "attributes/kept" || rule === "write/awkward-text")).toEqual(
    [],
  );
});

test.each([
  ["immutable and unique", "immutable", "server"],
  ["immutable", "immutable", "none"],
  ["unique, beside another", "readWrite", "server"],
] as const)("a handler that does right keeps all rules for what is %s", async (_, mutability, uniqueness) => {
  const findings = await runHandlerContract({
    type: "Thing",
    registry: things({ type: "string", mutability, uniqueness }),
    open: () => createMemoryHandler(),
    sample: (n) => ({ label: `Thing ${n}`, held: `Serial ${n}` }),
    changed: (n) => ({ label: `Other thing ${n}`, held: `Serial ${n}` }),
    sources: testSources(),
  });
  expect(findings.filter(({ outcome }) => outcome === "broken")).toEqual([]);
});
