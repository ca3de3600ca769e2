/**
 * What the application has had for years: a table of users, and code of its own that reads and writes it. SCIM asks for
 * two columns more, `external_id` and `version`, and for a trigger, so that the version moves whoever writes.
 * @module
 */
import { DatabaseSync } from "node:sqlite";

/** A row of the table. */
export interface UserRow {
  readonly id: number;
  readonly org: string;
  readonly login: string;
  readonly email: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly title: string | null;
  readonly is_active: number;
  readonly external_id: string | null;
  readonly created_at: string;
  readonly changed_at: string;
  readonly version: string;
}

/** Opens an empty database of the application. */
export function openDatabase(path = ":memory:"): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE users (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      org TEXT NOT NULL,
      -- ASCII alone, so that NOCASE folds letters as SCIM does.
      login TEXT NOT NULL COLLATE NOCASE CHECK (login <> '' AND login NOT GLOB '*[^ -~]*'),
      email TEXT COLLATE NOCASE CHECK (email NOT GLOB '*[^ -~]*'),
      first_name TEXT,
      last_name TEXT,
      title TEXT,
      is_active INTEGER NOT NULL DEFAULT 1,
      external_id TEXT,
      created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
      changed_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
      -- Random, not counted: after a backup is restored, no old version comes again.
      version TEXT NOT NULL DEFAULT (lower(hex(randomblob(8)))),
      UNIQUE (org, login)
    );
    CREATE INDEX users_by_email ON users (org, email);
    CREATE INDEX users_by_external_id ON users (org, external_id);
    CREATE TRIGGER users_version AFTER UPDATE ON users WHEN new.version = old.version BEGIN
      UPDATE users SET version = lower(hex(randomblob(8))), changed_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      WHERE id = new.id;
    END;
  `);
  return database;
}

/** The application's own code, which knows nothing of SCIM. */
export function renameUser(database: DatabaseSync, id: number, firstName: string): void {
  database.prepare("UPDATE users SET first_name = ? WHERE id = ?").run(firstName, id);
}
