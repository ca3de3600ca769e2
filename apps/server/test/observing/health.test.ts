import { describe, expect, test } from "vitest";
import { ENGINES } from "../over-http/engines.ts";
import { exchange } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";

/** What an address without a token answers. */
async function told(origin: string, path: string) {
  const { status, body, headers } = await exchange(origin, { method: "GET", path });
  expect(headers["cache-control"]).toBe("no-store");
  return { status, body };
}

const HEALTHY = { status: 200, body: { status: "ok" } };

describe("health", () => {
  test.each(ENGINES)(
    "on $name a server is ready, and is not where migrations are pending",
    async (engine) => {
      const database = await engine.make();
      const { origin } = await startInProcess(database.environment);
      expect(await told(origin, "/readyz")).toEqual(HEALTHY);
      // As an older backup that is restored beneath the running server would leave it.
      await database.query("DELETE FROM migrations WHERE number = (SELECT max(number) FROM migrations)");
      expect(await told(origin, "/readyz")).toEqual({ status: 503, body: { status: "unavailable" } });
      expect(await told(origin, "/healthz")).toEqual(HEALTHY);
    },
  );

  test.each(ENGINES)("on $name a server is not ready whose database does not answer", async (engine) => {
    const database = await engine.make();
    const { origin } = await startInProcess(database.environment);
    await database.query("ALTER TABLE migrations RENAME TO gone");
    expect(await told(origin, "/readyz")).toEqual({ status: 503, body: { status: "unavailable" } });
    expect(await told(origin, "/healthz")).toEqual(HEALTHY);
  });

  test("a server that is told to stop says so, and goes on answering for stop.delay", async () => {
    const [sqlite] = ENGINES;
    const database = await sqlite?.make();
    const server = await startInProcess({ ...database?.environment, SCIM_STOP_DELAY: "1" });
    const stopped = server.stop();
    expect(await told(server.origin, "/readyz")).toEqual({ status: 503, body: { status: "stopping" } });
    expect(await told(server.origin, "/healthz")).toEqual(HEALTHY);
    expect((await server.call("GET", "/Users")).status).toBe(200);
    await stopped;
    await expect(told(server.origin, "/healthz")).rejects.toThrow("ECONNREFUSED");
  });
});
