import { describe, expect, test } from "vitest";
import { createProfile, PROFILES, type Principal } from "@scim/core";
import { createDefaultRegistry, USER_URN, type SchemaRegistry } from "@scim/schemas";
import type { HttpRequest, TextResponse, RequestRecord } from "../../src/index.ts";
import { createOpenApiHandler } from "../../src/openapi/index.ts";
import { BASE_URL, serviceOf } from "./support.ts";

const TOKEN = "scim_default_token";

interface Asked {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly baseUrl?: string;
}

/** The address over a registry, for callers of one kind. */
function addressOf(
  registry: SchemaRegistry = createDefaultRegistry(),
  of: Partial<Principal> = {},
): {
  readonly ask: (asked?: Asked) => Promise<TextResponse>;
  readonly records: readonly RequestRecord[];
  /** Base addresses of the documents that were made. */
  readonly made: readonly string[];
} {
  const records: RequestRecord[] = [];
  const made: string[] = [];
  const handler = createOpenApiHandler({
    service: serviceOf(registry),
    registry,
    authenticate: async (token) =>
      token === TOKEN
        ? {
            tenant: "default",
            connection: "default",
            scopes: new Set(["scim"]),
            subject: null,
            profile: PROFILES.tolerant,
            ...of,
          }
        : null,
    onRequestDone: (record) => records.push(record),
    tokenUrl: (baseUrl) => {
      made.push(baseUrl);
      return new URL("/oauth2/token", baseUrl).href;
    },
  });
  const ask = async (asked: Asked = {}): Promise<TextResponse> => {
    const request: HttpRequest = {
      method: "GET",
      target: "",
      headers: { authorization: `Bearer ${TOKEN}` },
      body: null,
      baseUrl: BASE_URL,
      tenant: null,
      signal: undefined,
      id: "request-1",
      ...asked,
    };
    const response = await handler.handle(request);
    const { body } = response;
    if (body !== null && typeof body !== "string") throw new TypeError("The document is a stream");
    return { ...response, body };
  };
  return { ask, records, made };
}

describe("who may read the document", () => {
  test("nobody without a token: 401 with a challenge and a SCIM Error, as discovery", async () => {
    const { ask } = addressOf();
    const { status, headers, body } = await ask({ headers: {} });
    expect([status, headers["www-authenticate"]]).toEqual([401, 'Bearer realm="scim"']);
    expect(JSON.parse(body ?? "")).toMatchObject({ status: "401" });
    const wrong = await ask({ headers: { authorization: "Bearer scim_default_other" } });
    expect([wrong.status, wrong.headers["www-authenticate"]]).toEqual([
      401,
      'Bearer realm="scim", error="invalid_token"',
    ]);
  });

  test("nobody whose token may not read", async () => {
    const { ask } = addressOf(createDefaultRegistry(), { scopes: new Set(["scim:write"]) });
    expect((await ask()).status).toBe(403);
    const reader = addressOf(createDefaultRegistry(), { scopes: new Set(["scim:read"]) });
    expect((await reader.ask()).status).toBe(200);
  });
});

describe("the answer", () => {
  test("is JSON for the caller alone, and names the base address that the request came by", async () => {
    const { ask } = addressOf();
    const { status, headers, body } = await ask({ baseUrl: "https://other.example/x/scim/v2" });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "cache-control": "private, no-cache",
      vary: "Authorization",
    });
    expect(JSON.parse(body ?? "")).toMatchObject({
      openapi: "3.1.1",
      servers: [{ url: "https://other.example/x/scim/v2" }],
    });
  });

  test("is 304 where the client's copy is current", async () => {
    const { ask } = addressOf();
    const { headers } = await ask();
    const tag = headers["etag"] ?? "";
    const again = await ask({ headers: { authorization: `Bearer ${TOKEN}`, "if-none-match": tag } });
    expect([again.status, again.headers["etag"], again.body]).toEqual([304, tag, null]);
    const stale = await ask({ headers: { authorization: `Bearer ${TOKEN}`, "if-none-match": 'W/"old"' } });
    expect(stale.status).toBe(200);
  });

  test("to HEAD has no body, to OPTIONS names the methods, to others is 405", async () => {
    const { ask } = addressOf();
    const [get, head] = [await ask(), await ask({ method: "HEAD" })];
    expect([head.status, head.body, head.headers["etag"]]).toEqual([200, null, get.headers["etag"]]);
    const options = await ask({ method: "OPTIONS" });
    expect([options.status, options.headers["allow"]]).toEqual([204, "GET, HEAD, OPTIONS"]);
    const post = await ask({ method: "POST" });
    expect([post.status, post.headers["allow"]]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  test("is 404 below the address; a query means nothing", async () => {
    const { ask } = addressOf();
    expect([(await ask({ target: "/Users" })).status, (await ask({ target: "?x=1" })).status]).toEqual([
      404, 200,
    ]);
  });

  test("is logged by the form of its address, with tenant and error", async () => {
    const { ask, records } = addressOf();
    await ask();
    await ask({ headers: {} });
    expect(records.map(({ route, tenant, status, errorCode }) => [route, tenant, status, errorCode])).toEqual(
      [
        ["/openapi.json", "default", 200, null],
        ["/openapi.json", null, 401, "unauthorized"],
      ],
    );
  });
});

describe("the document follows the service", () => {
  const pathsOf = ({ body }: TextResponse): readonly string[] =>
    Object.keys((JSON.parse(body ?? "") as { readonly paths: object }).paths);

  test("a resource type that is registered later is in the next answer, under another tag", async () => {
    const registry = createDefaultRegistry();
    const { ask } = addressOf(registry);
    const before = await ask();
    registry.addResourceType({ name: "Person", endpoint: "/People", schema: USER_URN });
    const after = await ask();
    expect(pathsOf(before)).not.toContain("/People");
    expect(pathsOf(after)).toContain("/People");
    expect(after.headers["etag"]).not.toBe(before.headers["etag"]);
  });

  test("the text of an unchanged document is made once", async () => {
    const { ask, made } = addressOf();
    const [first, second] = [await ask(), await ask()];
    expect(second.body).toBe(first.body);
    expect(made).toEqual([BASE_URL]);
    // More addresses than are kept: each is still answered with its own.
    const others = Array.from({ length: 20 }, (_, index) => `https://h${index}.example/scim/v2`);
    for (const baseUrl of others) expect((await ask({ baseUrl })).body).toContain(baseUrl);
    expect((await ask()).body).toBe(first.body);
    expect(made).toEqual([BASE_URL, ...others, BASE_URL]);
  });

  test("it says what the caller's profile enforces", async () => {
    const tolerant = await addressOf().ask();
    const guarded = createProfile("guarded", [...PROFILES.strict.switches, "require-version"]);
    const strict = await addressOf(createDefaultRegistry(), { profile: guarded }).ask();
    // Only some profiles ignore what is readOnly and differs; in all it may be left out.
    expect(strict.body).toContain("leave it out, or send it as it is");
    expect([tolerant.body?.includes('"428"'), strict.body?.includes('"428"')]).toEqual([false, true]);
    expect(strict.headers["etag"]).not.toBe(tolerant.headers["etag"]);
  });
});
