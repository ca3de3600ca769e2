/**
 * Every setting of the server, in one place. A key is also the key in the configuration file; flag and
 * environment variable follow from it.
 * @module
 */
import { PROFILES, type ProfileName } from "@scim/core";
import { ADMIN_TENANT } from "@scim/tenancy";
import {
  readAttributePaths,
  readBaseUrl,
  readDocumentationUri,
  readSecretKeys,
  readSwitches,
  readText,
  readToken,
  readTrustedProxies,
} from "./forms.ts";
import { readDatabaseAddress, readMigrationMode, showDatabaseAddress } from "./database-address.ts";
import { choice, integer, text, type Setting } from "./setting.ts";

/** The tenant that the server makes; its connection bears the same name. */
export const DEFAULT_TENANT = "default";

const MIB = 1_048_576;

// The keys of a record typed by the names of the profiles are these names.
const PROFILE_NAMES = Object.keys(PROFILES) as readonly ProfileName[];

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
    doc: "Address to listen on.",
    bound: "a host name or IP address",
    read: readText,
    fallback: "127.0.0.1",
  }),
  exposed: choice({
    doc: "Whether others than this machine may reach the server: `behind-tls` says that a proxy or load balancer in front speaks TLS. Without it the server refuses to listen on an address that is not a loopback one.",
    fallback: "none",
    words: ["none", "behind-tls"],
  }),
  metrics: choice({
    doc: "Whether `/metrics` is served, in the text form of Prometheus: `admin` to the token of an admin, `open` to everybody who reaches the port.",
    fallback: "off",
    words: ["off", "admin", "open"],
  }),
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
    doc: "How long one statement may take on PostgreSQL, before it is ended and the request refused with 503.",
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
    doc: "Folder of `credentials` and `keys.json`. Default: that of the database file; `./data` for a database in memory. None is made on PostgreSQL.",
    bound: "a path",
    read: readText,
  }),
  token: text({
    doc: "Provisioning token of the default tenant. Default: made on the first start; on PostgreSQL by `scim token create`.",
    bound: "scim_default_<43 characters of base64url>",
    read: readToken(DEFAULT_TENANT),
    secret: true,
  }),
  adminToken: text({
    doc: "Token of the admin API. Default: made on the first start; on PostgreSQL by `scim token create --tenant admin`.",
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
  profile: choice({ doc: "Profile of the default connection.", fallback: "tolerant", words: PROFILE_NAMES }),
  switches: text({
    doc: "Switches to flip in that profile, such as `require-version,-bare-token`. Default: none.",
    bound: "names separated by commas, a minus turns off",
    read: readSwitches,
  }),
  schemas: text({
    doc: "Folder of `*.json` with Schema and ResourceType documents to load at start. Default: none.",
    bound: "a path",
    read: readText,
  }),
  secretKeys: text({
    doc: "Ordered keys, the first signs, all verify. Default: made in `keys.json` on the first start; demanded on PostgreSQL.",
    bound: "id:secret,…, each secret 32 bytes or more as base64url",
    read: readSecretKeys,
    secret: true,
  }),
  documentationUri: text({
    doc: "Address of documentation that ServiceProviderConfig gives. Default: that of the server's own `/docs`.",
    bound: "an http or https address",
    read: readDocumentationUri,
  }),
  logLevel: choice({
    doc: "Least level that is logged.",
    fallback: "info",
    words: ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
  }),
  "page.size": integer({
    doc: "Resources of a page where a query gives no count.",
    fallback: 100,
    minimum: 1,
    maximum: 1000,
    unit: "resources",
  }),
  "filter.maxResults": integer({
    doc: "Most resources of one answer; a greater count is cut to it.",
    fallback: 1000,
    minimum: 1,
    maximum: 10_000,
    unit: "resources",
  }),
  "filter.maxLength": integer({
    doc: "Longest filter or path.",
    fallback: 8192,
    minimum: 256,
    maximum: 32_768,
    unit: "characters",
  }),
  "filter.maxDepth": integer({
    doc: "Deepest nesting of a filter: groups, `not` and value paths each count one.",
    fallback: 64,
    minimum: 4,
    maximum: 256,
    unit: "levels",
  }),
  "filter.sensitiveAttributes": text({
    doc: "Attributes that filters in an address must not name, since addresses are logged on their way: 403 `sensitive`. Default: none.",
    bound: "attribute paths separated by commas",
    read: readAttributePaths,
  }),
  "cursor.timeout": integer({
    doc: "How long a cursor is valid.",
    fallback: 3600,
    minimum: 10,
    maximum: 604_800,
    unit: "seconds",
  }),
  "sort.maxResults": integer({
    doc: "Most resources that are kept or passed over to find one page of a sorted list that no index serves; deeper pages are refused with `tooMany`.",
    fallback: 200_000,
    minimum: 1000,
    maximum: 10_000_000,
    unit: "resources",
  }),
  "query.timeout": integer({
    doc: "Longest time that a query may go through resources, waiting for its turn included; what takes longer is refused with `tooMany`.",
    fallback: 30_000,
    minimum: 100,
    maximum: 600_000,
    unit: "milliseconds",
  }),
  "query.scans": integer({
    doc: "Queries that may go through resources at the same time, in each process.",
    fallback: 2,
    minimum: 1,
    maximum: 64,
    unit: "queries",
  }),
  "query.waitingScans": integer({
    doc: "Queries that may wait for that, tenants in turn; more are refused with 503.",
    fallback: 64,
    minimum: 0,
    maximum: 10_000,
    unit: "queries",
  }),
  "string.maxLength": integer({
    doc: "Longest string value; an annotation may allow less.",
    fallback: 65_536,
    minimum: 256,
    maximum: 16 * MIB,
    unit: "code points",
  }),
  "decimal.maxPrecision": integer({
    doc: "Most digits of a decimal, written without an exponent; an annotation may allow less.",
    fallback: 309,
    minimum: 1,
    maximum: 309,
    unit: "digits",
  }),
  "decimal.maxScale": integer({
    doc: "Most digits after the point of a decimal; an annotation may allow less.",
    fallback: 324,
    minimum: 0,
    maximum: 324,
    unit: "digits",
  }),
  "integer.minimum": integer({
    doc: "Least integer value; an annotation may ask for more.",
    fallback: Number.MIN_SAFE_INTEGER,
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: 0,
    unit: "",
  }),
  "integer.maximum": integer({
    doc: "Greatest integer value; an annotation may allow less.",
    fallback: Number.MAX_SAFE_INTEGER,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    unit: "",
  }),
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
  "retention.deleted": integer({
    doc: "How long a deleted resource can be restored before its rows go.",
    fallback: 30,
    minimum: 0,
    maximum: 3650,
    unit: "days",
  }),
  "body.maxBytes": integer({
    doc: "Greatest body of a request.",
    fallback: MIB,
    minimum: 16_384,
    maximum: 16 * MIB,
    unit: "bytes",
  }),
  "body.maxCollectionBytes": integer({
    doc: "Greatest body of a POST or PUT for types that hold references, such as Group. A PATCH may have 4 MiB of it.",
    fallback: 64 * MIB,
    minimum: 16_384,
    maximum: 64 * MIB,
    unit: "bytes",
  }),
  "bulk.maxOperations": integer({
    doc: "Most operations of a bulk job.",
    fallback: 1000,
    minimum: 1,
    maximum: 10_000,
    unit: "operations",
  }),
  "bulk.maxPayloadSize": integer({
    doc: "Greatest bulk job.",
    fallback: 4 * MIB,
    minimum: 16_384,
    maximum: 64 * MIB,
    unit: "bytes",
  }),
  "stop.timeout": integer({
    doc: "How long a stop waits for requests under way.",
    fallback: 30,
    minimum: 0,
    maximum: 600,
    unit: "seconds",
  }),
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
