import { describe, expect, test } from "vitest";
import { failing, Harness, type Sent } from "./fake-service.ts";

// Each row has everything wrong from its layer on: the earlier layer must answer.
const WRONG = {
  method: "TRACE",
  token: "nobody",
  scopes: "token:scim:read",
  contentType: { "content-type": "text/plain" },
  body: "x".repeat(40),
  syntax: "{",
};

const ROWS: readonly { readonly layer: string; readonly sent: Sent; readonly status: number }[] = [
  { layer: "method", sent: { method: WRONG.method, target: "/Users", token: WRONG.token }, status: 405 },
  { layer: "method of a collection", sent: { method: "DELETE", target: "/Users", token: null }, status: 405 },
  { layer: "method of an item", sent: { method: "POST", target: "/Users/1", token: null }, status: 405 },
  { layer: "method of discovery", sent: { method: "PUT", target: "/Schemas", token: null }, status: 405 },
  {
    layer: "authentication",
    sent: {
      method: "POST",
      target: "/Users",
      token: WRONG.token,
      headers: WRONG.contentType,
      body: WRONG.body,
    },
    status: 401,
  },
  { layer: "authentication before routes", sent: { target: "/Nothing", token: null }, status: 401 },
  {
    layer: "scope",
    sent: {
      method: "POST",
      target: "/Users",
      token: WRONG.scopes,
      headers: WRONG.contentType,
      body: WRONG.body,
    },
    status: 403,
  },
  {
    layer: "media type",
    sent: { method: "POST", target: "/Users", headers: WRONG.contentType, body: WRONG.body },
    status: 415,
  },
  { layer: "size", sent: { method: "POST", target: "/Users", body: WRONG.body }, status: 413 },
  { layer: "JSON syntax", sent: { method: "POST", target: "/Users", body: WRONG.syntax }, status: 400 },
  { layer: "service", sent: { method: "POST", target: "/Users", body: "{}" }, status: 409 },
];

describe("order of layers", () => {
  test.each(ROWS)("$layer answers $status", async ({ sent, status }) => {
    const harness = new Harness({ limits: { bodyBytes: 32 } });
    harness.service.before = failing("uniqueness");
    const response = await harness.send(sent);
    expect(response.status).toBe(status);
    expect(response.json).toMatchObject({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: String(status),
    });
    expect(response.headers["content-type"]).toBe("application/scim+json; charset=utf-8");
    expect(harness.service.calls).toEqual([]);
  });
});
