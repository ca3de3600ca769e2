/**
 * A real issuer by which administrators of a server sign in.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { textMember } from "../over-http/exchange.ts";
import { type OidcIssuer, startIssuer } from "../oauth/oidc-issuer.ts";
import type { Administration } from "./administering.ts";

/** Who has an account at the issuer. */
export const SUBJECTS = ["sub-ann", "sub-ben", "sub-cid", "sub-eve"] as const;

/** The audience of JWTs for administration. */
export const AUDIENCE = "https://scim.example/admin";

/** An issuer that was entered. */
export interface SignIn {
  readonly oidc: OidcIssuer;
  /** Id of the issuer at the server. */
  readonly id: string;
  /** A new JWT of somebody. */
  token(subject: string): Promise<string>;
  /** Makes an administrator of somebody. */
  administrator(subject: string, of: JsonObject): Promise<{ readonly id: string; readonly token: string }>;
}

/** Starts an issuer, which ends with the test, and enters it. */
export async function startSignIn(server: Administration): Promise<SignIn> {
  const oidc = await startIssuer();
  const entered = await server.make("/issuers", { issuer: oidc.issuer, audience: AUDIENCE });
  const id = textMember(entered, "id");
  const token = (subject: string): Promise<string> => oidc.token(AUDIENCE, subject);
  return {
    oidc,
    id,
    token,
    administrator: async (subject, of) => {
      const made = await server.make("/admins", { issuer: id, subject, name: `N. ${subject}`, ...of });
      return { id: textMember(made, "id"), token: await token(subject) };
    },
  };
}
