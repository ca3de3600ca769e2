/**
 * The flags of `scim client`.
 * @module
 */
import { isScope, SCOPES } from "@scim/core";
import { spanOf } from "@scim/events";
import { isSubjectClaim, isTrustPurpose, type NewClient, type NewTrust } from "@scim/tenancy";
import type { ServerFlags } from "../administration/administer.ts";
import { CommandFailure, EXIT } from "../failure.ts";

/** The flags, as they were given. */
export interface ClientFlags extends ServerFlags {
  readonly tenant?: string;
  readonly connection?: string;
  readonly name?: string;
  readonly scope?: readonly string[];
  readonly lifetime?: string;
  readonly expires?: string;
  readonly issuer?: string;
  readonly jwks?: string;
  readonly audience?: string;
  readonly subject?: string;
  readonly claim?: string;
  readonly purpose?: string;
  readonly "require-jti"?: boolean;
  readonly json?: boolean;
}

/** The flags of `scim client trust add`. */
export type NewTrustFlags = ClientFlags &
  Required<Pick<ClientFlags, "issuer" | "jwks" | "audience" | "subject">>;

/**
 * The client that flags ask for.
 * @throws CommandFailure
 */
export function newClientOf(tenant: string, flags: ClientFlags): Omit<NewClient, "createdBy"> {
  const { connection, name, scope = ["scim"] } = flags;
  const scopes = scope.filter(isScope);
  if (scopes.length < scope.length) {
    throw new CommandFailure(
      EXIT.usage,
      `--scope must be one of ${SCOPES.filter((each) => each !== "admin").join(", ")}, or one for a resource type such as scim:read:User; repeat it for several.`,
    );
  }
  return { tenant, connection, name, scopes, tokenLifetime: lifetimeOf(flags.lifetime) };
}

function lifetimeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const span = spanOf(text);
  if (span !== null) return span / 1000;
  throw new CommandFailure(EXIT.usage, "--lifetime must be a span from 10m to 6h, such as 1h.");
}

/**
 * The trust that flags ask for.
 * @throws CommandFailure
 */
export function newTrustOf(flags: NewTrustFlags): Omit<NewTrust, "createdBy"> {
  const { purpose = "assertion", claim = "sub" } = flags;
  if (!isTrustPurpose(purpose)) {
    throw new CommandFailure(EXIT.usage, "--purpose must be assertion or access-token.");
  }
  if (!isSubjectClaim(claim)) {
    throw new CommandFailure(EXIT.usage, "--claim must be sub, client_id, azp or appid.");
  }
  return {
    purpose,
    claim,
    issuer: flags.issuer,
    jwksUri: flags.jwks,
    audience: flags.audience,
    subject: flags.subject,
    requireJti: flags["require-jti"] === true,
  };
}
