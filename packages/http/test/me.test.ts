import { describe, expect, test } from "vitest";
import { failing, Harness } from "./fake-service.ts";

const PERMANENT = "https://id.example/scim/v2/Users/2819c223";

describe("/Me", () => {
  test.each([
    ["GET", "read", 200],
    ["HEAD", "read", 200],
    ["PUT", "replace", 200],
    ["PATCH", "patch", 200],
    ["DELETE", "delete", 204],
  ])(
    "R7644-3.11-03 %s is %s of the caller's resource, at its permanent address",
    async (method, operation, status) => {
      const harness = new Harness();
      const body = method === "PUT" || method === "PATCH" ? "{}" : null;
      const response = await harness.send({ method, target: "/Me", body });
      expect(response).toMatchObject({ status, headers: { location: PERMANENT } });
      expect(harness.service.calls).toMatchObject([
        { operation: "me" },
        { operation, request: { type: "User", id: "2819c223" } },
      ]);
      expect(harness.records[0]?.route).toBe("/Me");
    },
  );

  test("R7644-3.11-06 attributes, excludedAttributes, entity tags and Prefer work as usual; a filter is ignored", async () => {
    const harness = new Harness();
    await harness.send({
      target: "/Me?attributes=userName&excludedAttributes=emails&filter=a+pr",
      headers: { "if-none-match": 'W/"v1"' },
    });
    await harness.send({
      method: "PATCH",
      target: "/Me",
      body: "{}",
      headers: { "if-match": "v1", prefer: "return=minimal" },
    });
    expect(harness.service.calls.filter(({ operation }) => operation !== "me")).toMatchObject([
      {
        request: {
          attributes: ["userName"],
          excludedAttributes: ["emails"],
          precondition: { ifNoneMatch: ["v1"] },
        },
      },
      { request: { precondition: { ifMatch: ["v1"] }, prefer: "minimal" } },
    ]);
  });

  test("R7644-3.11-03 304, 204 and errors of the resource tell the permanent address too", async () => {
    const harness = new Harness();
    harness.service.readAnswer = "notModified";
    harness.service.patchAnswer = "noContent";
    const get = await harness.send({ target: "/Me" });
    const patch = await harness.send({ method: "PATCH", target: "/Me", body: "{}" });
    const broken = await harness.send({ method: "PUT", target: "/Me", body: "{" });
    harness.service.before = (operation) => {
      if (operation === "delete") failing("versionMismatch")();
    };
    const stale = await harness.send({ method: "DELETE", target: "/Me" });
    const answers = [get, patch, broken, stale];
    expect(answers.map(({ status }) => status)).toEqual([304, 204, 400, 412]);
    for (const { headers } of answers) expect(headers).toMatchObject({ location: PERMANENT });
  });

  test("an id is percent-encoded in the address", async () => {
    const harness = new Harness();
    harness.service.identity = { type: "Group", id: "a/b c" };
    const { headers } = await harness.send({ method: "DELETE", target: "/Me" });
    expect(headers["location"]).toBe("https://id.example/scim/v2/Groups/a%2Fb%20c");
  });

  test("R7644-3.11-04 POST is 501", async () => {
    const harness = new Harness();
    const response = await harness.send({ method: "POST", target: "/Me", body: "{}" });
    expect(response.json).toMatchObject({ status: "501" });
    expect(harness.service.calls).toEqual([]);
  });

  test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "R7644-3.11-01 R7644-3.11-05 %s answers 501 where /Me is off, 404 where the caller is no resource",
    async (method) => {
      for (const [code, status] of [
        ["notImplemented", 501],
        ["notFound", 404],
      ] as const) {
        const harness = new Harness();
        harness.service.before = failing(code);
        const response = await harness.send({ method, target: "/Me", body: "{}" });
        expect(response.status).toBe(status);
        expect(response.headers).not.toHaveProperty("location");
      }
    },
  );

  test("the operations of the type hold here too", async () => {
    const harness = new Harness();
    harness.service.identity = { type: "Badge", id: "1" };
    const response = await harness.send({ method: "DELETE", target: "/Me" });
    expect(response).toMatchObject({ status: 405, headers: { allow: "GET, HEAD, OPTIONS" } });
  });

  test("a type that is not served any more is nothing", async () => {
    const harness = new Harness();
    harness.service.identity = { type: "Robot", id: "1" };
    expect((await harness.send({ target: "/Me" })).status).toBe(404);
  });

  test.each([
    ["GET", "scim:read"],
    ["PATCH", "scim:write"],
    ["DELETE", "scim:delete"],
  ])("%s asks for %s, as at the resource", async (method, scope) => {
    const harness = new Harness();
    const send = (token: string) => harness.send({ method, target: "/Me", body: "{}", token });
    expect((await send(`token:${scope}`)).status).toBeLessThan(300);
    expect((await send("token:scim:bulk")).headers["www-authenticate"]).toContain(`scope="${scope}"`);
  });
});
