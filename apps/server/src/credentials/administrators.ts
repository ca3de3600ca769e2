/**
 * Administrators who sign in by an issuer, and the token that the administration begins with, which ends with them.
 * @module
 */
import { ScimError } from "@scim/schemas";
import {
  type CredentialSource,
  findForeignAdministrator,
  isBootstrapToken,
  type JwtCheck,
  refusesBootstrap,
  type StoredToken,
} from "@scim/tenancy";
import type { Logger } from "pino";
import { ADMIN_CHALLENGE } from "../admin/challenge.ts";
import { keysUnavailable } from "../oauth/keys-unavailable.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { SOURCES } from "../sources.ts";

/** What administrators are found with. */
export interface AdministratorParts {
  readonly opened: OpenedStore;
  readonly checkJwt: JwtCheck;
  readonly log: Pick<Logger, "info">;
  /** Called with the id of a listed administrator who was let in. */
  readonly onUse: (id: string) => void;
}

/** Characters of the id of an administrator by a group: 132 bits. */
const ID_CHARACTERS = 22;

/** Where the authenticator looks for administrators who sign in by an issuer. */
export function administratorSource({ opened, checkJwt, log, onUse }: AdministratorParts): CredentialSource {
  const { admins } = opened.store;
  return (text, tenant, req) =>
    findForeignAdministrator(text, tenant, {
      admins,
      checkJwt,
      now: Date.now,
      onUse,
      idOf: (issuer, subject) => SOURCES.digest(`${issuer}\n${subject}`).slice(0, ID_CHARACTERS),
      unavailable: keysUnavailable,
      unknown: ({ id, claim, groups }) => {
        log.info(
          { req, issuer: id },
          "somebody who is no administrator signed in by an issuer of administrators",
        );
        return new ScimError(
          "forbidden",
          `Your token is valid, but you are no administrator here. An owner makes you one, by the claim '${claim}' of your token: ` +
            `scim admin create --issuer ${id} --subject TEXT --name NAME --role ROLE, or POST /admin/v1/admins.` +
            (groups === null
              ? ""
              : ` Or be put into a group that has a role: your token has none in '${groups.claim}'.`),
        );
      },
      onRefused: (reason, { id }) =>
        log.info({ req, issuer: id, reason }, "token of an administrator refused"),
    });
}

/**
 * Refuses the token that the administration begins with while an owner can sign in by an issuer.
 * @returns throws a ScimError `unauthorized` for that token
 */
export function bootstrapGate({ store }: Pick<OpenedStore, "store">): (token: StoredToken) => Promise<void> {
  return async (token) => {
    if (!isBootstrapToken(token) || !(await refusesBootstrap({ admins: store.admins, now: Date.now })))
      return;
    throw new ScimError(
      "unauthorized",
      "SCIM_ADMIN_TOKEN only begins the administration, and is refused while an owner can sign in by an issuer. " +
        "Sign in there, or use the token of an administrator; 'scim admin' on the machine works without either.",
      { headers: { "www-authenticate": `${ADMIN_CHALLENGE}, error="invalid_token"` } },
    );
  };
}
