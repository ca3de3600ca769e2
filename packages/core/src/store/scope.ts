/**
 * Whose data a request touches in the store.
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { StoreScope } from "./port.ts";

/** The scope of a request in the store. */
export function scopeOf({ tenant, connection }: RequestContext): StoreScope {
  return { tenant, connection };
}
