/**
 * The context of what an operator does by the rules of the service, for no client.
 * @module
 */
import type { ChangeOrigin, Profile, RequestContext } from "@scim/core";
import { DEFAULT_TENANT } from "../settings/table.ts";

/** On whose behalf an operator acts. */
export interface ActingOperator {
  readonly tenant: string;
  /** Default: the tenant's first. */
  readonly connection?: string | undefined;
  readonly origin: ChangeOrigin;
  readonly profile: Profile;
  /** Ends reads that take long. */
  readonly signal?: AbortSignal | undefined;
  /** Told of tolerances that are made use of. Default: nobody is. */
  readonly onSwitch?: RequestContext["onSwitch"] | undefined;
}

/** The context of an operator. */
export function operatorContext(acting: ActingOperator): RequestContext {
  const { tenant, connection = DEFAULT_TENANT, origin, profile, signal, onSwitch = () => undefined } = acting;
  return {
    tenant,
    connection,
    subject: null,
    origin,
    profile,
    baseUrl: "",
    signal,
    onSwitch,
  };
}
