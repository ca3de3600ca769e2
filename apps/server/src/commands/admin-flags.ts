/**
 * The flags of `scim admin`.
 * @module
 */
import { isAdminSubjectClaim, type NewAdminIssuer } from "@scim/tenancy";
import type { ServerFlags } from "../administration/administer.ts";
import { CommandFailure, EXIT } from "../failure.ts";

/** The flags, as they were given. */
export interface AdminFlags extends ServerFlags {
  readonly name?: string;
  readonly role?: string;
  readonly expires?: string;
  readonly issuer?: string;
  readonly subject?: string;
  readonly audience?: string;
  readonly jwks?: string;
  readonly claim?: string;
  readonly algorithm?: readonly string[];
  readonly json?: boolean;
}

/**
 * The issuer that flags ask for.
 * @throws CommandFailure
 */
export function newIssuerOf(flags: AdminFlags): Omit<NewAdminIssuer, "createdBy"> {
  const { issuer = "", audience = "", jwks, claim = "sub", algorithm } = flags;
  if (!isAdminSubjectClaim(claim)) throw new CommandFailure(EXIT.usage, "--claim must be sub or oid.");
  return { issuer, audience, jwksUri: jwks, claim, algorithms: algorithm };
}
