import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { aService } from "../support/service.ts";

/** Serves a service at an address of its own. */
async function served(): Promise<string> {
  const handler = aService();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, headers, body } = await handler.handle({
      method: request.method ?? "GET",
      target: (request.url ?? "/").slice("/scim/v2".length),
      headers: request.headers,
      body: new TextEncoder().encode(await text(request)),
      baseUrl: "http://127.0.0.1/scim/v2",
      tenant: null,
      signal: undefined,
      id: "1",
    });
    response.writeHead(status, headers).end(body);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void server.close());
  // A server that listens on a port has an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/scim/v2`;
}

test("the program of the README is the one that is compiled, and it runs", async () => {
  const program = readFileSync(new URL("first-program.ts", import.meta.url), "utf8");
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${program}\`\`\``);
  vi.stubEnv("SCIM_BASE_URL", await served());
  vi.stubEnv("SCIM_TOKEN", "any");
  const log = vi.spyOn(console, "log").mockReturnValue(undefined);
  try {
    await import("./first-program.ts");
    const meta = expect.objectContaining({ resourceType: "User" });
    expect(log.mock.calls).toEqual([
      [1, meta],
      [412, expect.any(String)],
    ]);
  } finally {
    log.mockRestore();
    vi.unstubAllEnvs();
  }
});
