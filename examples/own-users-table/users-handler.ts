/**
 * The table as SCIM users: six calls, each one statement.
 * @module
 */
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type {
  HandledResource,
  HandlerContext,
  HandlerList,
  HandlerQuery,
  HandlerReplace,
  ResourceHandler,
} from "@scim/core";
import { isJsonArray, isJsonObject, ScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import { conditionOf } from "./filter-sql.ts";
import type { UserRow } from "./table.ts";

type Row = Readonly<Record<string, SQLOutputValue>>;

/** Columns that SCIM writes. */
interface Values {
  readonly login: string;
  readonly email: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly title: string | null;
  readonly is_active: number;
  readonly external_id: string | null;
}

const COLUMNS = ["login", "email", "first_name", "last_name", "title", "is_active", "external_id"] as const;

/** Makes the handler of the table. */
export function usersHandler(database: DatabaseSync): ResourceHandler {
  return {
    comparesVersions: true,
    previews: true,
    ids: { pattern: /^[1-9][0-9]{0,14}$/, words: "the number of a user" },
    get: ({ tenant }, id) => {
      const row = database.prepare("SELECT * FROM users WHERE org = ? AND id = ?").get(tenant, Number(id));
      return row === undefined ? null : toResource(row);
    },
    list: (context, query) => listUsers(database, context, query),
    create: ({ tenant }, { attributes, dryRun }) => {
      const values = toValues(attributes);
      const names = COLUMNS.join(", ");
      const row = write(database, dryRun, () =>
        database
          .prepare(`INSERT INTO users (org, ${names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`)
          .get(tenant, ...COLUMNS.map((name) => values[name])),
      );
      if (row === undefined) throw new TypeError("A user was not inserted");
      return toResource(row);
    },
    replace: ({ tenant }, change) => replaceUser(database, tenant, change),
    delete: ({ tenant }, { id, expectedVersion, dryRun }) => {
      const row = write(database, dryRun, () =>
        database
          .prepare("DELETE FROM users WHERE org = ? AND id = ? AND version = ? RETURNING id")
          .get(tenant, Number(id), expectedVersion),
      );
      return row === undefined ? "conflict" : "deleted";
    },
  };
}

/** Compares and writes in one statement: who comes second changes no row. */
function replaceUser(
  database: DatabaseSync,
  tenant: string,
  { id, attributes, expectedVersion, dryRun }: HandlerReplace,
): HandledResource | "conflict" {
  const values = toValues(attributes);
  const row = write(database, dryRun, () =>
    database
      .prepare(
        `UPDATE users SET ${COLUMNS.map((name) => `${name} = ?`).join(", ")},
           version = lower(hex(randomblob(8))), changed_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
         WHERE org = ? AND id = ? AND version = ? RETURNING *`,
      )
      .get(...COLUMNS.map((name) => values[name]), tenant, Number(id), expectedVersion),
  );
  return row === undefined ? "conflict" : toResource(row);
}

/** What the table looks up by index is found there; the service does what is left to do. */
function listUsers(database: DatabaseSync, { tenant }: HandlerContext, query: HandlerQuery): HandlerList {
  const { sql, params, exact } = conditionOf(query.filter);
  const where = `WHERE org = ? AND ${sql === "1" ? "1" : `(${sql})`}`;
  // By code point, as SCIM orders ids: 10 comes before 9.
  const order = "ORDER BY CAST(id AS TEXT)";
  const select = (rest: string, ...more: readonly (string | number)[]): Iterable<HandledResource> =>
    mapped(database.prepare(`SELECT * FROM users ${where} ${rest}`).iterate(tenant, ...params, ...more));
  const { page, sort } = query;
  if (!exact || sort !== null || page === null) return { resources: select(order), order: "id" };
  if ("after" in page) {
    const { after, limit } = page;
    return {
      resources: select(`AND CAST(id AS TEXT) > ? ${order} LIMIT ?`, after ?? "", limit),
      served: "all",
    };
  }
  const count = database.prepare(`SELECT count(*) AS n FROM users ${where}`).get(tenant, ...params);
  return {
    resources: select(`${order} LIMIT ? OFFSET ?`, page.limit, page.offset),
    served: "all",
    total: Number(count?.["n"]),
  };
}

function* mapped(rows: Iterable<Row>): Generator<HandledResource, void, undefined> {
  for (const row of rows) yield toResource(row);
}

/** SQLite's codes for values that another row holds, and for those that a CHECK refuses. */
const UNIQUE = 2067;
const CHECK = 275;

/** Runs a statement; a dry run takes it back. What the table refuses is told to the client in its own words. */
function write(database: DatabaseSync, dryRun: boolean, run: () => Row | undefined): Row | undefined {
  database.exec("SAVEPOINT scim");
  let isKept = false;
  try {
    const row = run();
    isKept = !dryRun;
    return row;
  } catch (error) {
    throw refusalOf(error) ?? error;
  } finally {
    database.exec(isKept ? "RELEASE scim" : "ROLLBACK TO scim; RELEASE scim");
  }
}

function refusalOf(error: unknown): ScimError | null {
  const code = error instanceof Error && "errcode" in error ? error.errcode : 0;
  if (code === UNIQUE) {
    return new ScimError("uniqueness", "Another user has this 'userName'.", { cause: error });
  }
  if (code === CHECK) return notAscii(error);
  return null;
}

function notAscii(cause?: unknown): ScimError {
  return new ScimError(
    "invalidValue",
    "'userName' and 'emails' must be letters, digits and signs of ASCII.",
    {
      cause,
    },
  );
}

const ASCII = /^[ -~]*$/;

function toValues(attributes: JsonObject): Values {
  const { userName, externalId, name, emails, active, title } = attributes;
  const person = isJsonObject(name) ? name : {};
  const values = {
    login: textOf(userName) ?? "",
    email: emailOf(emails),
    first_name: textOf(person["givenName"]),
    last_name: textOf(person["familyName"]),
    title: textOf(title),
    is_active: active === false ? 0 : 1,
    external_id: textOf(externalId),
  };
  if (!ASCII.test(values.login) || !ASCII.test(values.email ?? "")) throw notAscii();
  // Node.js 22 reads the text of a column up to there.
  if (Object.values(values).some((value) => typeof value === "string" && value.includes("\0")))
    throw new ScimError("invalidValue", "The text of a user must not hold U+0000.");
  return values;
}

/** The table has room for one address: the primary one, else the first. */
function emailOf(emails: JsonValue | undefined): string | null {
  const list = isJsonArray(emails) ? emails.filter(isJsonObject) : [];
  return textOf((list.find(({ primary }) => primary === true) ?? list[0])?.["value"]);
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}

function toResource(columns: Row): HandledResource {
  // The columns are those of the table.
  const row = columns as unknown as UserRow;
  return {
    id: String(row.id),
    attributes: {
      userName: row.login,
      externalId: row.external_id,
      name: { givenName: row.first_name, familyName: row.last_name },
      emails: row.email === null ? [] : [{ value: row.email, type: "work", primary: true }],
      title: row.title,
      active: row.is_active === 1,
    },
    created: row.created_at,
    lastModified: row.changed_at,
    version: row.version,
  };
}
