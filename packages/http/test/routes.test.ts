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
    ["GET", "", "list"],
    ["GET", "/", "list"],
    ["GET", "?filter=userName+pr", "list"],
    ["GET", "/?filter=userName+pr", "list"],
    ["HEAD", "/", "list"],
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

  test("R7643-7-05 attributes of the configuration that are returned on request can be asked for", async () => {
    const harness = new Harness();
    await harness.send({ target: "/ServiceProviderConfig?attributes=a,urn:b&count=1" });
    await harness.send({ target: "/ServiceProviderConfig" });
    expect(harness.service.calls.map(({ request }) => request)).toMatchObject([
      { attributes: ["a", "urn:b"] },
      { attributes: null },
    ]);
  });

  test.each([
    "//",
    "//x",
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
    "/Me/x",
    "/Bulk/x",
    "/Users/1/.search",
    "/Me/.search",
    "/Bulk/.search",
    "/.search/x",
    "/.search/.search",
    "/Schemas/.search",
    "/ResourceTypes/.search",
    "/ServiceProviderConfig/.search",
    "/.dry-run",
    "/.dry-run/",
    "/.dry-run//Users",
    "/.dry-run/.search",
    "/.dry-run/Users/.search",
    "/.dry-run/Schemas",
    "/.dry-run/Users/1/2",
    "/.dry-run/.dry-run/Users",
    "/constructor",
    "/__proto__/toString",
  ])("R7644-3.12-01 GET '%s' is 404 with a SCIM Error", async (target) => {
    const harness = new Harness();
    const response = await harness.send({ target });
    expect(response.json).toMatchObject({ status: "404", detail: "There is nothing at this address." });
    expect(response.status).toBe(404);
    expect(harness.service.calls).toEqual([]);
  });

  test.each([
    ["/users", "/Users"],
    ["/USERS/1", "/Users"],
    ["/.dry-run/group", "/Groups"],
    ["/ResourceType", "/ResourceTypes"],
    ["/ServiceProviderConfigs", "/ServiceProviderConfig"],
    ["/schemas/urn:a:b", "/Schemas"],
  ])("R7644-3.12-01 '%s' is 404 with the endpoint that is meant", async (target, meant) => {
    const method = target.startsWith("/.dry-run") ? "POST" : "GET";
    const harness = new Harness();
    const response = await harness.send({ method, target, ...(method === "POST" ? { body: "{}" } : {}) });
    const detail = `There is nothing at this address: '${meant}' is written so.`;
    expect(response.json).toMatchObject({ status: "404", detail });
    expect(response.status).toBe(404);
    expect(harness.service.calls).toEqual([]);
  });

  test.each([
    ["GET", "//Users", "/Users"],
    ["POST", "//Users", "/Users"],
    ["GET", "//Users?filter=userName+pr", "/Users"],
    ["PATCH", "//Groups/1", "/Groups"],
    ["GET", "//ServiceProviderConfig", "/ServiceProviderConfig"],
    ["GET", "/v2/Users", "/Users"],
    ["DELETE", "/scim/v2/Users/1", "/Users"],
  ])("R7644-3.12-01 %s '%s' is 404, and tells to mend the base address", async (method, target, endpoint) => {
    const harness = new Harness();
    const hasBody = method === "POST" || method === "PATCH";
    const response = await harness.send({ method, target, ...(hasBody ? { body: "{}" } : {}) });
    const why = `'${endpoint}' comes right behind the base address. Look at the one that the client was given: it must end without a slash`;
    expect(response.json).toMatchObject({ status: "404", detail: expect.stringContaining(why) });
    expect(harness.service.calls).toEqual([]);
  });

  test.each([
    ["POST", "/Printers/.search"],
    ["POST", "/Users/1/.search"],
    ["POST", "/Me/.search"],
    ["POST", "/Schemas/.search"],
    ["POST", "/ResourceTypes/.search"],
    ["POST", "/.dry-run/Printers"],
    ["DELETE", "/.dry-run/Printers/1"],
    ["POST", "/.dry-run/.search"],
  ])("R7644-3.4.3-05 %s %s is 404", async (method, target) => {
    const response = await new Harness().send({ method, target, body: "{}" });
    expect(response.json).toMatchObject({ status: "404", detail: "There is nothing at this address." });
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
    ["POST", "/", "GET, HEAD, OPTIONS"],
    ["DELETE", "/?filter=x", "GET, HEAD, OPTIONS"],
    ["GET", "/.search", "POST, OPTIONS"],
    ["GET", "/Users/.search", "POST, OPTIONS"],
    ["HEAD", "/Users/.search", "POST, OPTIONS"],
    ["DELETE", "/Users/.search", "POST, OPTIONS"],
    ["PUT", "/Bulk", "POST, OPTIONS"],
    ["GET", "/.dry-run/Users", "POST, OPTIONS"],
    ["HEAD", "/.dry-run/Users/1", "PUT, PATCH, DELETE, OPTIONS"],
    ["POST", "/.dry-run/Users/1", "PUT, PATCH, DELETE, OPTIONS"],
    ["GET", "/.dry-run/Me", "PUT, PATCH, DELETE, OPTIONS"],
    ["POST", "/.dry-run/Badges", "OPTIONS"],
    ["TRACE", "/Me", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"],
  ])(
    "R7644-3.2-04 R7644-3.3-10 R7644-3.6-07 R7644-4-08 %s %s is 405 with Allow",
    async (method, target, allow) => {
      const response = await new Harness().send({ method, target });
      expect(response.status).toBe(405);
      expect(response.headers["allow"]).toBe(allow);
      expect(response.json).toEqual(method === "HEAD" ? null : expect.objectContaining({ status: "405" }));
    },
  );

  test.each([
    ["DELETE", "/Badges", "GET, HEAD, OPTIONS", "GET, HEAD, POST, OPTIONS"],
    ["POST", "/Badges/1", "GET, HEAD, OPTIONS", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"],
    ["GET", "/.dry-run/Badges/1", "OPTIONS", "PUT, PATCH, DELETE, OPTIONS"],
  ])(
    "R7644-3.2-04 %s %s: Allow is that of the type, told to who is known",
    async (method, target, own, most) => {
      const harness = new Harness();
      const allow = async (token: string | null) =>
        (await harness.send({ method, target, token })).headers["allow"];
      expect(await allow("token:scim")).toBe(own);
      for (const token of [null, "nobody", "broken-store"]) expect(await allow(token)).toBe(most);
    },
  );

  test.each([
    ["/Users", "GET, HEAD, POST, OPTIONS"],
    ["/Badges/1", "GET, HEAD, OPTIONS"],
    ["/Schemas", "GET, HEAD, OPTIONS"],
    ["/Bulk", "POST, OPTIONS"],
    ["/", "GET, HEAD, OPTIONS"],
    ["", "GET, HEAD, OPTIONS"],
    ["/.search", "POST, OPTIONS"],
    ["/Badges/.search", "POST, OPTIONS"],
    ["/Me", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"],
    ["/.dry-run/Users", "POST, OPTIONS"],
    ["/.dry-run/Badges/1", "OPTIONS"],
    ["/.dry-run/Me", "PUT, PATCH, DELETE, OPTIONS"],
    ["/.dry-run/Bulk", "POST, OPTIONS"],
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
