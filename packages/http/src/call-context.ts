/**
 * What the service is told of a request.
 * @module
 */
import type { ChangeOrigin, Principal, Profile, RequestContext } from "@scim/core";
import type { HttpRequest } from "./message.ts";
import type { RequestTrace } from "./trace.ts";

/** A class, since each request makes one: an object with getters of its own costs far more. */
export class CallContext implements RequestContext {
  readonly tenant: string;
  readonly connection: string;
  readonly subject: string | null;
  readonly profile: Profile;
  readonly baseUrl: string;
  readonly onSwitch: RequestContext["onSwitch"];
  readonly #request: HttpRequest;
  readonly #credential: string | undefined;

  constructor(request: HttpRequest, principal: Principal, trace: RequestTrace) {
    this.tenant = principal.tenant;
    this.connection = principal.connection;
    this.subject = principal.subject;
    this.profile = principal.profile;
    this.baseUrl = request.baseUrl;
    this.onSwitch = trace.onSwitch;
    this.#request = request;
    this.#credential = principal.credential;
  }

  // On demand, as the signal: most operations never ask for it.
  get origin(): ChangeOrigin {
    const { id, address } = this.#request;
    const credential = this.#credential;
    return {
      request: id,
      ...(credential === undefined ? {} : { credential }),
      ...(address === undefined ? {} : { address }),
    };
  }

  get signal(): AbortSignal | undefined {
    return this.#request.signal;
  }
}
