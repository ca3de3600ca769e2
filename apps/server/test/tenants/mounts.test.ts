import pino, { type Logger } from "pino";
import { describe, expect, test } from "vitest";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { newFolder } from "../command-line/program.ts";
import { clientOf, USER } from "../over-http/client.ts";
import { SECRET_KEYS } from "../over-http/engines.ts";
import { exchange, textMember } from "../over-http/exchange.ts";
import { startInProcess, type InProcessServer } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";

const TOKEN = newToken();
const MOUNTS = "/legacy/scim=default,/scim=default,/old/hr=default/hr,/old/main=default/default,/theirs=acme";

function clientAt(server: InProcessServer, base: string) {
  return clientOf({ origin: server.origin, base, token: TOKEN });
}

async function start(
  environment: Readonly<Record<string, string>> = {},
  log?: Logger,
): Promise<InProcessServer> {
  const told = {
    SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db`,
    SCIM_SECRET_KEYS: SECRET_KEYS,
    SCIM_TOKEN: TOKEN,
    SCIM_MOUNTS: MOUNTS,
    ...environment,
  };
  return startInProcess(told, log);
}

describe("an address of old", () => {
  test.each(["/legacy/scim", "/scim", "/old/main"])(
    "%s serves its tenant, and locations follow the address of the request",
    async (base) => {
      const server = await start();
      const made = await clientAt(server, base).user({ userName: "moved" });
      const location = `${server.origin}${base}${made.path}`;
      expect(made.body["meta"]).toMatchObject({ location });
      for (const path of ["", "/v2", "/default/v2"]) {
        const at = path === "" ? base : `/scim${path}`;
        const { status, body } = await clientAt(server, at).call("GET", made.path);
        expect({ status, meta: body["meta"] }).toMatchObject({
          status: 200,
          meta: { location: `${server.origin}${at}${made.path}` },
        });
      }
      const group = await clientAt(server, base).group({
        displayName: "g",
        members: [{ value: made.id, type: "User" }],
      });
      expect(group.body["members"]).toMatchObject([{ $ref: location }]);
    },
  );

  test("finds what the same tenant has, through bulk jobs, lists and discovery too", async () => {
    const server = await start({ SCIM_BASE_URL: "https://id.example/prefix" });
    const old = clientAt(server, "/legacy/scim");
    const body = {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],
      Operations: [
        { method: "POST", path: "/Users", bulkId: "a", data: { schemas: [USER], userName: "in-bulk" } },
      ],
    };
    const bulk = await old.call("POST", "/Bulk", { body });
    const base = "https://id.example/prefix/legacy/scim";
    expect(bulk.body["Operations"]).toMatchObject([{ location: expect.stringContaining(`${base}/Users/`) }]);
    expect((await old.call("GET", '/Users?filter=userName+eq+"in-bulk"')).body["totalResults"]).toBe(1);
    const config = await old.call("GET", "/ServiceProviderConfig");
    expect(config.body["meta"]).toMatchObject({ location: `${base}/ServiceProviderConfig` });
    expect(textMember(config.body, "documentationUri")).toBe("https://id.example/prefix/docs");
  });

  test.each(["/theirs", "/old/hr"])(
    "%s, of another tenant or connection, is not found, as if nothing were there",
    async (base) => {
      const server = await start();
      const { path } = await server.user({ userName: "kept" });
      const headers = { authorization: `Bearer ${TOKEN}` };
      const foreign = await exchange(server.origin, { method: "GET", path: base + path, headers });
      const missing = await exchange(server.origin, {
        method: "GET",
        path: "/scim/none/v2/Users/none",
        headers,
      });
      expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
    },
  );

  test("leaves the addresses of the server as they are, also where it begins or ends as they do", async () => {
    const server = await start({ SCIM_MOUNTS: "/v2=default,/scim/default=default,/scim/acme=default" });
    for (const base of ["/v2", "/scim/default", "/scim/default/v2", "/scim/acme", "/scim/v2"]) {
      const config = await clientAt(server, base).call("GET", "/ServiceProviderConfig");
      expect({ base, ...config.body }).toMatchObject({
        base,
        documentationUri: `${server.origin}/docs`,
        meta: { location: `${server.origin}${base}/ServiceProviderConfig` },
      });
    }
    // The tenant that the address names, and not the one that is served beside it.
    expect((await clientAt(server, "/scim/acme/v2").call("GET", "/Users")).status).toBe(404);
    const unknown = await exchange(server.origin, { method: "GET", path: "/scim/v2/Users" });
    expect(unknown.headers["www-authenticate"]).toContain("/.well-known/oauth-protected-resource/scim/v2");
  });

  test("is told of at the start where there is no such tenant or connection", async () => {
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    await start({}, pino({ level: "warn" }, { write }));
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { path: "/old/hr", tenant: "default", connection: "hr", msg: expect.stringContaining("there is not") },
      { path: "/theirs", tenant: "acme", connection: null },
    ]);
  });

  test("asks for a token like any other", async () => {
    const server = await start();
    const answer = await exchange(server.origin, { method: "GET", path: "/legacy/scim/Users" });
    expect(answer.status).toBe(401);
  });

  test.each([
    "legacy=acme",
    "/legacy/=acme",
    "/legacy",
    "/legacy=",
    "/legacy=Acme",
    "/legacy=acme/",
    "/legacy=acme/a/b",
    "/legacy=admin",
    "/legacy=v2",
    "/a/../b=acme",
    "/a%2Fb=acme",
    "/:tenant=acme",
    "/a/*=acme",
    "/=acme",
    "/admin/v1=acme",
    "/metrics=acme",
    "/events/acme=acme",
    "/scim/v2=acme",
    "/scim/other/v2=acme",
    "/a=acme,/a=globex",
  ])("the mount %s is refused at start", (mounts) => {
    const resolve = (): unknown => resolveSettings({ flags: {}, environment: { SCIM_MOUNTS: mounts } });
    expect(resolve).toThrow(/^SCIM_MOUNTS must /);
  });
});
