import { describe, expect, test } from "vitest";
import { Harness } from "./fake-service.ts";

const TAKEN = "application/scim+json, application/json";

describe("Content-Type", () => {
  test.each([
    [undefined, 201],
    ["", 201],
    ["application/scim+json", 201],
    ["application/json", 201],
    ["application/scim+json; charset=utf-8", 201],
    ["application/json;charset=UTF-8", 201],
    ['application/json; charset="utf-8"', 201],
    ["Application/JSON", 201],
    ["application/scim+json; profile=x; charset=utf8", 201],
    ["application/scim+json; charset=ISO-8859-1", 201],
    ["text/plain", 415],
    ["application/xml", 415],
    ["application/jsonp", 415],
    ["application/json-patch+json", 415],
    ["multipart/form-data; boundary=application/json", 415],
    ["json", 415],
    ["; charset=utf-8", 415],
  ])("R7644-3.8-04 R7644-3.8-05 '%s' answers %i", async (contentType, status) => {
    const harness = new Harness();
    const headers = contentType === undefined ? {} : { "content-type": contentType };
    const response = await harness.send({ method: "POST", target: "/Users", body: "{}", headers });
    expect(response.status).toBe(status);
    expect(harness.service.calls).toHaveLength(status === 201 ? 1 : 0);
    expect(response.headers["accept"]).toBe(status === 201 ? undefined : TAKEN);
  });

  test("of a PATCH that is none has the answer name what it may be", async () => {
    const headers = { "content-type": "application/json-patch+json" };
    const sent = { method: "PATCH", target: "/Users/1", body: "[]", headers };
    expect(await new Harness().send(sent)).toMatchObject({
      status: 415,
      headers: { accept: TAKEN, "accept-patch": TAKEN },
    });
  });

  test("is ignored where no body counts", async () => {
    const harness = new Harness();
    const headers = { "content-type": "text/plain" };
    expect((await harness.send({ target: "/Users/1", headers })).status).toBe(200);
    expect((await harness.send({ method: "DELETE", target: "/Users/1", headers, body: "junk" })).status).toBe(
      204,
    );
  });

  test.each([
    ["gzip", 415],
    ["identity, br", 415],
    ["identity", 201],
    ["", 201],
  ])("Content-Encoding '%s' answers %i: compressed bodies are refused", async (coding, status) => {
    const headers = { "content-encoding": coding };
    const sent = { method: "POST", target: "/Users", body: "{}", headers };
    const response = await new Harness().send(sent);
    expect([response.status, response.headers["accept-encoding"]]).toEqual([
      status,
      status === 415 ? "identity" : undefined,
    ]);
  });
});

describe("Accept", () => {
  test.each([
    [undefined, 200],
    ["", 200],
    ["*/*", 200],
    ["application/*", 200],
    ["application/scim+json", 200],
    ["application/json", 200],
    ["application/json; charset=utf-8", 200],
    ["APPLICATION/SCIM+JSON", 200],
    ["text/html, application/json;q=0.1", 200],
    ["text/html, image/gif, *; q=.2, */*; q=.2", 200],
    ["application/scim+json;q=0, */*", 200],
    ["application/json;q=high", 200],
    ["application/json;q=high, */*;q=0", 200],
    ["text/html", 406],
    ["application/xml, text/*", 406],
    ["application/json;q=0", 406],
    ["*/*;q=0", 406],
  ])("R7644-3.8-02 R7644-3.8-06 '%s' answers %i, always in application/scim+json", async (accept, status) => {
    const response = await new Harness().send({
      target: "/Users/1",
      headers: accept === undefined ? {} : { accept },
    });
    expect(response.status).toBe(status);
    expect(response.headers["content-type"]).toBe("application/scim+json; charset=utf-8");
  });
});
