/**
 * Requests of administration as short as tests want them.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { Logger } from "pino";
import { exchange, textMember, type WireAnswer } from "../over-http/exchange.ts";
import { ADMIN_TOKEN, startAdministered, type AdministeredServer } from "./admin-client.ts";

/** What a request of administration may state beside method and address. */
export interface AdminCall {
  readonly body?: JsonObject | string;
  /** `If-Match`; an answer stands for the entity tag of its revision, and so does a number. */
  readonly match?: string | number | JsonObject;
  /** Default: that of the owner. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server, and requests of its administrators. */
export interface Administration extends AdministeredServer {
  send(method: string, path: string, call?: AdminCall): Promise<WireAnswer>;
  /** Makes something, and answers with what came of it; throws where that failed. */
  make(path: string, body: JsonObject, token?: string): Promise<JsonObject>;
  /** Makes an administrator. Resolves to the token. */
  administrator(role: string, tenant?: string): Promise<string>;
  /** Makes a token of a tenant's first connection, and the tenant where it is not there. */
  tenantToken(tenant: string, of?: JsonObject): Promise<string>;
}

/** Starts a server; it stops with the test. */
export async function startAdministration(
  environment: Readonly<Record<string, string>>,
  log?: Logger,
): Promise<Administration> {
  const server = await startAdministered(environment, log);
  const send: Administration["send"] = (method, path, { body, match, token = ADMIN_TOKEN, headers } = {}) =>
    exchange(server.origin, {
      method,
      path: `/admin/v1${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(match === undefined ? {} : { "if-match": tagOf(match) }),
        ...headers,
      },
      body: body === undefined || typeof body === "string" ? (body ?? null) : JSON.stringify(body),
    });
  const make: Administration["make"] = async (path, body, token) => {
    const answer = await send("POST", path, { body, ...(token === undefined ? {} : { token }) });
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  return {
    ...server,
    send,
    make,
    administrator: async (role, tenant) =>
      textMember(
        await make("/admins", { name: `a ${role}`, role, ...(tenant === undefined ? {} : { tenant }) }),
        "token",
      ),
    tenantToken: async (tenant, of = {}) => {
      const there = await send("GET", `/tenants/${tenant}`);
      if (there.status === 404) await make("/tenants", { tenant });
      return textMember(await make(`/tenants/${tenant}/connections/default/tokens`, of), "token");
    },
  };
}

function tagOf(match: string | number | JsonObject): string {
  if (typeof match === "string") return match;
  return `W/"${typeof match === "number" ? match : String(match["revision"])}"`;
}
