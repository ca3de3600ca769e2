/**
 * The flags of `scim client`, as the command line reads them: apart, so that other commands load nothing of it.
 * @module
 */

/** The flags by name. */
export const CLIENT_FLAGS = {
  tenant: { type: "string" },
  connection: { type: "string" },
  name: { type: "string" },
  scope: { type: "string", multiple: true },
  lifetime: { type: "string" },
  expires: { type: "string" },
  issuer: { type: "string" },
  jwks: { type: "string" },
  audience: { type: "string" },
  subject: { type: "string" },
  claim: { type: "string" },
  purpose: { type: "string" },
  "require-jti": { type: "boolean" },
  json: { type: "boolean" },
} as const;
