/**
 * The warning of tokens and secrets of clients that end soon.
 * @module
 */
import process from "node:process";
import type { ExpiringCredential } from "@scim/tenancy";
import type { Logger } from "pino";
import { WORKER_VARIABLE } from "../workers/messages.ts";

type OnExpiring = (credential: ExpiringCredential) => Promise<void>;

/** Makes what logs them and tells them on; of several workers one does. Neither the token nor what people call it is told. */
export function expiryNotice(log: Logger, tell: OnExpiring): OnExpiring {
  const worker = process.env[WORKER_VARIABLE];
  if (worker !== undefined && worker !== "1") return async () => undefined;
  return async (credential) => {
    const { kind, tenant, connection, id, client, expires } = credential;
    const of = client === null ? { credential: id } : { credential: client, secret: id };
    log.warn(
      { event: `${kind}.expiring`, tenant, connection, ...of, expires },
      `a ${kind} ends soon; make a new one`,
    );
    await tell(credential);
  };
}
