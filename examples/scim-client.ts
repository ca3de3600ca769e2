/**
 * A client of one server, as short as the examples want it.
 * @module
 */
import { deepEqual, equal } from "node:assert/strict";

/** A JSON object as a server answers it. */
export type Json = Readonly<Record<string, unknown>>;

/** An answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body; empty where there is none. */
  readonly body: Json;
}

/** Calls of one server. Paths are below its base address. */
export interface Client {
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Creates a resource, which must be answered with 201; resolves to it. */
  create(endpoint: string, body: Json): Promise<Made>;
  /** Changes a resource, which must be answered with 200; resolves to it. */
  patch(path: string, ...operations: readonly Json[]): Promise<Json>;
  /** Asserts that a query finds these resources, in this order. */
  finds(query: Readonly<Record<string, string>>, made: readonly Made[], endpoint?: string): Promise<void>;
  /** Asserts that a call is refused with a status and a `scimType`. */
  refused(call: Promise<Answer>, status: number, scimType?: string): Promise<Answer>;
}

/** What a call may send beside its method and path. */
export interface CallOptions {
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A resource that was created. */
export interface Made {
  readonly id: string;
  readonly path: string;
  /** Entity tag. */
  readonly tag: string;
  readonly body: Json;
}

const PATCH_OP = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/** Makes a client; `endpoint` is where `finds` looks if it is told nothing else. */
export function createClient(
  { baseUrl, token }: { readonly baseUrl: string; readonly token: string },
  endpoint: string,
): Client {
  const call: Client["call"] = async (method, path, { body, headers = {} } = {}) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/scim+json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // A SCIM service answers with JSON objects, or with nothing.
    return {
      status: response.status,
      headers: response.headers,
      body: (text === "" ? {} : JSON.parse(text)) as Json,
    };
  };
  return {
    call,
    create: async (at, body) => {
      const answer = await call("POST", at, { body });
      equal(answer.status, 201, JSON.stringify(answer.body));
      const id = String(answer.body["id"]);
      return {
        id,
        path: `${at}/${encodeURIComponent(id)}`,
        tag: answer.headers.get("etag") ?? "",
        body: answer.body,
      };
    },
    patch: async (path, ...operations) => {
      const answer = await call("PATCH", path, { body: { schemas: [PATCH_OP], Operations: operations } });
      equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    },
    finds: async (query, made, at = endpoint) => {
      const { status, body } = await call("GET", `${at}?${new URLSearchParams(query).toString()}`);
      equal(status, 200, `${JSON.stringify(query)}: ${JSON.stringify(body)}`);
      deepEqual(
        idsOf(body),
        made.map(({ id }) => id),
        JSON.stringify(query),
      );
      equal(body["totalResults"], made.length, JSON.stringify(query));
    },
    refused: async (refusal, status, scimType) => {
      const answer = await refusal;
      deepEqual([answer.status, answer.body["scimType"]], [status, scimType], JSON.stringify(answer.body));
      return answer;
    },
  };
}

/** The ids of the resources of a list. */
export function idsOf({ Resources }: Json): readonly unknown[] {
  return Array.isArray(Resources) ? Resources.map(({ id }: Json) => id) : [];
}
