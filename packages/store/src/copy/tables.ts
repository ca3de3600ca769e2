/**
 * The tables that a copy holds, and how their rows are read on: in the order of the primary key.
 * @module
 */

/** A table whose rows are the same in every database. */
export interface CopiedTable {
  readonly name: string;
  /** The primary key behind the tenant. */
  readonly key: readonly string[];
  /** All other columns. */
  readonly columns: readonly string[];
  /** Columns that hold whole numbers. */
  readonly numbers: ReadonlySet<string>;
  /** Columns whose texts may be so long that few rows are read at once. */
  readonly long: readonly string[];
}

/** A table as it is stated below. */
interface TableColumns {
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly numbers?: readonly string[];
  readonly long?: readonly string[];
}

function table(name: string, { key, columns, numbers = [], long = [] }: TableColumns): CopiedTable {
  return { name, key, columns, numbers: new Set(numbers), long };
}

/** Resources and tombstones. Their index entries and unique values go with them. */
export const RESOURCES: CopiedTable = table("resources", {
  key: ["type", "id"],
  columns: [
    "connection",
    "revision",
    "version",
    "created",
    "last_modified",
    "deleted",
    "body",
    "indexed_version",
  ],
  numbers: ["revision"],
  long: ["body"],
});

/** Members of groups and the like, with their places. */
export const REFERENCES: CopiedTable = table("reference_values", {
  key: ["type", "owner", "path", "position"],
  columns: ["value", "rest"],
  numbers: ["position"],
});

/** Events by their positions: the number of a transaction means nothing in another database. */
export const EVENTS: CopiedTable = table("events", {
  key: ["position"],
  columns: [
    "at",
    "connection",
    "subject",
    "kind",
    "type",
    "id",
    "version",
    "changed",
    "before",
    "after",
    "collections",
    "origin",
    "version_before",
  ],
  numbers: ["position"],
  long: ["before", "after", "collections"],
});

/** Small tables that are copied as they are. What is derived, or belongs to processes under way, is not among them. */
export const SMALL_TABLES: readonly CopiedTable[] = [
  table("connections", {
    key: ["connection"],
    columns: ["created", "state", "profile", "switches", "limits", "revision"],
    numbers: ["revision"],
  }),
  table("tenant_documents", { key: ["name"], columns: ["kind", "document", "changed"] }),
  table("served_definitions", { key: ["revision"], columns: ["definitions"], numbers: ["revision"] }),
  table("tokens", {
    key: ["id"],
    columns: [
      "connection",
      "hash",
      "key_id",
      "scopes",
      "subject",
      "expires",
      "created",
      "name",
      "created_by",
      "last_used",
      "revoked",
      "scheme",
      "sealed_key",
    ],
  }),
  table("oauth_clients", {
    key: ["id"],
    columns: ["connection", "name", "state", "scopes", "token_lifetime", "created", "created_by", "revision"],
    numbers: ["token_lifetime", "revision"],
  }),
  table("client_secrets", {
    key: ["client", "id"],
    columns: ["hash", "key_id", "created", "created_by", "expires", "last_used"],
  }),
  table("client_trusts", {
    key: ["client", "id"],
    columns: [
      "purpose",
      "issuer",
      "jwks_uri",
      "audience",
      "claim",
      "subject",
      "require_jti",
      "created",
      "created_by",
    ],
    numbers: ["require_jti"],
  }),
  table("access_tokens", {
    key: ["hash"],
    columns: ["key_id", "client", "credential", "scopes", "created", "expires"],
  }),
  table("used_assertions", { key: ["client", "jti"], columns: ["expires"] }),
  table("admin_issuers", {
    key: ["id"],
    columns: [
      "issuer",
      "jwks_uri",
      "audience",
      "claim",
      "algorithms",
      "group_roles",
      "state",
      "created",
      "created_by",
      "revision",
    ],
    numbers: ["revision"],
  }),
  table("admin_identities", {
    key: ["id"],
    columns: [
      "issuer",
      "subject",
      "name",
      "scope",
      "expires",
      "created",
      "created_by",
      "revision",
      "last_used",
    ],
    numbers: ["revision"],
  }),
  table("index_revisions", {
    key: ["type"],
    columns: ["revision", "changes"],
    numbers: ["revision", "changes"],
  }),
  table("audit_entries", {
    key: ["position"],
    columns: ["at", "type", "id", "entry", "hash"],
    numbers: ["position"],
    long: ["entry"],
  }),
  table("audit_checkpoints", {
    key: ["position"],
    columns: ["hash", "at", "key_id", "signature"],
    numbers: ["position"],
  }),
  table("guard_windows", {
    key: ["connection", "measure", "type"],
    columns: ["started", "count", "most", "told"],
    numbers: ["count", "most", "told"],
  }),
  table("guard_held", {
    key: ["connection", "measure", "type", "resource"],
    columns: ["id", "first_at", "last_at", "tries", "changes", "removed", "released"],
    numbers: ["tries"],
  }),
  table("request_log", {
    key: ["id"],
    columns: ["at", "connection", "run", "status", "request", "type", "resource", "size", "entry"],
    numbers: ["status", "size"],
    long: ["entry"],
  }),
  table("request_runs", {
    key: ["run"],
    columns: ["connection", "begun", "ended", "requests", "failed", "skipped", "size"],
    numbers: ["requests", "failed", "skipped", "size"],
  }),
  table("request_sources", {
    key: ["connection"],
    columns: ["run", "begun", "last", "intervals", "silence_told"],
  }),
  table("secret_hashes", { key: ["type", "id", "path"], columns: ["hash"] }),
  table("subject_secrets", { key: ["id", "type"], columns: ["secret"] }),
  table("erasures", { key: ["subject"], columns: ["key_id", "at"] }),
  table("erased_lately", { key: ["id"], columns: ["at", "type"] }),
  table("event_receivers", {
    key: ["id"],
    columns: [
      "kind",
      "url",
      "state",
      "reason",
      "types",
      "payload",
      "secrets",
      "options",
      "created",
      "revision",
      "position",
      "failing_since",
      "last_delivery",
      "last_problem",
    ],
    numbers: ["revision", "position"],
  }),
  table("signing_keys", {
    key: ["id"],
    columns: ["public_key", "sealed", "created", "signs_from", "retires"],
  }),
  table("event_deliveries", {
    key: ["receiver", "position"],
    columns: ["type", "id", "state", "attempts", "since", "next", "problem"],
    numbers: ["position", "attempts"],
  }),
  table("import_runs", {
    key: ["run"],
    columns: ["position", "created", "replaced", "unchanged"],
    numbers: ["position", "created", "replaced", "unchanged"],
  }),
];

/** Tables that must be empty before a copy: whoever fills them would be lost, or clash. */
export const MUST_BE_EMPTY: readonly string[] = [
  "resources",
  "reference_values",
  "events",
  "audit_entries",
  "tokens",
  "oauth_clients",
  "attribute_index",
  "unique_values",
  "secret_hashes",
];
