/**
 * The statements of an operation as the store sends them, written out for bare drivers.
 * @module
 */

/** A statement with numbered parameters. */
export interface BareStatement {
  readonly text: string;
  readonly values: readonly (string | number | Buffer | null)[];
}

const TENANT = "north";
const AT = "2026-01-01T00:00:00.000Z";

/** Reads a User by id. */
export function readById(id: string): BareStatement {
  return {
    text: `SELECT r.id, r.connection, r.version, r.created, r.last_modified, r.body FROM resources r
      WHERE r.tenant = $1 AND r.type = $2 AND r.id = $3 AND r.deleted IS NULL`,
    values: [TENANT, "User", id],
  };
}

/** Finds a User by its userName. */
export function findByUserName(userName: string): BareStatement {
  return {
    text: `SELECT r.id, r.connection, r.version, r.created, r.last_modified, r.body FROM resources r
      WHERE r.tenant = $1 AND r.type = $2 AND r.deleted IS NULL AND r.id IN
        (SELECT x.id FROM attribute_index x WHERE x.tenant = $3 AND x.type = $4 AND x.path = $5 AND x.key = $6)
      ORDER BY r.id LIMIT $7 OFFSET $8`,
    values: [TENANT, "User", TENANT, "User", "userName", Buffer.from(userName), 10, 0],
  };
}

/** Creates a User: the row, its unique value, its index entry, the counter and the event. */
export function createUser(id: string): readonly BareStatement[] {
  const body = JSON.stringify({ userName: id });
  const version = `1-${id}`;
  const owner = [TENANT, "User", id];
  return [
    {
      text: `INSERT INTO resources (tenant, type, id, connection, revision, version, created, last_modified, body,
          indexed_version)
        VALUES ($1, $2, $3, 'first', 1, $4, $5, $5, $6, NULL) ON CONFLICT DO NOTHING`,
      values: [...owner, version, AT, body],
    },
    {
      text: `INSERT INTO unique_values (tenant, scope, path, key, type, id) VALUES ($1, 'type:User', 'userName', $4, $2, $3)
        ON CONFLICT (tenant, scope, path, key) DO UPDATE SET id = excluded.id
        WHERE unique_values.type = excluded.type AND unique_values.id = excluded.id`,
      values: [...owner, Buffer.from(id)],
    },
    {
      text: `INSERT INTO attribute_index (tenant, type, path, key, whole, id) VALUES ($1, $2, 'userName', $4, NULL, $3)
        ON CONFLICT DO NOTHING`,
      values: [...owner, Buffer.from(id)],
    },
    {
      text: `INSERT INTO resource_counters (tenant, type, shard, n) VALUES ($1, $2, $3, 1)
        ON CONFLICT (tenant, type, shard) DO UPDATE SET n = resource_counters.n + excluded.n`,
      values: [TENANT, "User", Math.floor(Math.random() * 32)],
    },
    eventOf("created", owner, { version, before: null, after: body, collections: null }),
  ];
}

/** Adds a member to a Group: the event, the version, and the row of the member. */
export function addMember(group: string, member: string, version: string): readonly BareStatement[] {
  const owner = [TENANT, "Group", group];
  const collections = JSON.stringify([{ path: "members", removed: [], added: [member] }]);
  return [
    eventOf("patched", owner, { version, before: null, after: null, collections }),
    {
      text: `UPDATE resources SET revision = revision + 1, version = $4, last_modified = $5
        WHERE tenant = $1 AND type = $2 AND id = $3 AND deleted IS NULL`,
      values: [...owner, version, AT],
    },
    {
      text: `INSERT INTO reference_values (tenant, type, owner, path, position, value, rest)
        SELECT $1, $2, $3, 'members', last.position + 1, $4, '{}'
        FROM (SELECT coalesce(max(position), 0) AS position FROM reference_values
          WHERE tenant = $1 AND type = $2 AND owner = $3 AND path = 'members') AS last
        ON CONFLICT (tenant, value, type, path, owner) DO UPDATE SET rest = excluded.rest`,
      values: [...owner, member],
    },
  ];
}

interface EventContent {
  readonly version: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly collections: string | null;
}

function eventOf(
  kind: string,
  owner: readonly string[],
  { version, before, after, collections }: EventContent,
): BareStatement {
  return {
    text: `INSERT INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id, version,
        changed, before, after, collections)
      VALUES ($1, CAST(CAST(pg_current_xact_id() AS text) AS bigint), 0, $4, 'first', NULL, $5, $2, $3, $6, '[]', $7, $8, $9)`,
    values: [...owner, AT, kind, version, before, after, collections],
  };
}
