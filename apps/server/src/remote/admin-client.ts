/**
 * The administration of a running server: `/admin/v1`, through the transport of `@scim/client`.
 * @module
 */
import { ConnectionError, createScimClient, ServiceError, type ScimClient } from "@scim/client";
import type { JsonObject } from "@scim/schemas";
import type { Environment } from "../command-table/arguments.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import { adminFailure } from "./admin-failure.ts";
import { type AdminClient, type AdminRequest, typedOf } from "./admin-requests.ts";
import { plainHttpIn } from "./plain-http.ts";
import { adminTokenOf, type RemoteFlags } from "./remote-flags.ts";

/** Where a server is, and how to get in. */
export interface ServerPlace {
  /** Its origin, as people gave it. */
  readonly url: string;
  readonly flags: RemoteFlags;
  readonly environment: Environment;
}

/**
 * Works with the administration of a server.
 * @throws CommandFailure that tells what went wrong, and what to do
 */
export async function withAdminClient<Result>(
  { url, flags, environment }: ServerPlace,
  work: (admin: AdminClient) => Promise<Result>,
): Promise<Result> {
  const baseUrl = adminAddress(url);
  const auth = adminTokenOf(flags, environment);
  if (auth === null) {
    throw new CommandFailure(
      EXIT.usage,
      "With --url, the token of an administrator comes from the variable SCIM_ADMIN_TOKEN, the file that SCIM_ADMIN_TOKEN_FILE names, or --token-file.",
    );
  }
  try {
    await using client = createScimClient({ baseUrl, auth, plainHttp: plainHttpIn(environment) });
    return await work(adminClient(client));
  } catch (cause) {
    throw adminFailure(cause, url);
  }
}

/** The end of a path: people who have the address of SCIM at hand mean the server that it belongs to. */
const WITHIN = /\/(?:scim(?:\/[^/]+)?\/v2|admin\/v1)?\/?$/;

function adminAddress(url: string): string {
  const { protocol, username, password, origin, pathname } = URL.canParse(url)
    ? new URL(url)
    : new URL("no:");
  const isAddress = protocol === "https:" || protocol === "http:";
  // Also a query and a fragment that are empty: what is asked for would stand in them.
  if (isAddress && username === "" && password === "" && !/[?#\s]/.test(url))
    return `${origin}${pathname.replace(WITHIN, "")}/admin/v1`;
  throw new CommandFailure(EXIT.usage, "--url is the origin of a server, such as https://scim.example.");
}

function adminClient(client: ScimClient): AdminClient {
  const sent = async (
    { method, path, query = {}, body, answers = [], timeout, signal }: AdminRequest,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ readonly body: JsonObject; readonly etag: string | undefined }> => {
    const answer = await client.request({
      method,
      path: `${path}${queryText(query)}`,
      headers,
      ...(body === undefined ? {} : { body: asJson(body) }),
      ...(timeout === undefined ? {} : { timeout }),
      ...(signal === undefined ? {} : { signal }),
    });
    return { body: typedOf<JsonObject>(answer.body ?? {}, answers), etag: answer.headers["etag"] };
  };
  return {
    send: async (request) => (await sent(request, {})).body,
    change: async (request, versioned = request.path) => {
      const { etag } = await sent({ method: "GET", path: versioned }, {});
      return (await sent(request, etag === undefined ? {} : { "if-match": etag })).body;
    },
    find: async (path, query = {}) => {
      try {
        return (await sent({ method: "GET", path, query }, {})).body;
      } catch (cause) {
        // A page of something else at this address is no answer that there is nothing.
        if (cause instanceof ServiceError && cause.status === 404 && cause.detail !== null) return null;
        throw cause;
      }
    },
    isAway: (failure) =>
      (failure instanceof ConnectionError && failure.code !== "aborted") ||
      (failure instanceof ServiceError && AWAY.has(failure.status)),
  };
}

/** Statuses of a server that stops or starts, and of proxies that do not reach it. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

function queryText(query: NonNullable<AdminRequest["query"]>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined) parameters.set(name, String(value));
  return parameters.size === 0 ? "" : `?${parameters.toString()}`;
}

function asJson(body: Readonly<Record<string, unknown>>): JsonObject {
  // What was written as JSON is read as JSON, and members that are undefined are gone.
  return JSON.parse(JSON.stringify(body)) as JsonObject;
}
