import { expect, test } from "vitest";
import { SOURCES } from "../command-line/program.ts";
import { clientOf } from "../over-http/client.ts";
import { exchange } from "../over-http/exchange.ts";
import { startServer } from "../over-http/server.ts";

test("the code of OpenAPI is loaded when the document is first asked for, and neither it nor that of JWTs at the start", async () => {
  const recorder = new URL("record-modules.ts", import.meta.url).href;
  const server = await startServer({ NODE_OPTIONS: `--import=${recorder}` }, SOURCES);
  const loaded = (): readonly string[] => server.log().match(/loaded \S+/g) ?? [];
  try {
    expect((await clientOf(server).call("GET", "/ServiceProviderConfig")).status).toBe(200);
    expect((await exchange(server.origin, { method: "GET", path: "/docs" })).status).toBe(200);
    expect(loaded()).toEqual([]);
    const headers = { authorization: `Bearer ${server.token}` };
    expect((await exchange(server.origin, { method: "GET", path: "/openapi.json", headers })).status).toBe(
      200,
    );
    expect(loaded()).toContainEqual(expect.stringContaining("document.ts"));
  } finally {
    await server.stop();
  }
});
