/**
 * The flags of each command, as `parseArgs` takes them. They stand apart from the commands, so that the command line loads
 * none of those to know them.
 * @module
 */

/** Flags of `scim token`. */
export const TOKEN_FLAGS = {
  tenant: { type: "string" },
  connection: { type: "string" },
  scope: { type: "string", multiple: true },
  subject: { type: "string" },
  expires: { type: "string" },
  "never-expires": { type: "boolean" },
  name: { type: "string" },
  role: { type: "string" },
  scheme: { type: "string" },
  hash: { type: "string" },
  "key-file": { type: "string" },
  json: { type: "boolean" },
} as const;

/** Flags of `scim client`. */
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

/** Flags of `scim tenant`. */
export const TENANT_FLAGS = {
  "display-name": { type: "string" },
  exported: { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** Flags of `scim connection`. */
export const CONNECTION_FLAGS = {
  tenant: { type: "string" },
  profile: { type: "string" },
  switches: { type: "string" },
  rate: { type: "string" },
  burst: { type: "string" },
  guard: { type: "string" },
  "guard-bound": { type: "string" },
  "guard-named": { type: "string" },
  "silent-after": { type: "string" },
  json: { type: "boolean" },
} as const;

/** Flags of `scim import`. */
export const IMPORT_FLAGS = {
  tenant: { type: "string" },
  connection: { type: "string" },
  format: { type: "string" },
  type: { type: "string" },
  mapping: { type: "string" },
  encoding: { type: "string" },
  mode: { type: "string" },
  report: { type: "string" },
  "max-record": { type: "string" },
  "keep-ids": { type: "boolean" },
  "dry-run": { type: "boolean" },
  restart: { type: "boolean" },
} as const;

/** Flags of `scim export`. */
export const EXPORT_FLAGS = {
  tenant: { type: "string" },
  connection: { type: "string" },
  type: { type: "string" },
  format: { type: "string" },
  mapping: { type: "string" },
} as const;

/** Flags of `scim index`. */
export const INDEX_FLAGS = {
  tenant: { type: "string" },
  type: { type: "string" },
  path: { type: "string" },
} as const;

/** Flags of `scim doctor`. */
export const DOCTOR_FLAGS = { tenant: { type: "string" }, json: { type: "boolean" } } as const;

/** Flags of commands that show what lies behind a position. */
export const PAGE_FLAGS = {
  tenant: { type: "string" },
  since: { type: "string" },
  limit: { type: "string" },
  json: { type: "boolean" },
} as const;

/** Flags of `scim audit`. */
export const AUDIT_FLAGS = { ...PAGE_FLAGS, type: { type: "string" }, id: { type: "string" } } as const;

/** Flags of `scim profile`. */
export const PROFILE_FLAGS = { ...PAGE_FLAGS, connection: { type: "string" } } as const;

/** Flags of `scim requests`. */
export const REQUEST_FLAGS = {
  tenant: { type: "string" },
  connection: { type: "string" },
  status: { type: "string" },
  run: { type: "string" },
  since: { type: "string" },
  limit: { type: "string" },
  runs: { type: "boolean" },
  changes: { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** Flags of `scim webhook`. */
export const WEBHOOK_FLAGS = {
  tenant: { type: "string" },
  url: { type: "string" },
  types: { type: "string" },
  payload: { type: "string" },
  since: { type: "string" },
  overlap: { type: "string" },
  json: { type: "boolean" },
} as const;

/** Flags of `scim stream`. */
export const STREAM_FLAGS = {
  ...WEBHOOK_FLAGS,
  audience: { type: "string" },
  now: { type: "boolean" },
} as const;

/** Flags of `scim erase`. */
export const ERASE_FLAGS = {
  tenant: { type: "string" },
  json: { type: "boolean" },
  list: { type: "boolean" },
  replay: { type: "string" },
} as const;

/** Flags of `scim migrate`. */
export const MIGRATE_FLAGS = {
  to: { type: "string" },
  plan: { type: "boolean" },
  partitions: { type: "string" },
  distribute: { type: "string" },
} as const;

/** Flags of `scim guard`. */
export const GUARD_FLAGS = {
  tenant: { type: "string" },
  connection: { type: "string" },
  json: { type: "boolean" },
} as const;
