/**
 * The scopes of a credential: how many there may be, and those that are good for one resource type alone.
 * @module
 */
import type { Scope } from "@scim/core";
import type { TenancyPorts } from "./ports.ts";
import { TenancyError } from "./tenancy-error.ts";

/** Scopes that a token or a client has, at most: they are gone through at each request. */
export const MOST_SCOPES = 50;

const OF_TYPE = /^scim:[a-z]+:(?<type>.+)$/;

/**
 * Checks that the tenant has the resource types that scopes name: a mistyped one would open nothing.
 * @throws TenancyError `invalid`
 */
export async function requireKnownTypes(
  { resourceTypes, moreTypes }: Pick<TenancyPorts, "resourceTypes" | "moreTypes">,
  tenant: string,
  scopes: readonly Scope[],
): Promise<void> {
  const unknown = await unknownType(scopes, () => resourceTypes(tenant));
  if (unknown === null) return;
  const { types } = unknown;
  const more = moreTypes?.(tenant) ?? null;
  throw new TenancyError(
    "invalid",
    `Tenant '${tenant}' has no resource type '${unknown.type}', which the scope ${unknown.scope} names; it has ${types.join(", ")}.` +
      (more === null ? "" : ` ${more}`),
  );
}

/** A scope that names a resource type that there is not, and those that there are. */
interface UnknownType {
  readonly scope: string;
  readonly type: string;
  readonly types: readonly string[];
}

/** The first of the scopes that names a resource type that there is not, or null; `read` is called where one names any. */
export async function unknownType(
  scopes: readonly string[],
  read: () => Promise<readonly string[]>,
): Promise<UnknownType | null> {
  const named = scopes.flatMap((scope) => {
    const type = OF_TYPE.exec(scope)?.groups?.["type"];
    return type === undefined ? [] : [{ scope, type }];
  });
  if (named.length === 0) return null;
  const types = await read();
  const unknown = named.find(({ type }) => !types.includes(type));
  return unknown === undefined ? null : { ...unknown, types };
}
