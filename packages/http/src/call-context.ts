/**
 * What the service is told of a request.
 * @module
 */
import { type ChangeOrigin, HeldContext, type Principal } from "@scim/core";
import type { HttpRequest } from "./message.ts";
import type { RequestTrace } from "./trace.ts";

/** The context of a request over HTTP. */
export class CallContext extends HeldContext {
  readonly #request: HttpRequest;
  readonly #credential: string | undefined;

  constructor(request: HttpRequest, principal: Principal, trace: RequestTrace) {
    super(principal, request.baseUrl, trace.onSwitch);
    this.#request = request;
    this.#credential = principal.credential;
  }

  override get origin(): ChangeOrigin {
    const { id, address } = this.#request;
    const credential = this.#credential;
    return {
      request: id,
      ...(credential === undefined ? {} : { credential }),
      ...(address === undefined ? {} : { address }),
    };
  }

  override get signal(): AbortSignal | undefined {
    return this.#request.signal;
  }
}
