import type { JsonObject } from "@scim/schemas";
import { beforeAll, describe, expect, test } from "vitest";
import { clientOf, USER, type Made } from "../over-http/client.ts";
import { exchange, type WireAnswer } from "../over-http/exchange.ts";
import { startOwnServer } from "../over-http/in-process.ts";
import { useInProcess } from "../over-http/use-server.ts";

const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";
const SCIM_JSON = "application/scim+json; charset=utf-8";

const client = useInProcess();
let user: Made;

beforeAll(async () => {
  user = await client.user({ userName: "somebody" });
});

interface ErrorRow {
  readonly title: string;
  readonly send: () => Promise<WireAnswer>;
  readonly status: number;
  readonly scimType?: string;
}

const withToken = (headers: Readonly<Record<string, string>>): Promise<WireAnswer> =>
  exchange(client.server.origin, { method: "GET", path: `${client.server.base}/Users`, headers });
const patch = (operation: JsonObject) => () => client.patch(user.path, [operation]);
const get = (path: string) => () => client.call("GET", path);

const ERRORS: readonly ErrorRow[] = [
  { title: "no credentials", send: () => withToken({}), status: 401 },
  { title: "A-HTTP-08 an unknown endpoint", send: get("/Printers"), status: 404 },
  { title: "A-HTTP-08 an unknown depth", send: get("/Users/a/b"), status: 404 },
  { title: "an unknown id", send: get("/Users/never-was"), status: 404 },
  { title: "A-HTTP-02 a method", send: () => client.call("PUT", "/Users", { body: {} }), status: 405 },
  {
    title: "A-HTTP-02 an answer that nobody can give",
    send: () => client.call("GET", "/Users", { headers: { Accept: "text/html" } }),
    status: 406,
  },
  {
    title: "A-HTTP-02 a media type",
    send: () => client.call("POST", "/Users", { body: "x", headers: { "Content-Type": "text/plain" } }),
    status: 415,
  },
  {
    title: "R7644-3.12-05 what is taken",
    send: () => client.call("POST", "/Users", { body: { schemas: [USER], userName: "somebody" } }),
    status: 409,
    scimType: "uniqueness",
  },
  {
    title: "a stale version",
    send: () => client.call("DELETE", user.path, { headers: { "If-Match": '"stale"' } }),
    status: 412,
  },
  {
    title: "a body that is too large",
    send: () => client.call("POST", "/Users", { body: " ".repeat(2 * 1024 * 1024) }),
    status: 413,
  },
  { title: "a filter", send: get("/Users?filter=userName"), status: 400, scimType: "invalidFilter" },
  { title: "discovery with a filter", send: get("/Schemas?filter=id%20pr"), status: 403 },
  {
    title: "a path",
    send: patch({ op: "replace", path: "nosuch", value: 1 }),
    status: 400,
    scimType: "invalidPath",
  },
  { title: "no target", send: patch({ op: "remove" }), status: 400, scimType: "noTarget" },
  {
    title: "a value",
    send: patch({ op: "replace", path: "title", value: 1 }),
    status: 400,
    scimType: "invalidValue",
  },
  {
    title: "syntax",
    send: patch({ op: "move", path: "title" }),
    status: 400,
    scimType: "invalidSyntax",
  },
  {
    title: "mutability",
    send: patch({ op: "replace", path: "id", value: "x" }),
    status: 400,
    scimType: "mutability",
  },
];

describe("an error", () => {
  test.each(ERRORS)(
    "R7644-3.12-01, R7644-3.12-02, R7644-3.12-03, R7644-3.2-03, R7644-8.1-01, R9457-01 of $title is $status, in status line and body",
    async ({ send, status, scimType }) => {
      const answer = await send();
      expect(answer.status).toBe(status);
      expect(answer.headers["content-type"]).toBe(SCIM_JSON);
      expect(answer.body).toMatchObject({
        schemas: [ERROR],
        status: String(status),
        detail: expect.stringMatching(/^[A-Z].*\.$/s),
      });
      expect(answer.body["scimType"]).toBe(scimType);
      expect(answer.body).not.toHaveProperty("title");
    },
  );

  test("R7644-3.2-04 of a method names those that are offered", async () => {
    const answer = await client.call("PUT", "/Users", { body: {} });
    expect(answer.headers.allow?.split(", ")).toEqual(expect.arrayContaining(["GET", "POST"]));
  });
});

describe("media types", () => {
  test.each(["application/scim+json", "application/json", "*/*"])(
    "R7644-3.1-01, R7644-3.8-02, R7644-8.1-01 accepted as %s, answered as SCIM's own",
    async (accept) => {
      const answer = await client.call("GET", user.path, { headers: { Accept: accept } });
      expect(answer.status).toBe(200);
      expect(answer.headers["content-type"]).toBe(SCIM_JSON);
    },
  );

  test("R7644-3.8-01 text is UTF-8 on both ways", async () => {
    const displayName = "Zoë 石 😀";
    const answer = await client.call("POST", "/Users", {
      body: Buffer.from(JSON.stringify({ schemas: [USER], userName: "utf-8", displayName }), "utf8"),
    });
    expect(answer.body["displayName"]).toBe(displayName);
    expect(answer.text).toContain(displayName);
  });

  test.each(["/Users.scim", "/ServiceProviderConfig.scim"])(
    "R7644-3.8-03 a suffix selects nothing: %s is 404",
    async (path) => {
      expect((await client.call("GET", path)).status).toBe(404);
    },
  );

  test("R7644-3.8-03 an id with a suffix is another id", async () => {
    expect((await client.call("GET", `${user.path}.scim`)).status).toBe(404);
  });
});

test("A-HTTP-07 what is switched off is 501, told as an error", async () => {
  const off = await startOwnServer({ SCIM_ME: "off" });
  try {
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const answer = await clientOf(off).call(method, "/Me", method === "PATCH" ? { body: {} } : {});
      expect(answer).toMatchObject({ status: 501, body: { schemas: [ERROR], status: "501" } });
    }
  } finally {
    await off.stop();
  }
});
