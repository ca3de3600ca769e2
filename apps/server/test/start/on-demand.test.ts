import { expect, test } from "vitest";
import { clientOf } from "../over-http/client.ts";
import { exchange } from "../over-http/exchange.ts";
import { startServer } from "../over-http/server.ts";

/** Modules of the program and of packages until the first answer; each takes time. It was 335 when this was set. */
const MOST = 400;
/** What no first answer needs: the code of OpenAPI, JWTs, metrics, traces, tools, and calls of others. */
const ON_DEMAND =
  /\/openapi-|\/node_modules\/(?:jose|prom-client|undici|@opentelemetry|@modelcontextprotocol)\//;

test("the first answer needs few modules, and those of OpenAPI are loaded when the document is first asked for", async () => {
  const recorder = new URL("record-modules.ts", import.meta.url).href;
  const server = await startServer({ NODE_OPTIONS: `--import=${recorder}` });
  const loaded = (): readonly string[] => server.log().match(/^loaded file:\S+/gm) ?? [];
  const onDemand = (): readonly string[] => loaded().filter((line) => ON_DEMAND.test(line));
  try {
    expect((await clientOf(server).call("GET", "/ServiceProviderConfig")).status).toBe(200);
    expect((await exchange(server.origin, { method: "GET", path: "/docs" })).status).toBe(200);
    expect(onDemand()).toEqual([]);
    expect(loaded().length).toBeGreaterThan(0);
    expect(loaded().length).toBeLessThan(MOST);
    const headers = { authorization: `Bearer ${server.token}` };
    expect((await exchange(server.origin, { method: "GET", path: "/openapi.json", headers })).status).toBe(
      200,
    );
    expect(onDemand()).toContainEqual(expect.stringContaining("/openapi-"));
  } finally {
    await server.stop();
  }
});
