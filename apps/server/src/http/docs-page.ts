/**
 * `/docs`: a page that shows `/openapi.json`. It is made of files of ours alone, so that it works without the
 * internet, and its policy lets nothing else in.
 * @module
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { OnFirstUse } from "../on-first-use.ts";

/** Where the page is. */
export const DOCS_PATH = "/docs";

/** The folder of the page beside `src` and `dist`. */
const FOLDER = new URL("../../docs-page/", import.meta.url);

const HTML = "text/html; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";

/** The files of the page by address. No other file is ever read. */
const FILES: Readonly<Record<string, { readonly file: string; readonly type: string }>> = {
  [DOCS_PATH]: { file: "index.html", type: HTML },
  [`${DOCS_PATH}/reader.css`]: { file: "reader.css", type: "text/css; charset=utf-8" },
  [`${DOCS_PATH}/reader.js`]: { file: "reader.js", type: SCRIPT },
  [`${DOCS_PATH}/element.js`]: { file: "element.js", type: SCRIPT },
  [`${DOCS_PATH}/operation-view.js`]: { file: "operation-view.js", type: SCRIPT },
  [`${DOCS_PATH}/schema-tree.js`]: { file: "schema-tree.js", type: SCRIPT },
};

/** The page takes scripts, styles and data from this server alone; no form leaves it, nothing frames it. */
const HEADERS = {
  "cache-control": "no-cache",
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

interface Asset {
  readonly content: Buffer;
  readonly tag: string;
}

/** Adds the page to an application. Files are read when they are first asked for. */
export function addDocsPage(app: FastifyInstance): void {
  for (const [address, { file, type }] of Object.entries(FILES)) {
    const asset = new OnFirstUse(() => assetOf(file));
    app.get(address, async (request, reply) => {
      const read = await asset.get();
      return sendAsset(request, reply.type(type), read);
    });
  }
  // The page names its files by relative addresses, which a slash at the end would lead astray.
  app.get(`${DOCS_PATH}/`, async (_request, reply) => reply.redirect(`..${DOCS_PATH}`, 308));
}

async function assetOf(file: string): Promise<Asset> {
  const content = await readFile(new URL(file, FOLDER));
  return { content, tag: `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"` };
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, { content, tag }: Asset): FastifyReply {
  void reply.headers(HEADERS).header("etag", tag);
  return request.headers["if-none-match"] === tag ? reply.code(304).send() : reply.send(content);
}
