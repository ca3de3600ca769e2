import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createKeyReader } from "../../src/oauth/read-keys.ts";

/** A server of this machine. Resolves to its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has an address with one.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
}

describe("keys of issuers", () => {
  test.each([
    "http://id.example/keys",
    "https://127.0.0.1/keys",
    "https://[::1]/keys",
    "https://[::ffff:127.0.0.1]/keys",
    "https://2130706433/keys",
    "https://0x7f.1/keys",
    "https://localhost/keys",
    "file:///etc/passwd",
  ])("are not read from %s", async (address) => {
    await expect(createKeyReader(false)(address)).rejects.toThrow(
      /https|private network|address that may be called/,
    );
  });

  test("are not read from a name that leads to a private network", async () => {
    const read = createKeyReader(false, (_name, found) => found(null, [{ address: "10.0.0.1", family: 4 }]));
    await expect(read("https://id.example/keys")).rejects.toThrow("no address that may be called");
  });

  test("are read where a setting allows it, within bounds, and no redirect is followed", async () => {
    const read = createKeyReader(true);
    let asked = 0;
    const good = await serve((_request, response) => {
      asked += 1;
      response.end('{"keys":[]}');
    });
    await expect(read(good)).resolves.toEqual({ keys: [] });
    const long = await serve((_request, response) => response.end(`{"keys":["${"x".repeat(300_000)}"]}`));
    await expect(read(long)).rejects.toThrow("larger than 262144 bytes");
    const moved = await serve((_request, response) => response.writeHead(302, { location: good }).end());
    await expect(read(moved)).rejects.toThrow("answered 302");
    const broken = await serve((_request, response) => response.end("<html>"));
    await expect(read(broken)).rejects.toThrow("JSON");
    const silent = await serve((_request, response) => response.destroy());
    await expect(read(silent)).rejects.toThrow("socket hang up");
    const other = await serve((_request, response) =>
      response.socket?.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
    );
    await expect(read(other)).rejects.toThrow("answered 101");
    expect(asked).toBe(1);
  });
});
