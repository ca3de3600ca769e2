import { ScimError } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { Harness } from "./fake-service.ts";

const MESSAGE = {
  schemas: ["urn:example:params:scim:api:messages:scim:1.0:DryRunResponse"],
  valid: true,
  status: "201",
  resource: { userName: "bjensen" },
  diff: [{ op: "add", path: "userName", value: "bjensen" }],
};

const CHANGES = [
  ["POST", "/Users", "create", {}],
  ["PUT", "/Users/1", "replace", { id: "1" }],
  ["PATCH", "/Users/1", "patch", { id: "1" }],
  ["DELETE", "/Users/1", "delete", { id: "1" }],
  ["PUT", "/Me", "replace", { id: "2819c223" }],
  ["PATCH", "/Me", "patch", { id: "2819c223" }],
  ["DELETE", "/Me", "delete", { id: "2819c223" }],
] as const;

describe("a dry run", () => {
  test.each(CHANGES)("below /.dry-run: %s %s", async (method, target, operation, request) => {
    const harness = new Harness();
    const body = method === "DELETE" ? null : "{}";
    const response = await harness.send({ method, target: `/.dry-run${target}`, body });
    expect(response.json).toEqual(MESSAGE);
    expect(response.status).toBe(200);
    expect(response.headers).toEqual({
      "content-type": "application/scim+json; charset=utf-8",
      "scim-dry-run": "true",
    });
    expect(harness.service.calls.filter((call) => call.operation !== "me")).toMatchObject([
      { operation: "dryRun", request: { operation, request: { type: "User", ...request } } },
    ]);
  });

  test.each(CHANGES)("by the header: %s %s", async (method, target, operation) => {
    const harness = new Harness();
    const body = method === "DELETE" ? null : "{}";
    const response = await harness.send({ method, target, body, headers: { "scim-dry-run": " True " } });
    expect(response.json).toEqual(MESSAGE);
    expect(response.headers).toEqual({
      "content-type": "application/scim+json; charset=utf-8",
      "scim-dry-run": "true",
    });
    expect(harness.service.calls.at(-1)).toMatchObject({ operation: "dryRun", request: { operation } });
  });

  test("an answer of no change: the error, no resource, still 200", async () => {
    const harness = new Harness();
    harness.service.dryRunAnswer = {
      kind: "dryRun",
      valid: false,
      status: 409,
      resource: null,
      diff: [],
      error: new ScimError("uniqueness", "Taken."),
    };
    const response = await harness.send({ method: "POST", target: "/.dry-run/Users", body: "{}" });
    expect(response.status).toBe(200);
    expect(response.json).toEqual({
      schemas: MESSAGE.schemas,
      valid: false,
      status: "409",
      resource: null,
      diff: [],
      error: {
        schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
        status: "409",
        scimType: "uniqueness",
        detail: "Taken.",
      },
    });
  });

  test.each(["yes", "1", "", "true, true", "tru"])(
    "SCIM-Dry-Run: '%s' changes nothing: 400",
    async (word) => {
      for (const [method, target] of CHANGES) {
        const harness = new Harness();
        const response = await harness.send({
          method,
          target,
          body: "{}",
          headers: { "scim-dry-run": word },
        });
        expect(response.json).toMatchObject({
          status: "400",
          detail: expect.stringContaining("SCIM-Dry-Run"),
        });
        expect(harness.service.calls.filter((call) => call.operation !== "me")).toEqual([]);
      }
    },
  );

  test("SCIM-Dry-Run: false makes the change, except below /.dry-run", async () => {
    const harness = new Harness();
    const headers = { "scim-dry-run": "false" };
    const made = await harness.send({ method: "POST", target: "/Users", body: "{}", headers });
    expect(made.status).toBe(201);
    expect(made.headers).not.toHaveProperty("scim-dry-run");
    await harness.send({ method: "POST", target: "/.dry-run/Users", body: "{}", headers });
    expect(harness.service.calls.map((call) => call.operation)).toEqual(["create", "dryRun"]);
  });

  test("versions and projection are passed on", async () => {
    const harness = new Harness();
    await harness.send({
      method: "PUT",
      target: "/.dry-run/Users/1?attributes=userName",
      body: "{}",
      headers: { "if-match": 'W/"v7"' },
    });
    expect(harness.service.calls[0]?.request).toMatchObject({
      request: { attributes: ["userName"], precondition: { ifMatch: ["v7"] } },
    });
  });

  test.each([
    ["text/plain", "{}", 415],
    ["application/json", "{", 400],
  ])("what cannot be read is refused as ever: %s %s", async (contentType, body, status) => {
    const harness = new Harness();
    const headers = { "content-type": contentType };
    const response = await harness.send({ method: "POST", target: "/.dry-run/Users", body, headers });
    expect(response.status).toBe(status);
  });

  test.each([
    ["/.dry-run/Bulk", {}],
    ["/Bulk", { "scim-dry-run": "true" }],
    ["/Bulk", { "scim-dry-run": "maybe" }],
  ])("there is none of a bulk job: POST %s %j", async (target, headers) => {
    const harness = new Harness();
    const response = await harness.send({ method: "POST", target, body: "{}", headers });
    expect(response.json).toMatchObject({ status: "400", scimType: "invalidValue" });
    expect(harness.service.calls).toEqual([]);
  });

  test("a read takes no notice of the header", async () => {
    const headers = { "scim-dry-run": "true" };
    const response = await new Harness().send({ target: "/Users/1", headers });
    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty("scim-dry-run");
  });

  test.each([
    ["POST", "/.dry-run/Users", "/.dry-run/Users"],
    ["PUT", "/.dry-run/Groups/secret", "/.dry-run/Groups/{id}"],
    ["DELETE", "/.dry-run/Me", "/.dry-run/Me"],
    ["PUT", "/.dry-run/secret/secret", "/.dry-run/{endpoint}/{id}"],
  ])("R7644-7-01 %s %s is logged as %s", async (method, target, route) => {
    const harness = new Harness();
    await harness.send({ method, target, body: "{}" });
    expect(harness.records[0]?.route).toBe(route);
  });
});
