/**
 * The warning of tokens that end soon.
 * @module
 */
import process from "node:process";
import type { StoredToken } from "@scim/tenancy";
import type { Logger } from "pino";
import { WORKER_VARIABLE } from "../workers/messages.ts";

/** Makes what logs them; of several processes one does. Neither the token nor what people call it is told. */
export function expiryNotice(log: Logger): (token: StoredToken) => void {
  const worker = process.env[WORKER_VARIABLE];
  if (worker !== undefined && worker !== "1") return () => undefined;
  return ({ tenant, connection, id, expires }) =>
    log.warn(
      { event: "token.expiring", tenant, connection, credential: id, expires },
      "a token ends soon; make a new one",
    );
}
