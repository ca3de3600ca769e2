/**
 * The flags of `scim admin`.
 * @module
 */
import { type AdminGroups, isAdminSubjectClaim, type NewAdminIssuer } from "@scim/tenancy";
import type { ServerFlags } from "../administration/administer.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import { roleFlag } from "./role-flag.ts";

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
  readonly grant?: readonly string[];
  readonly json?: boolean;
}

/** The flags of `scim admin create`. */
export type NewAdminFlags = AdminFlags & Required<Pick<AdminFlags, "name" | "role">>;

/** The flags of `scim admin issuer add`. */
export type NewIssuerFlags = AdminFlags & Required<Pick<AdminFlags, "issuer" | "audience">>;

/**
 * The issuer that flags ask for.
 * @throws CommandFailure
 */
export function newIssuerOf(flags: NewIssuerFlags): Omit<NewAdminIssuer, "createdBy"> {
  const { issuer, audience, jwks, claim = "sub", algorithm } = flags;
  if (!isAdminSubjectClaim(claim)) throw new CommandFailure(EXIT.usage, "--claim must be sub or oid.");
  return { issuer, audience, jwksUri: jwks, claim, algorithms: algorithm };
}

/**
 * The roles that `--grant GROUP=ROLE` gives; null where none is given.
 * @throws CommandFailure
 */
export function groupsOf({ claim, grant = [] }: AdminFlags): AdminGroups | null {
  if (grant.length === 0 && claim !== undefined)
    throw new CommandFailure(
      EXIT.usage,
      "--claim goes with --grant: name the roles again, or leave both out to give none.",
    );
  if (grant.length === 0) return null;
  const roles = grant.map((text) => {
    // A group may have the sign in its name, a role has not.
    const end = text.lastIndexOf("=");
    if (end < 1)
      throw new CommandFailure(EXIT.usage, "--grant must be GROUP=ROLE, such as scim-admins=owner.");
    return { group: text.slice(0, end), ...roleFlag(text.slice(end + 1)) };
  });
  return { claim: claim ?? "groups", roles };
}
