/**
 * What a tenant has of its own, as its row holds it. What a later release writes in another way counts as not set.
 * @module
 */
import { isJsonObject, type JsonValue } from "@scim/schemas";
import {
  DISCOVERIES,
  NO_TENANT_SETTINGS,
  RETENTION_KINDS,
  TENANT_LIMIT_NAMES,
  type TenantSettings,
} from "@scim/tenancy";
import { parseObject } from "../resources/rows.ts";

/** What the column holds: the rest stands in columns of its own. */
type Kept = Omit<TenantSettings, "secrets">;

/** Reads the column `settings`. */
export function settingsOf(text: string): Kept {
  const { limits, retention, discovery } = parseObject(text);
  return {
    limits: numbersOf(TENANT_LIMIT_NAMES, limits),
    retention: numbersOf(RETENTION_KINDS, retention),
    discovery: DISCOVERIES.find((each) => each === discovery) ?? NO_TENANT_SETTINGS.discovery,
  };
}

/** Writes the column `settings`. */
export function settingsText({ limits, retention, discovery }: Kept): string {
  return JSON.stringify({ limits, retention, discovery });
}

function numbersOf<Name extends string>(
  names: readonly Name[],
  value: JsonValue | undefined,
): Readonly<Partial<Record<Name, number>>> {
  const found: Partial<Record<Name, number>> = {};
  if (value === undefined || !isJsonObject(value)) return found;
  for (const name of names) {
    const number = value[name];
    if (typeof number === "number") found[name] = number;
  }
  return found;
}
