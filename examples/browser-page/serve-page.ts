/**
 * One origin for page and service: the page's files, and `/scim/` forwarded, as a reverse proxy does in front of a server.
 * The service names no other origins to browsers, so that no page elsewhere may speak to it.
 * @module
 */
import { readFileSync } from "node:fs";
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const PAGE = fileURLToPath(new URL("page/", import.meta.url));

/** Nothing of elsewhere, and no script inside the page. */
const POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; form-action 'none'";

/** A page that is served until it is stopped. */
export interface ServedPage {
  readonly origin: string;
  /** Bytes of the script, as the browser gets it. */
  readonly scriptSize: number;
  stop(): Promise<void>;
}

/** Bundles the script of the page and serves both, with the service behind `/scim/`. */
export async function servePage(service: string): Promise<ServedPage> {
  const bundled = await build({
    entryPoints: [`${PAGE}page.ts`],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
  });
  const script = Buffer.from(bundled.outputFiles[0]?.contents ?? []);
  const files = new Map([
    ["/", { type: "text/html; charset=utf-8", content: readFileSync(`${PAGE}index.html`) }],
    ["/page.js", { type: "text/javascript; charset=utf-8", content: script }],
  ]);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    if (pathname.startsWith("/scim/")) return pass(service, request, response);
    const file = files.get(pathname);
    if (file === undefined) return void response.writeHead(404).end();
    const headers = { "content-type": file.type, "content-security-policy": POLICY };
    response.writeHead(200, headers).end(file.content);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    scriptSize: script.byteLength,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function pass(service: string, request: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = request;
  const onward = forward(new URL(request.url ?? "/", service), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  request.pipe(onward);
}
