import type { SwitchName } from "@scim/core";
import { BULK_REQUEST_URN, ENTERPRISE_USER_URN, type JsonValue, USER_URN } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { explainRequest, type LoggedRequest } from "../src/index.ts";
import { sampleRequest } from "../src/testing/sample-requests.ts";

function explained(json: JsonValue, name: SwitchName, path: string): string {
  const entry: LoggedRequest = sampleRequest(0, {
    connection: "entra",
    body: { json },
    switches: [{ name, path }],
    failedOperations: [],
  });
  const [sentence = ""] = explainRequest(entry);
  return sentence;
}

const BOOLEANS = "string-booleans";
const READ_FALSE = 'as the string "False"; switch string-booleans read it as false.';

describe("what an explanation says was sent is what stands at the path", () => {
  test.each<readonly [where: string, body: JsonValue, name: SwitchName, path: string, begins: string]>([
    [
      "and not what another attribute has under the same last name",
      { emails: [{ value: "~a", primary: "True" }], roles: [{ value: "~b", primary: "False" }] },
      BOOLEANS,
      "roles.primary",
      `entra sent roles.primary ${READ_FALSE}`,
    ],
    [
      "in the value that asked for it, behind one that did not",
      {
        emails: [
          { value: "~a", primary: true },
          { value: "~b", primary: "False" },
        ],
      },
      BOOLEANS,
      "emails.primary",
      `entra sent emails.primary ${READ_FALSE}`,
    ],
    [
      "in the operation of a bulk job that asked for it",
      {
        schemas: [BULK_REQUEST_URN],
        Operations: [
          { method: "POST", path: "/Users", data: { userName: "~a", active: true } },
          {
            method: "PATCH",
            path: "/Users/1",
            data: { Operations: [{ op: "replace", path: "active", value: "False" }] },
          },
        ],
      },
      BOOLEANS,
      "active",
      `entra sent active ${READ_FALSE}`,
    ],
    [
      "by a path with a filter",
      { Operations: [{ op: "add", path: 'roles[type eq "~a.b]"].primary', value: "False" }] },
      BOOLEANS,
      "roles.primary",
      `entra sent roles.primary ${READ_FALSE}`,
    ],
    [
      "by a path that ends above it",
      { Operations: [{ Op: "add", Path: "roles", Value: [{ value: "~a", primary: "False" }] }] },
      BOOLEANS,
      "roles.primary",
      `entra sent roles.primary ${READ_FALSE}`,
    ],
    [
      "by the name with its URN",
      { Operations: [{ op: "replace", value: { [`${USER_URN}:active`]: "False" } }] },
      BOOLEANS,
      "active",
      `entra sent active ${READ_FALSE}`,
    ],
    [
      "below the URN of an extension",
      { displayName: "~a", [ENTERPRISE_USER_URN]: { manager: "" } },
      "reference-as-string",
      `${ENTERPRISE_USER_URN}:manager`,
      `entra sent ${ENTERPRISE_USER_URN}:manager as the string ""; switch reference-as-string: `,
    ],
    [
      "by a path into an extension",
      { Operations: [{ op: "add", path: `${ENTERPRISE_USER_URN}:manager`, value: "~a" }] },
      "reference-as-string",
      `${ENTERPRISE_USER_URN}:manager`,
      `entra sent ${ENTERPRISE_USER_URN}:manager as a string; switch reference-as-string: `,
    ],
    [
      "in a list",
      { active: ["False"] },
      BOOLEANS,
      "active",
      "entra sent active as a list of one value; switch string-booleans: ",
    ],
    [
      "and not the operations, where the value of one has no path",
      { Operations: [{ op: "replace", value: "~withheld" }] },
      "object-as-text",
      "Operations",
      "At 'Operations'; switch object-as-text: ",
    ],
  ])("%s", (_where, body, name, path, begins) => {
    expect(explained(body, name, path).slice(0, begins.length)).toBe(begins);
  });

  test("and a body is gone through once, however many tolerances it made use of", () => {
    let reads = 0;
    const body = {
      get active() {
        reads += 1;
        return "False";
      },
    };
    const switches = Array.from({ length: 100 }, () => ({
      name: "string-booleans" as const,
      path: "active",
    }));
    const sentences = explainRequest(
      sampleRequest(0, { body: { json: body }, switches, failedOperations: [] }),
    );
    expect([sentences.length, reads]).toEqual([100, 1]);
  });

  test.each<readonly [where: string, body: JsonValue, path: string]>([
    [
      "a filter of a path",
      {
        Operations: [
          { op: "add", path: 'roles[primary eq "True"].value', value: "~a" },
          { op: "add", path: 'emails[type eq "work"].primary', value: true },
        ],
      },
      "roles.primary",
    ],
    ["a place that the log cut off", { emails: [{ value: "~a", primary: true }] }, "emails.primary"],
  ])("or nothing, where it stands in %s", (_where, body, path) => {
    expect(explained(body, BOOLEANS, path)).toMatch(
      new RegExp(`^At '${path}'; switch string-booleans: Reads `),
    );
  });
});
