/**
 * Reads how people ask for entries of the request log, at the command line and in addresses.
 * @module
 */
import { ScimError } from "@scim/schemas";
import { askedInstant } from "../asked-instant.ts";
import type { RequestQuery } from "./port.ts";

/** What was asked for, as texts; what is left out does not narrow. */
export interface AskedRequests {
  readonly connection?: string | undefined;
  readonly run?: string | undefined;
  /** `404`, `4xx`, or `failed` for every error. */
  readonly status?: string | undefined;
  /** `15m`, `12h`, `7d`, or an instant. */
  readonly since?: string | undefined;
  /** The id by which other logs know the request. */
  readonly requestId?: string | undefined;
}

/**
 * The query that was asked for.
 * @param now the present, in milliseconds since 1970
 * @throws ScimError `invalidValue`
 */
export function readRequestQuery(asked: AskedRequests, now: number): Omit<RequestQuery, "limit"> {
  const { connection, run, requestId } = asked;
  const since = asked.since === undefined ? undefined : askedInstant("since", asked.since, now);
  return { connection, run, requestId, status: statusOf(asked.status), since };
}

function statusOf(text: string | undefined): RequestQuery["status"] {
  if (text === undefined) return undefined;
  if (text === "failed") return { from: 400, to: 599 };
  const kind = /^(?<digit>[1-5])xx$/i.exec(text)?.groups?.["digit"];
  if (kind !== undefined) return { from: Number(kind) * 100, to: Number(kind) * 100 + 99 };
  if (/^[1-5]\d\d$/.test(text)) return { from: Number(text), to: Number(text) };
  throw new ScimError("invalidValue", "A status is a number such as 404, a class such as 4xx, or 'failed'.");
}
