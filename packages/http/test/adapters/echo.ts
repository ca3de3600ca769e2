/**
 * A handler that answers with what it was asked.
 * @module
 */
import type { HttpRequest, ScimHandler } from "../../src/index.ts";

export const echo: ScimHandler = {
  handle: async (request) => ({
    status: 200,
    headers: { "content-type": "application/scim+json", etag: 'W/"v1"' },
    body: JSON.stringify(await seen(request)),
  }),
};

async function seen(request: HttpRequest): Promise<object> {
  const { method, target, baseUrl, tenant, connection, id, address, headers } = request;
  const chunks: Uint8Array[] = [];
  if (request.body instanceof Uint8Array) chunks.push(request.body);
  else for await (const chunk of request.body ?? []) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  return { method, target, baseUrl, tenant, connection, id, address, body, told: headers["x-told"] };
}
