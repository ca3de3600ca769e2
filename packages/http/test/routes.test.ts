import { describe, expect, test } from "vitest";
import { Harness } from "./fake-service.ts";

describe("routes", () => {
  test.each([
    ["GET", "/Users", "list"],
    ["GET", "/Users/", "list"],
    ["GET", "/Users/?filter=userName+pr", "list"],
    ["HEAD", "/Users", "list"],
    ["POST", "/Users", "create"],
    ["GET", "/Users/1", "read"],
    ["GET", "/Users/1/", "read"],
    ["HEAD", "/Users/1", "read"],
    ["PUT", "/Users/1", "replace"],
    ["PATCH", "/Users/1", "patch"],
    ["DELETE", "/Users/1", "delete"],
    ["GET", "/Badges", "list"],
    ["GET", "/Schemas", "schemas"],
    ["GET", "/Schemas/", "schemas"],
    ["GET", "/Schemas/urn:ietf:params:scim:schemas:core:2.0:User", "schema"],
    ["GET", "/ResourceTypes", "resourceTypes"],
    ["GET", "/ResourceTypes/User", "resourceType"],
    ["GET", "/ServiceProviderConfig", "serviceProviderConfig"],
    ["HEAD", "/ServiceProviderConfig", "serviceProviderConfig"],
  ])("%s %s reaches %s", async (method, target, operation) => {
    const harness = new Harness();
    const body = method === "GET" || method === "HEAD" || method === "DELETE" ? null : "{}";
    const response = await harness.send({ method, target, body });
    expect(harness.service.calls.map((call) => call.operation)).toEqual([operation]);
    expect(response.status).toBeLessThan(300);
  });

  test.each([
    "",
    "/",
    "//",
    "//Users",
    "/users",
    "/Nothing",
    "/Nothing/1",
    "/Users/1/2",
    "/Users//",
    "/Users/../Groups",
    "/Users/%",
    "/Users/%zz",
    "/Users/%c0%af",
    "/%ff",
    "/Users/1.scim/x",
    "/ServiceProviderConfig/x",
    "/ServiceProviderConfigs",
    "/Me/x",
    "/Bulk/x",
    "/.search",
    "/Users/.search",
    "/constructor",
    "/__proto__/toString",
  ])("R7644-3.12-01 GET '%s' is 404 with a SCIM Error", async (target) => {
    const harness = new Harness();
    const response = await harness.send({ target });
    expect(response.json).toMatchObject({ status: "404", detail: "There is nothing at this address." });
    expect(response.status).toBe(404);
    expect(harness.service.calls).toEqual([]);
  });

  test("POST to .search is 404, since it is not served", async () => {
    const harness = new Harness();
    expect((await harness.send({ method: "POST", target: "/Users/.search", body: "{}" })).status).toBe(404);
  });

  test.each([
    ["/Users/a%20b", "a b"],
    ["/Users/..%2FGroups%2F1", "../Groups/1"],
    ["/Users/%2e%2e", ".."],
    ["/Users/auth0%7C65f", "auth0|65f"],
    ["/Users/a+b", "a+b"],
    ["/Users/%00", "\u0000"],
    ["/Users/__proto__", "__proto__"],
  ])("the id of %s is decoded once and stays one id", async (target, id) => {
    const harness = new Harness();
    await harness.send({ target });
    expect(harness.service.calls).toMatchObject([{ operation: "read", request: { type: "User", id } }]);
  });

  test.each([
    ["DELETE", "/Users", "GET, HEAD, POST, OPTIONS"],
    ["PUT", "/Groups", "GET, HEAD, POST, OPTIONS"],
    ["POST", "/Users/1", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"],
    ["PROPFIND", "/Users/1", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"],
    ["POST", "/Schemas", "GET, HEAD, OPTIONS"],
    ["PATCH", "/ResourceTypes/User", "GET, HEAD, OPTIONS"],
    ["DELETE", "/ServiceProviderConfig", "GET, HEAD, OPTIONS"],
    ["GET", "/Bulk", "POST, OPTIONS"],
    ["POST", "/Badges", "GET, HEAD, OPTIONS"],
    ["PUT", "/Badges/1", "GET, HEAD, OPTIONS"],
  ])("R7644-3.2-04 %s %s is 405 with Allow", async (method, target, allow) => {
    const response = await new Harness().send({ method, target });
    expect(response.status).toBe(405);
    expect(response.headers["allow"]).toBe(allow);
    expect(response.json).toMatchObject({ status: "405" });
  });

  test.each([
    ["GET", "/Me"],
    ["POST", "/Me"],
    ["PATCH", "/Me"],
    ["POST", "/Bulk"],
  ])("R7644-3.11-01 %s %s is 501 while it is not offered", async (method, target) => {
    const response = await new Harness().send({ method, target, body: "{}" });
    expect(response.status).toBe(501);
    expect(response.json).toMatchObject({ status: "501" });
  });

  test.each([
    ["/Users", "GET, HEAD, POST, OPTIONS"],
    ["/Badges/1", "GET, HEAD, OPTIONS"],
    ["/Schemas", "GET, HEAD, OPTIONS"],
    ["/Bulk", "POST, OPTIONS"],
  ])("OPTIONS %s tells what is offered", async (target, allow) => {
    const response = await new Harness().send({ method: "OPTIONS", target });
    expect(response).toMatchObject({ status: 204, headers: { allow }, body: null });
  });

  test.each([
    "/Schemas?filter=id+pr",
    "/ResourceTypes?FILTER=x",
    "/ServiceProviderConfig?filter",
    "/Schemas/u?x=1&filter=%zz",
  ])("R7644-4-05 GET %s is 403", async (target) => {
    const harness = new Harness();
    expect((await harness.send({ target })).status).toBe(403);
    expect(harness.service.calls).toEqual([]);
  });

  test("R7644-4-04 other parameters of discovery are ignored", async () => {
    const response = await new Harness().send({
      target: "/Schemas?count=x&count=1&startIndex=2&attributes=name",
    });
    expect(response.status).toBe(200);
  });
});
