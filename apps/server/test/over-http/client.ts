/**
 * A SCIM client of one server, as short as tests want it.
 * @module
 */
import type { JsonObject, JsonValue } from "@scim/schemas";
import { exchange, textMember, type WireAnswer } from "./exchange.ts";
import type { RunningServer } from "./server.ts";

export const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
export const PATCH_OP = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
export const SEARCH_REQUEST = "urn:ietf:params:scim:api:messages:2.0:SearchRequest";
export const BULK_REQUEST = "urn:ietf:params:scim:api:messages:2.0:BulkRequest";

/** What a call may state beside method, path and body. */
export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON to send; a string or bytes go as they are. */
  readonly body?: JsonValue | Uint8Array;
  readonly token?: string;
}

/** Calls of one server; paths are below the SCIM base address. */
export interface Client {
  call(method: string, path: string, options?: CallOptions): Promise<WireAnswer>;
  /** Creates a User and answers with its representation. */
  user(attributes: JsonObject): Promise<Made>;
  group(attributes: JsonObject): Promise<Made>;
  /** PATCHes with a list of operations. */
  patch(
    path: string,
    operations: readonly JsonObject[],
    headers?: Readonly<Record<string, string>>,
  ): Promise<WireAnswer>;
}

/** A resource just made. */
export interface Made {
  readonly id: string;
  /** Path below the SCIM base address. */
  readonly path: string;
  /** Entity tag. */
  readonly tag: string;
  readonly body: JsonObject;
}

/** A client that sends the server's own token, and `headers` with every request. */
export function clientOf(
  server: Pick<RunningServer, "origin" | "base" | "token">,
  headers: Readonly<Record<string, string>> = {},
): Client {
  const call = (method: string, path: string, options: CallOptions = {}): Promise<WireAnswer> =>
    exchange(server.origin, {
      method,
      path: server.base + path,
      headers: {
        Authorization: `Bearer ${options.token ?? server.token}`,
        ...(options.body === undefined ? {} : { "Content-Type": "application/scim+json" }),
        ...headers,
        ...options.headers,
      },
      body: textOf(options.body),
    });
  const create = async (endpoint: string, attributes: JsonObject, urn: string): Promise<Made> => {
    const answer = await call("POST", endpoint, { body: { schemas: [urn], ...attributes } });
    if (answer.status !== 201) throw new Error(`POST ${endpoint} answered ${answer.status}: ${answer.text}`);
    const id = textMember(answer.body, "id");
    return { id, path: `${endpoint}/${id}`, tag: String(answer.headers.etag), body: answer.body };
  };
  return {
    call,
    user: (attributes) => create("/Users", attributes, USER),
    group: (attributes) => create("/Groups", attributes, GROUP),
    patch: (path, operations, more = {}) =>
      call("PATCH", path, { body: { schemas: [PATCH_OP], Operations: operations }, headers: more }),
  };
}

function textOf(body: JsonValue | Uint8Array | undefined): string | Uint8Array | null {
  if (body === undefined) return null;
  return typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
}
