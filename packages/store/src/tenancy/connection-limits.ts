/**
 * What a connection is limited to, as its row holds it. What a later release writes in another way counts as not set.
 * @module
 */
import type { RequestRate } from "@scim/core";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import type { Connection, ConnectionGuard } from "@scim/tenancy";
import { parseObject } from "../resources/rows.ts";

/** Reads the column `limits`. */
export function limitsOf(text: string): Pick<Connection, "rate" | "guard" | "silentAfter"> {
  const { rate, guard, silentAfter } = parseObject(text);
  return {
    rate: objectOr(rate, rateOf),
    guard: objectOr(guard, guardOf),
    silentAfter: typeof silentAfter === "number" ? silentAfter : null,
  };
}

function objectOr<Value>(
  value: JsonValue | undefined,
  read: (object: JsonObject) => Value | null,
): Value | null {
  return value !== undefined && isJsonObject(value) ? read(value) : null;
}

function rateOf({ perSecond, burst }: JsonObject): RequestRate | null {
  return typeof perSecond === "number" && typeof burst === "number" ? { perSecond, burst } : null;
}

const MODES: readonly ConnectionGuard["mode"][] = ["off", "observe", "hold"];

function guardOf({ mode: text, atLeast, percent, window, named }: JsonObject): ConnectionGuard | null {
  if (typeof text !== "string") return null;
  // Whoever set one that only a later release knows wants to be guarded: the strictest that is known does not let pass what that holds.
  const mode = MODES.find((known) => known === text) ?? "hold";
  if (typeof atLeast !== "number" || typeof percent !== "number" || typeof window !== "number") return null;
  const names = named !== undefined && isJsonArray(named) ? named : [];
  return { mode, atLeast, percent, window, named: names.filter((name) => typeof name === "string") };
}
