/**
 * Reads how people ask for entries of the request log, at the command line and in addresses.
 * @module
 */
import { ScimError } from "@scim/schemas";
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

const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/**
 * The query that was asked for.
 * @param now the present, in milliseconds since 1970
 * @throws ScimError `invalidValue`
 */
export function readRequestQuery(asked: AskedRequests, now: number): Omit<RequestQuery, "limit"> {
  const { connection, run, requestId } = asked;
  return { connection, run, requestId, status: statusOf(asked.status), since: sinceOf(asked.since, now) };
}

function statusOf(text: string | undefined): RequestQuery["status"] {
  if (text === undefined) return undefined;
  if (text === "failed") return { from: 400, to: 599 };
  const kind = /^(?<digit>[1-5])xx$/i.exec(text)?.groups?.["digit"];
  if (kind !== undefined) return { from: Number(kind) * 100, to: Number(kind) * 100 + 99 };
  if (/^[1-5]\d\d$/.test(text)) return { from: Number(text), to: Number(text) };
  throw new ScimError("invalidValue", "A status is a number such as 404, a class such as 4xx, or 'failed'.");
}

function sinceOf(text: string | undefined, now: number): string | undefined {
  if (text === undefined) return undefined;
  const span = /^(?<count>\d{1,6})(?<unit>[mhd])$/.exec(text)?.groups;
  const length = Number(span?.["count"]) * (UNITS_MS.get(span?.["unit"] ?? "") ?? Number.NaN);
  const instant = span === undefined ? Date.parse(text) : now - length;
  if (Number.isFinite(instant)) return new Date(instant).toISOString();
  throw new ScimError(
    "invalidValue",
    "'since' is a span such as 15m, 12h or 7d, or an instant such as 2027-01-01T00:00:00Z.",
  );
}
