/**
 * Where the database is, as a text and as a value.
 * @module
 */
import { existsSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { readPath } from "./forms.ts";

/** An SQLite file, or a database of a PostgreSQL server. */
export type DatabaseAddress =
  | {
      readonly kind: "sqlite";
      /** Path of the file, or `:memory:`. */
      readonly path: string;
      /** Whether a file that is not there is refused, where it would be made. Default false. */
      readonly mustExist?: boolean;
    }
  | {
      readonly kind: "postgres";
      /** `postgres://user:password@host:port/database?sslmode=…`; it may hold a password: never show it. */
      readonly url: string;
    };

/** `sqlite:PATH`, `sqlite::memory:` or `postgres://…`. The text is never repeated: it may hold a password. */
export function readDatabaseAddress(text: string): DatabaseAddress {
  if (isPostgres(text)) return { kind: "postgres", url: readPostgresAddress(text) };
  const path = text.startsWith("sqlite:") ? text.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "") : "";
  if (path.trim() !== "" && !path.startsWith("//") && !isSqliteUri(path)) {
    return { kind: "sqlite", path: readPath(path) };
  }
  throw new TypeError(
    "must be sqlite:PATH, such as sqlite:./data/scim.db, sqlite::memory:, or postgres://user:password@host/database",
  );
}

/** Whether SQLite would take a path for a URI: it would open another file than the one of that name, which is looked for here. */
export function isSqliteUri(path: string): boolean {
  return /^file:/i.test(path);
}

/** A database that is gone with the process. */
export const IN_MEMORY = { kind: "sqlite", path: ":memory:" } as const satisfies DatabaseAddress;

/** The address of a database that has to be there. */
export function existingDatabase(address: DatabaseAddress): DatabaseAddress {
  return address.kind === "sqlite" ? { ...address, mustExist: true } : address;
}

/** The path of a database file that is not there; null for any other. */
export function missingDatabase(address: DatabaseAddress): string | null {
  if (address.kind !== "sqlite" || address.path === IN_MEMORY.path || existsSync(address.path)) return null;
  return address.path;
}

/** Whether two addresses lead to one database, as far as can be told without asking it. */
export function isSameDatabase(one: DatabaseAddress, other: DatabaseAddress): boolean {
  return placeOf(one) === placeOf(other);
}

/** Where a database is, however it is written and whoever asks it. */
function placeOf(address: DatabaseAddress): string {
  if (address.kind === "sqlite")
    return existsSync(address.path) ? realpathSync(address.path) : resolve(address.path);
  const { hostname, port, pathname, searchParams } = new URL(address.url);
  return `postgres://${searchParams.get("host") ?? hostname}:${port || POSTGRES_PORT}${pathname}`;
}

/** Where PostgreSQL listens unless it is told otherwise. */
const POSTGRES_PORT = "5432";

function isPostgres(text: string): boolean {
  return /^postgres(?:ql)?:/.test(text);
}

function readPostgresAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^\/[^/]+$/.test(url.pathname) && url.hash === "") return text;
  throw new TypeError("must be postgres://user:password@host:port/database to name a database of PostgreSQL");
}

/** Names of parameters that hold a secret: `password` and `sslpassword`, and what one takes for them, such as `PGPASSWORD`. */
const SECRET_PARAMETER = /password/i;

/** An address without what it holds of secrets, for people. */
export function showDatabaseAddress(text: string): string {
  if (!isPostgres(text)) return text;
  const url = new URL(text);
  if (url.password !== "") url.password = "***";
  for (const name of new Set(url.searchParams.keys())) {
    if (SECRET_PARAMETER.test(name)) url.searchParams.set(name, "***");
  }
  return url.href;
}

/** How a start treats a schema that is not up to date. */
export type MigrationMode = "auto" | "manual";

/** `auto` or `manual`. */
export function readMigrationMode(text: string): MigrationMode {
  if (text === "auto" || text === "manual") return text;
  throw new TypeError("must be one of auto, manual");
}
