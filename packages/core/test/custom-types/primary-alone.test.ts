import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { ownValues } from "../support/bodies.ts";
import { idOf, type TestClient } from "../support/client.ts";
import { testService } from "../support/service.ts";

const URN = "urn:example:params:scim:schemas:acme:1.0:Link";

const primary = { name: "primary", type: "boolean" };
const label = { name: "label", type: "string" };

function client(): TestClient {
  return testService((registry) => {
    registry.addSchema({
      id: URN,
      attributes: [
        label,
        primary,
        { name: "line", type: "complex", subAttributes: [primary, label] },
        { name: "lines", type: "complex", multiValued: true, subAttributes: [primary, label] },
      ],
    });
    registry.addResourceType({ name: "Link", endpoint: "/Links", schema: URN });
  }).as("strict");
}

const START = { line: { label: "a" }, lines: [{ label: "a" }] };

describe("R7643-2.4-03: only in a list is a primary of false the same as none", () => {
  test.each([
    ["the resource", { op: "add", path: "primary", value: false }, { primary: false }],
    ["a complex attribute", { op: "add", path: "line.primary", value: false }, lineOf(false)],
    [
      "a complex attribute, named whole",
      { op: "replace", path: "line", value: { primary: false } },
      lineOf(false),
    ],
    ["a complex attribute, without path", { op: "add", value: { line: { primary: false } } }, lineOf(false)],
  ])("false is stored in %s, and taken away again", async (_name, operation, expected) => {
    const links = client();
    const id = idOf(await links.post("Link", { schemas: [URN], ...START }));
    expect(ownValues(await links.patched("Link", id, [operation]))).toEqual({ ...START, ...expected });
    expect(ownValues(await links.resource("Link", id))).toEqual({ ...START, ...expected });
    await links.put("Link", id, { schemas: [URN], ...START });
    expect(ownValues(await links.resource("Link", id))).toEqual(START);
  });

  test("in a value of a list it changes nothing", async () => {
    const links = client();
    const { resource } = await links.post("Link", { schemas: [URN], ...START });
    const operation = { op: "add", path: "lines.primary", value: false };
    expect(await links.patched("Link", String(resource["id"]), [operation])).toEqual(resource);
  });
});

function lineOf(isPrimary: boolean): JsonObject {
  return { line: { label: "a", primary: isPrimary } };
}
