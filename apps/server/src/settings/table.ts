/**
 * Every setting of the server, in one place. A key is also the key in the configuration file; flag and
 * environment variable follow from it.
 * @module
 */
import { ADMIN_TENANT, RETENTION_DAYS } from "@scim/tenancy";
import {
  readBaseUrl,
  readHttpAddress,
  readPath,
  readSecretKeys,
  readSwitches,
  readText,
  readToken,
  readTrustedProxies,
} from "./forms.ts";
import { readDatabaseAddress, readMigrationMode, showDatabaseAddress } from "./database-address.ts";
import { DELIVERY_SETTINGS } from "./delivery-settings.ts";
import { GUARD_SETTINGS } from "./guard-settings.ts";
import { LOAD_SETTINGS } from "./load-settings.ts";
import { readMounts } from "./mount-form.ts";
import { OBSERVING_SETTINGS } from "./observing-settings.ts";
import { QUERY_SETTINGS } from "./query-settings.ts";
import { REQUEST_SETTINGS } from "./request-settings.ts";
import { STOP_SETTINGS } from "./stop-settings.ts";
import { TOOL_SETTINGS } from "./tool-settings.ts";
import { choice, integer, text, type Setting } from "./setting.ts";
import { PROFILE_NAMES } from "./profile-names.ts";

/** The tenant that the server makes; its connection bears the same name. */
export const DEFAULT_TENANT = "default";

/** The settings by key. */
export const SETTINGS = {
  port: integer({
    doc: "Port to listen on; 0 takes any free one.",
    fallback: 8080,
    minimum: 0,
    maximum: 65_535,
    unit: "port",
  }),
  host: text({
    doc: "Address to listen on; `localhost` is 127.0.0.1.",
    bound: "a host name or IP address",
    read: readText,
    fallback: "127.0.0.1",
  }),
  exposed: choice({
    doc: "Whether others than this machine may reach the server: `behind-tls` says that a proxy or load balancer in front speaks TLS. Without it the server refuses to listen on an address that is not a loopback one.",
    fallback: "none",
    words: ["none", "behind-tls"],
  }),
  ...OBSERVING_SETTINGS,
  ...TOOL_SETTINGS,
  databaseUrl: text({
    doc: "Where the database is.",
    bound: "sqlite:PATH, sqlite::memory: or postgres://user:password@host/database",
    read: readDatabaseAddress,
    show: showDatabaseAddress,
    fallback: "sqlite:./data/scim.db",
  }),
  migrations: text({
    doc: "When the schema is brought up to date: `auto` at start (on SQLite after a backup), `manual` by `scim migrate` alone. Default: auto on SQLite, manual on PostgreSQL.",
    bound: "auto, manual",
    read: readMigrationMode,
  }),
  workers: integer({
    doc: "Processes that serve the port. More than one needs a database that they can share: not `sqlite::memory:`.",
    fallback: 1,
    minimum: 1,
    maximum: 128,
    unit: "processes",
  }),
  "sqlite.busyTimeout": integer({
    doc: "How long a write waits for another process that holds SQLite's lock, before it is refused with 503.",
    fallback: 5000,
    minimum: 0,
    maximum: 60_000,
    unit: "milliseconds",
  }),
  "postgres.poolSize": integer({
    doc: "Most sessions that each process opens to PostgreSQL.",
    fallback: 10,
    minimum: 2,
    maximum: 1000,
    unit: "sessions",
  }),
  "postgres.statementTimeout": integer({
    doc: "How long one statement may take on PostgreSQL, before it is ended and the request refused with 503; some seconds more where the network to it has fallen silent.",
    fallback: 30_000,
    minimum: 100,
    maximum: 3_600_000,
    unit: "milliseconds",
  }),
  "postgres.preparedStatements": choice({
    doc: "Whether statements are prepared once for each session, which saves the database work: `on` where sessions are direct, or the pooler keeps names (PgBouncer 1.21 and later with `max_prepared_statements`).",
    fallback: "off",
    words: ["off", "on"],
  }),
  dataDir: text({
    doc: "Folder of `credentials` and `keys.json`. Default: that of the database file; `./data` for a database in memory, or `./data/memory` where one is kept in `./data`. None is made on PostgreSQL.",
    bound: "a path",
    read: readPath,
  }),
  token: text({
    doc: "Provisioning token of the default tenant. Default: made on the first start; on PostgreSQL by `scim token create`.",
    bound: "scim_default_<43 characters of base64url>",
    read: readToken(DEFAULT_TENANT),
    secret: true,
  }),
  adminToken: text({
    doc: "Token of the admin API. Default: made on the first start; on PostgreSQL by `scim token create --tenant admin --name NAME`.",
    bound: "scim_admin_<43 characters of base64url>",
    read: readToken(ADMIN_TENANT),
    secret: true,
  }),
  baseUrl: text({
    doc: "Public origin and optional prefix, without `/scim/v2`. Default: the address that the request came in on.",
    bound: "an http or https address",
    read: readBaseUrl,
  }),
  trustProxy: text({
    doc: "Proxies whose forwarded headers are trusted. Default: none.",
    bound: "addresses and CIDR ranges separated by commas",
    read: readTrustedProxies,
  }),
  mounts: text({
    doc: "Addresses of old below which a tenant, or one connection of it, is served too; `meta.location` follows the address of the request. Default: none.",
    bound: "path=tenant or path=tenant/connection, separated by commas",
    read: readMounts,
  }),
  profile: choice({ doc: "Profile of the default connection.", fallback: "tolerant", words: PROFILE_NAMES }),
  switches: text({
    doc: "Switches to flip in that profile, such as `require-version,-bare-token`. Default: none.",
    bound: "names separated by commas, a minus turns off",
    read: readSwitches,
  }),
  schemas: text({
    doc: "Folder of `*.json` with Schema and ResourceType documents to load at start, for the tenant `default`; other tenants are given theirs by `scim schema add`. Default: none.",
    bound: "a path",
    read: readPath,
  }),
  secretKeys: text({
    doc: "Ordered keys, the first signs, all verify. Default: made in `keys.json` on the first start; demanded on PostgreSQL.",
    bound: "id:secret,…, each id once, each secret 32 bytes or more as base64url",
    read: readSecretKeys,
    secret: true,
  }),
  documentationUri: text({
    doc: "Address of documentation that ServiceProviderConfig gives. Default: that of the server's own `/docs`.",
    bound: "an http or https address",
    read: readHttpAddress,
  }),
  logLevel: choice({
    doc: "Least level that is logged.",
    fallback: "info",
    words: ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
  }),
  ...QUERY_SETTINGS,
  "group.answerMembers": integer({
    doc: "A PATCH of a group with more members is answered without a body.",
    fallback: 200,
    minimum: 0,
    maximum: 100_000,
    unit: "members",
  }),
  groups: choice({
    doc: "How far `User.groups` looks.",
    fallback: "direct",
    words: ["direct", "transitive", "off"],
  }),
  groupMemberships: choice({
    doc: "Whether `/GroupMemberships` serves each member of each group as a resource of its own.",
    fallback: "off",
    words: ["off", "on"],
  }),
  me: choice({
    doc: "Whether `/Me` is served, to tokens with a subject.",
    fallback: "on",
    words: ["on", "off"],
  }),
  "oauth.privateIssuers": choice({
    doc: "Whether the public keys of foreign issuers may be read from private networks and by plain HTTP: for tests, and for an issuer beside the server.",
    fallback: "refuse",
    words: ["refuse", "allow"],
  }),
  "retention.deleted": integer({
    doc: "How long a deleted resource can be restored before its rows go; a tenant may have a time of its own, here and below.",
    fallback: 30,
    minimum: RETENTION_DAYS.deleted.least,
    maximum: RETENTION_DAYS.deleted.most,
    unit: "days",
  }),
  "retention.events": integer({
    doc: "How long the change feed keeps what happened.",
    fallback: 30,
    minimum: RETENTION_DAYS.events.least,
    maximum: RETENTION_DAYS.events.most,
    unit: "days",
  }),
  "retention.audit": integer({
    doc: "How long the audit log keeps its entries; a signed checkpoint stands for those that went.",
    fallback: 400,
    minimum: RETENTION_DAYS.audit.least,
    maximum: RETENTION_DAYS.audit.most,
    unit: "days",
  }),
  "retention.tokens": integer({
    doc: "How long a token is listed when it was revoked, or has ended, and a secret of a client when it has ended. Tokens that a start made, and the last of a tenant, stay.",
    fallback: 90,
    minimum: 1,
    maximum: 3650,
    unit: "days",
  }),
  erasureList: text({
    doc: "File that lists who was erased, as keyed hashes. Each start erases again whom a restored backup brought back, before it serves; so keep it apart from backups of the database. Default: `erasures.jsonl` in the folder of secrets; none on PostgreSQL.",
    bound: "a path",
    read: readPath,
  }),
  ...REQUEST_SETTINGS,
  ...GUARD_SETTINGS,
  ...DELIVERY_SETTINGS,
  ...LOAD_SETTINGS,
  ...STOP_SETTINGS,
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

/** Key of a setting. */
export type SettingKey = keyof typeof SETTINGS;

/** The value of each setting. */
export type Settings = {
  readonly [Key in SettingKey]: (typeof SETTINGS)[Key] extends Setting<infer Value> ? Value : never;
};

/** The keys in the order of the table. */
// The keys of a constant record are its literal names.
export const SETTING_KEYS = Object.keys(SETTINGS) as readonly SettingKey[];
