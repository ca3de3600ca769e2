/**
 * Logs for those who ask for the same again and again: what their lines have in common is text already.
 * @module
 */
import type { RequestRecord } from "@scim/http";
import type { Logger } from "pino";

/** What many requests have in common: who asks for what. */
type Asked = Pick<RequestRecord, "method" | "route" | "tenant" | "connection" | "credential">;

/** Logs that are kept; from then on they are made anew. */
const MOST_LOGS = 1000;

/** Makes logs whose lines begin with who asks for what. */
export class AskedLogs {
  readonly #log: Logger;
  readonly #logs = new Map<string, Logger>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The log of a request. */
  of({ method, route, tenant, connection, credential }: Asked): Logger {
    const key = `${method} ${route} ${tenant ?? ""} ${connection ?? ""} ${credential ?? ""}`;
    const known = this.#logs.get(key);
    if (known !== undefined) return known;
    if (this.#logs.size === MOST_LOGS) this.#logs.clear();
    const made = this.#log.child({ method, route, tenant, connection, credential });
    this.#logs.set(key, made);
    return made;
  }
}
