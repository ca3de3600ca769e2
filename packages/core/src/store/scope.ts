/**
 * Whose data a request touches in the store.
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { StoreScope } from "./port.ts";

/** The scope of a request in the store. */
export function scopeOf(context: RequestContext): StoreScope {
  return {
    tenant: context.tenant,
    connection: context.connection,
    // Only reads that take long ask for it.
    get signal() {
      return context.signal;
    },
  };
}
