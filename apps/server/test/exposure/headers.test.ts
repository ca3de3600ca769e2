import { describe, expect, test } from "vitest";
import { USER } from "../over-http/client.ts";
import { ENGINES, type TestDatabase } from "../over-http/engines.ts";
import { exchange } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";

const ADMIN = newToken("admin");
const TOKEN = newToken();

async function start() {
  const [sqlite] = ENGINES;
  const database = await (sqlite?.make() as Promise<TestDatabase>);
  const tokens = { SCIM_TOKEN: TOKEN, SCIM_ADMIN_TOKEN: ADMIN, SCIM_METRICS: "open" };
  const server = await startInProcess({ ...database.environment, ...tokens });
  const get = (path: string, token = TOKEN) =>
    exchange(server.origin, { method: "GET", path, headers: { authorization: `Bearer ${token}` } });
  return { database, server, get };
}

describe("headers of answers", () => {
  test.each([
    ["/scim/v2/Users", 200],
    ["/scim/v2/Users/none", 404],
    ["/scim/v2/ServiceProviderConfig", 200],
    ["/scim/v1/Users", 400],
    ["/admin/v1/changes", 403],
    ["/healthz", 200],
    ["/metrics", 200],
    ["/nowhere", 404],
    ["/%zz", 404],
    ["/docs", 200],
  ])("%s is not to be guessed at, framed or run, and tells the id of the request", async (path, status) => {
    const { get } = await start();
    const answer = await get(path);
    expect(answer.status).toBe(status);
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(answer.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(answer.headers["content-security-policy"]).not.toContain("unsafe");
    expect(answer.headers["cache-control"]).toBe(path === "/docs" ? "no-cache" : "no-store");
    expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f]{8}-[0-9a-z]+$/);
    expect(answer.headers).not.toHaveProperty("x-powered-by");
    expect(answer.headers).not.toHaveProperty("server");
  });
});

describe("a fault of the service", () => {
  test("is told without a stack, a statement or a path, and names the request in the log", async () => {
    const { database, server, get } = await start();
    for (const table of ["resources", "events"])
      await database.query(`ALTER TABLE ${table} RENAME COLUMN id TO gone`);
    const answers = [
      await get("/scim/v2/Users/none"),
      await server.call("POST", "/Users", { token: TOKEN, body: { schemas: [USER], userName: "a" } }),
      await get("/admin/v1/changes?tenant=default", ADMIN),
    ];
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
    for (const { text, headers } of answers) {
      expect(text).toContain(`request id '${String(headers["x-request-id"])}'`);
      expect(text).not.toMatch(/\bat .+:\d+|node_modules|\.ts\b|SELECT|INSERT|SQLITE|no such column|gone/i);
    }
  });
});
