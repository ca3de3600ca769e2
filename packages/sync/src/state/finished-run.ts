/**
 * The end of a run, and how that stands in a line of the state.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject } from "@scim/schemas";

/** The end of a run that was applied to its end. */
export interface FinishedRun {
  /** Fingerprint of the mapping. */
  readonly mapping: string;
  /** Instant by the target's clock from which on changes of the target are unknown; null where it tells none. */
  readonly since: string | null;
  /** Instant by the target's clock at which it was counted; null where it tells none. */
  readonly until: string | null;
  /** Number of resources of each type, with what the run made and deleted since; of types that the target counts. */
  readonly totals: Readonly<Record<string, number>>;
  /** Types of which the target holds no resource that the sync does not know; states of earlier releases do not say. */
  readonly alone?: readonly string[];
  /** Tokens by source. */
  readonly tokens: Readonly<Record<string, string>>;
  /** What sources with a token were asked for, as digests; states of earlier releases do not say. */
  readonly asked?: Readonly<Record<string, string>>;
}

/** The end of a run that a line tells; null where it does not tell all of it: then everything is read anew. */
export function finishedOf(line: JsonObject): FinishedRun | null {
  const { mapping, since = null, until = null, totals, tokens, alone, asked } = line;
  if (typeof mapping !== "string" || !isJsonObject(totals) || !isJsonObject(tokens)) return null;
  const [from, to] = [since, until].map((instant) => (typeof instant === "string" ? instant : null));
  return {
    mapping,
    since: from ?? null,
    until: to ?? null,
    totals: membersOf(totals, (value) => typeof value === "number"),
    tokens: membersOf(tokens, (value) => typeof value === "string"),
    ...(isJsonObject(asked) ? { asked: membersOf(asked, (value) => typeof value === "string") } : {}),
    ...(isJsonArray(alone) ? { alone: alone.filter((type) => typeof type === "string") } : {}),
  };
}

function membersOf<Value>(
  object: JsonObject,
  isOne: (value: unknown) => value is Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (isOne(value) ? [[name, value] as const] : [])),
  );
}
