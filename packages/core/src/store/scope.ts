/**
 * Whose data a request touches in the store.
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { StoreScope } from "./port.ts";

/** The scope of a request in the store. */
export function scopeOf(context: RequestContext): StoreScope {
  return new RequestScope(context);
}

/** A class, since each request makes some: an object with a getter of its own costs far more. */
class RequestScope implements StoreScope {
  readonly tenant: string;
  readonly connection: string;
  readonly #context: RequestContext;

  constructor(context: RequestContext) {
    this.tenant = context.tenant;
    this.connection = context.connection;
    this.#context = context;
  }

  // Only reads that take long ask for it.
  get signal(): AbortSignal | undefined {
    return this.#context.signal;
  }
}
