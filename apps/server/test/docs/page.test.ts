import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf } from "../over-http/client.ts";
import { exchange } from "../over-http/exchange.ts";
import { startOwnServer, type OwnServer } from "../over-http/in-process.ts";

let server: OwnServer;
beforeAll(async () => {
  server = await startOwnServer();
});
afterAll(() => server.stop());

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  exchange(server.origin, { method: "GET", path, headers });

/** Addresses that a file of the page names, relative to where it was found. */
function namedBy(text: string, path: string): readonly string[] {
  const names = [...text.matchAll(/(?:href|src)="(?!data:|#)([^"]+)"|^import [^;]* from "(\.[^"]+)"/gm)];
  return names.map(
    ([, inPage, inScript]) => new URL(inPage ?? inScript ?? "", server.origin + path).pathname,
  );
}

/** The page and everything that it loads, by path. */
async function everyFile(): Promise<ReadonlyMap<string, Awaited<ReturnType<typeof get>>>> {
  const files = new Map<string, Awaited<ReturnType<typeof get>>>();
  const waiting = ["/docs"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue;
    const answer = await get(path);
    files.set(path, answer);
    waiting.push(...namedBy(answer.text, path));
  }
  return files;
}

describe("/docs", () => {
  test("and all that it loads is served, each in its type", async () => {
    const files = await everyFile();
    const types = [...files.keys()].toSorted().map((path) => {
      const answer = files.get(path);
      return [path, answer?.status, answer?.headers["content-type"]];
    });
    expect(types).toEqual([
      ["/docs", 200, "text/html; charset=utf-8"],
      ["/docs/element.js", 200, "text/javascript; charset=utf-8"],
      ["/docs/operation-view.js", 200, "text/javascript; charset=utf-8"],
      ["/docs/reader.css", 200, "text/css; charset=utf-8"],
      ["/docs/reader.js", 200, "text/javascript; charset=utf-8"],
      ["/docs/schema-tree.js", 200, "text/javascript; charset=utf-8"],
    ]);
  });

  test("takes nothing from elsewhere, and its policy would not let it", async () => {
    for (const [path, { headers, text }] of await everyFile()) {
      expect([path, headers["content-security-policy"]]).toEqual([
        path,
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      ]);
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
      });
      expect([path, text.match(/https?:\/\//)]).toEqual([path, null]);
    }
    const { text: page } = await get("/docs");
    // What the policy refuses must not be there: scripts and styles inside the page.
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=/);
  });

  test("is not sent again while it stays the same", async () => {
    const { headers } = await get("/docs/reader.js");
    const again = await get("/docs/reader.js", { "if-none-match": String(headers.etag) });
    expect([again.status, again.text, headers["cache-control"]]).toEqual([304, "", "no-cache"]);
  });

  test("is reached with a slash at the end too, and answers HEAD", async () => {
    const { status, headers } = await get("/docs/");
    expect([status, new URL(String(headers.location), `${server.origin}/docs/`).pathname]).toEqual([
      308,
      "/docs",
    ]);
    const head = await exchange(server.origin, { method: "HEAD", path: "/docs" });
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  test("serves no other file", async () => {
    for (const path of [
      "/docs/index.html",
      "/docs/tsconfig.json",
      "/docs/..%2fpackage.json",
      "/docs/%2e%2e/README.md",
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
  });
});

describe("documentationUri", () => {
  const uriOf = async (of: OwnServer): Promise<unknown> =>
    (await clientOf(of).call("GET", "/ServiceProviderConfig")).body["documentationUri"];

  test("is the address of /docs, as the request reaches it", async () => {
    expect(await uriOf(server)).toBe(`${server.origin}/docs`);
    const { body } = await exchange(server.origin, {
      method: "GET",
      path: "/scim/default/v2/ServiceProviderConfig",
      headers: { authorization: `Bearer ${server.token}` },
    });
    expect(body["documentationUri"]).toBe(`${server.origin}/docs`);
  });

  test("begins with the public address where there is one, and is what the setting says", async () => {
    const named = await startOwnServer({ SCIM_BASE_URL: "https://id.example/x" });
    const told = await startOwnServer({ SCIM_DOCUMENTATION_URI: "https://help.example/scim" });
    try {
      expect(await uriOf(named)).toBe("https://id.example/x/docs");
      expect(await uriOf(told)).toBe("https://help.example/scim");
      const { body } = await exchange(named.origin, {
        method: "GET",
        path: "/openapi.json",
        headers: { authorization: `Bearer ${named.token}` },
      });
      expect(body["servers"]).toEqual([{ url: "https://id.example/x/scim/v2" }]);
    } finally {
      await Promise.all([named.stop(), told.stop()]);
    }
  });
});
