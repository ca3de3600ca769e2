/**
 * A server in the process of the test, with an administrator who asks for what lies below `/admin/v1`.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { Logger } from "pino";
import { newToken } from "../over-http/server.ts";
import { exchange, type WireAnswer } from "../over-http/exchange.ts";
import { startInProcess, type InProcessServer } from "../over-http/in-process.ts";

/** The token of the administrator of every server of this process. */
export const ADMIN_TOKEN = newToken("admin");

/** A server that an administrator speaks to. */
export interface AdministeredServer extends InProcessServer {
  /** Asks for an address below `/admin/v1`. */
  ask(
    method: string,
    path: string,
    headers?: Readonly<Record<string, string>>,
    body?: JsonObject,
  ): Promise<WireAnswer>;
}

/** Starts one; it stops with the test. */
export async function startAdministered(
  environment: Readonly<Record<string, string>>,
  log?: Logger,
): Promise<AdministeredServer> {
  const server = await startInProcess({ ...environment, SCIM_ADMIN_TOKEN: ADMIN_TOKEN }, log);
  return {
    ...server,
    ask: (method, path, headers = {}, body) =>
      exchange(server.origin, {
        method,
        path: `/admin/v1${path}`,
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}
