-- read by id
SELECT r.id, r.connection, r.version, r.created, r.last_modified, r.body
  FROM resources r
  WHERE r.tenant = ? AND r.type = ? AND r.id = ? AND r.deleted IS NULL;

-- read by id, with groups
SELECT r.id, r.connection, r.version, r.created, r.last_modified, r.body, NULL AS type, NULL AS owner, 0 AS distance, NULL AS display
  FROM resources r
  WHERE r.tenant = ? AND r.type = ? AND r.id = ? AND r.deleted IS NULL UNION ALL
  SELECT NULL, NULL, NULL, NULL, NULL, NULL, m.type, m.owner, 1, (r.body -> ('$."' || ? || '"'))
  FROM reference_values m CROSS JOIN resources r
  WHERE m.tenant = ? AND m.value = ? AND m.type = ? AND m.path = ? AND r.tenant = ? AND r.type = m.type AND r.id = m.owner AND r.deleted IS NULL
  ORDER BY owner;

-- read by id, with members
SELECT r.id, r.connection, r.version, r.created, r.last_modified, r.body
  FROM resources r
  WHERE r.tenant = ? AND r.type = ? AND r.id = ? AND r.deleted IS NULL;
SELECT owner, position, value, rest
  FROM reference_values
  WHERE tenant = ? AND type = ? AND owner IN (SELECT value FROM json_each(?)) AND path = ?
  ORDER BY owner, position;

-- look some members up
SELECT m.value, m.rest
  FROM (SELECT value FROM json_each(?)) l CROSS JOIN reference_values m ON m.tenant = ? AND m.value = l.value AND m.type = ? AND m.path = ? AND m.owner = ?
  WHERE EXISTS (SELECT 1 FROM resources r WHERE r.tenant = ? AND r.type = ? AND r.id = ? AND r.deleted IS NULL)
  ORDER BY m.position;

-- list
BEGIN;
SELECT coalesce(sum(n), 0) AS n
  FROM resource_counters
  WHERE tenant = ? AND type = ?;
SELECT r.id, r.connection, r.version, r.created, r.last_modified, r.body
  FROM resources r
  WHERE r.tenant = ? AND r.type = ? AND r.deleted IS NULL
  ORDER BY r.id LIMIT ? OFFSET ?;
COMMIT;

-- find by userName
BEGIN;
SELECT r.id, r.connection, r.version, r.created, r.last_modified, r.body
  FROM resources r
  WHERE r.tenant = ? AND r.type = ? AND r.deleted IS NULL AND r.id IN (SELECT x.id FROM attribute_index x WHERE x.tenant = ? AND x.type = ? AND x.path = ? AND x.key = ?)
  ORDER BY r.id LIMIT ? OFFSET ?;
COMMIT;

-- find by the beginning of displayName
BEGIN;
SELECT count(*) AS n
  FROM (SELECT x.id FROM attribute_index x WHERE x.tenant = ? AND x.type = ? AND x.path = ? AND x.key >= ? AND x.key < ? LIMIT ?) found;
SELECT r.id, r.connection, r.version, r.created, r.last_modified, r.body
  FROM resources r
  WHERE r.tenant = ? AND r.type = ? AND r.deleted IS NULL AND r.id IN (SELECT x.id FROM attribute_index x WHERE x.tenant = ? AND x.type = ? AND x.path = ? AND x.key >= ? AND x.key < ?)
  ORDER BY r.id LIMIT ? OFFSET ?;
COMMIT;

-- find by member
BEGIN;
SELECT count(*) AS n
  FROM (SELECT m.owner AS id FROM reference_values m WHERE m.tenant = ? AND m.value IN (?) AND m.type = ? AND m.path = ? LIMIT ?) found;
SELECT r.id, r.connection, r.version, r.created, r.last_modified, r.body
  FROM resources r
  WHERE r.tenant = ? AND r.type = ? AND r.deleted IS NULL AND r.id IN (SELECT m.owner AS id FROM reference_values m WHERE m.tenant = ? AND m.value IN (?) AND m.type = ? AND m.path = ?)
  ORDER BY r.id LIMIT ? OFFSET ?;
COMMIT;

-- list by userName, behind a place
BEGIN;
SELECT coalesce(sum(n), 0) AS n
  FROM resource_counters
  WHERE tenant = ? AND type = ?;
SELECT x.id AS id
  FROM attribute_index x
  WHERE x.tenant = ? AND x.type = ? AND x.path = ? AND x.key = ? AND x.id > ?
  ORDER BY x.id LIMIT ?;
SELECT CASE typeof(x.key) WHEN 'text' THEN CAST(x.key AS BLOB) ELSE x.key END AS key, x.id AS id
  FROM attribute_index x
  WHERE x.tenant = ? AND x.type = ? AND x.path = ? AND x.key > ?
  ORDER BY x.key, x.id LIMIT ?;
SELECT r.id
  FROM resources r
  WHERE r.tenant = ? AND r.type = ? AND r.deleted IS NULL AND r.indexed_version IS DISTINCT FROM r.version
  ORDER BY r.indexed_version, r.id LIMIT ?;
SELECT coalesce(sum(n), 0) AS n
  FROM resource_counters
  WHERE tenant = ? AND type = ?;
SELECT count(*) AS n
  FROM attribute_index
  WHERE tenant = ? AND type = ? AND path = ?;
COMMIT;

-- create
BEGIN IMMEDIATE;
INSERT INTO outbox_heads (tenant, transaction_number)
  VALUES (?, 1)
  ON CONFLICT (tenant) DO UPDATE SET transaction_number = outbox_heads.transaction_number + 1 RETURNING transaction_number;
INSERT INTO resources (tenant, type, id, connection, revision, version, created, last_modified, body, indexed_version)
  VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, NULL)
  ON CONFLICT DO NOTHING;
INSERT INTO unique_values (tenant, scope, path, key, type, id)
  VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (tenant, scope, path, key) DO UPDATE SET id = excluded.id
  WHERE unique_values.type = excluded.type AND unique_values.id = excluded.id;
INSERT OR IGNORE INTO attribute_index (tenant, type, path, key, id)
  VALUES (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?);
INSERT INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id, version, changed, after, collections, origin, version_before, before)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL);
INSERT INTO resource_counters (tenant, type, shard, n)
  VALUES (?, ?, ?, ?)
  ON CONFLICT (tenant, type, shard) DO UPDATE SET n = resource_counters.n + excluded.n;
COMMIT;

-- create a taken name
BEGIN IMMEDIATE;
INSERT INTO outbox_heads (tenant, transaction_number)
  VALUES (?, 1)
  ON CONFLICT (tenant) DO UPDATE SET transaction_number = outbox_heads.transaction_number + 1 RETURNING transaction_number;
INSERT INTO resources (tenant, type, id, connection, revision, version, created, last_modified, body, indexed_version)
  VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, NULL)
  ON CONFLICT DO NOTHING;
INSERT INTO unique_values (tenant, scope, path, key, type, id)
  VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (tenant, scope, path, key) DO UPDATE SET id = excluded.id
  WHERE unique_values.type = excluded.type AND unique_values.id = excluded.id;
ROLLBACK;

-- change the userName
BEGIN IMMEDIATE;
INSERT INTO outbox_heads (tenant, transaction_number)
  VALUES (?, 1)
  ON CONFLICT (tenant) DO UPDATE SET transaction_number = outbox_heads.transaction_number + 1 RETURNING transaction_number;
INSERT OR ROLLBACK INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id, version, changed, after, collections, origin, version_before, before)
  SELECT r.tenant, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, r.body
  FROM resources r
  WHERE r.tenant = ? AND r.type = ? AND r.id = ?;
UPDATE resources
  SET revision = revision + 1, version = ?, last_modified = ?, body = ?, indexed_version = NULL
  WHERE tenant = ? AND type = ? AND id = ? AND version = ? AND deleted IS NULL;
DELETE FROM unique_values
  WHERE tenant = ? AND scope = ? AND path = ? AND key = ? AND type = ? AND id = ?;
INSERT INTO unique_values (tenant, scope, path, key, type, id)
  VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (tenant, scope, path, key) DO UPDATE SET id = excluded.id
  WHERE unique_values.type = excluded.type AND unique_values.id = excluded.id;
DELETE FROM attribute_index
  WHERE tenant = ? AND type = ? AND path = ? AND key = ? AND id = ?;
DELETE FROM attribute_index
  WHERE tenant = ? AND type = ? AND path = ? AND key = ? AND id = ?;
INSERT OR IGNORE INTO attribute_index (tenant, type, path, key, id)
  VALUES (?, ?, ?, ?, ?), (?, ?, ?, ?, ?);
COMMIT;

-- set a secret and remove another
BEGIN IMMEDIATE;
INSERT INTO outbox_heads (tenant, transaction_number)
  VALUES (?, 1)
  ON CONFLICT (tenant) DO UPDATE SET transaction_number = outbox_heads.transaction_number + 1 RETURNING transaction_number;
INSERT INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id, version, changed, after, collections, origin, version_before, before)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL);
UPDATE resources
  SET revision = revision + 1, version = ?, last_modified = ?, indexed_version = CASE WHEN indexed_version = version THEN ? END
  WHERE tenant = ? AND type = ? AND id = ? AND version = ? AND deleted IS NULL;
INSERT INTO secret_hashes (tenant, type, id, path, hash)
  VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (tenant, type, id, path) DO UPDATE SET hash = excluded.hash;
DELETE FROM secret_hashes
  WHERE tenant = ? AND type = ? AND id = ? AND path = ?;
COMMIT;

-- find the hash of a secret
SELECT s.hash
  FROM secret_hashes s JOIN resources r ON r.tenant = s.tenant AND r.type = s.type AND r.id = s.id AND r.deleted IS NULL
  WHERE s.tenant = ? AND s.type = ? AND s.id = ? AND s.path = ?;

-- change another version
BEGIN IMMEDIATE;
INSERT INTO outbox_heads (tenant, transaction_number)
  VALUES (?, 1)
  ON CONFLICT (tenant) DO UPDATE SET transaction_number = outbox_heads.transaction_number + 1 RETURNING transaction_number;
INSERT OR ROLLBACK INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id, version, changed, after, collections, origin, version_before, before)
  SELECT r.tenant, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, r.body
  FROM resources r
  WHERE r.tenant = ? AND r.type = ? AND r.id = ?;
UPDATE resources
  SET revision = revision + 1, version = ?, last_modified = ?, body = ?, indexed_version = NULL
  WHERE tenant = ? AND type = ? AND id = ? AND version = ? AND deleted IS NULL;
SELECT version
  FROM resources
  WHERE tenant = ? AND type = ? AND id = ? AND deleted IS NULL;
ROLLBACK;

-- add a member
BEGIN IMMEDIATE;
INSERT INTO outbox_heads (tenant, transaction_number)
  VALUES (?, 1)
  ON CONFLICT (tenant) DO UPDATE SET transaction_number = outbox_heads.transaction_number + 1 RETURNING transaction_number;
INSERT INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id, version, changed, after, collections, origin, version_before, before)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL);
UPDATE resources
  SET revision = revision + 1, version = ?, last_modified = ?, indexed_version = CASE WHEN indexed_version = version THEN ? END
  WHERE tenant = ? AND type = ? AND id = ? AND version = ? AND deleted IS NULL;
INSERT INTO reference_values (tenant, type, owner, path, position, value, rest)
  SELECT r.tenant, r.type, r.id, ?, (SELECT coalesce(max(position), 0) FROM reference_values WHERE tenant = ? AND type = ? AND owner = ? AND path = ?) + added.place, added.value, added.rest
  FROM resources r CROSS JOIN (SELECT 1 AS place, ? AS value, ? AS rest) AS added
  WHERE r.tenant = ? AND r.type = ? AND r.id = ?
  ON CONFLICT (tenant, value, type, path, owner) DO UPDATE SET rest = excluded.rest;
COMMIT;

-- remove a member
BEGIN IMMEDIATE;
INSERT INTO outbox_heads (tenant, transaction_number)
  VALUES (?, 1)
  ON CONFLICT (tenant) DO UPDATE SET transaction_number = outbox_heads.transaction_number + 1 RETURNING transaction_number;
INSERT INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id, version, changed, after, collections, origin, version_before, before)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL);
UPDATE resources
  SET revision = revision + 1, version = ?, last_modified = ?, indexed_version = CASE WHEN indexed_version = version THEN ? END
  WHERE tenant = ? AND type = ? AND id = ? AND version = ? AND deleted IS NULL;
DELETE FROM reference_values AS m
  WHERE m.tenant = ? AND m.value = ? AND m.type = ? AND m.path = ? AND m.owner = ?;
COMMIT;

-- take over a long list, of which all was compared before
BEGIN IMMEDIATE;
SELECT created
  FROM reference_stages
  WHERE tenant = ? AND stage = ?;
INSERT INTO outbox_heads (tenant, transaction_number)
  VALUES (?, 1)
  ON CONFLICT (tenant) DO UPDATE SET transaction_number = outbox_heads.transaction_number + 1 RETURNING transaction_number;
INSERT INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id, version, changed, after, collections, origin, version_before, before)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL);
UPDATE resources
  SET revision = revision + 1, version = ?, last_modified = ?, indexed_version = CASE WHEN indexed_version = version THEN ? END
  WHERE tenant = ? AND type = ? AND id = ? AND version = ? AND deleted IS NULL;
SELECT 1 AS n
  FROM reference_values m
  WHERE m.tenant = ? AND m.type = ? AND m.owner = ? AND m.path = ? LIMIT 1;
SELECT count(*) AS n
  FROM staged_references s
  WHERE s.tenant = ? AND s.stage = ? AND s.path = ?;
SELECT count(*) AS n
  FROM reference_values m
  WHERE m.tenant = ? AND m.type = ? AND m.owner = ? AND m.path = ?;
DELETE FROM reference_values AS m
  WHERE m.tenant = ? AND m.type = ? AND m.owner = ? AND m.path = ? AND m.position IN (SELECT s.position FROM staged_references s WHERE s.tenant = ? AND s.stage = ? AND s.path = ?);
SELECT coalesce(max(m.position), 0) AS position
  FROM reference_values m
  WHERE m.tenant = ? AND m.type = ? AND m.owner = ? AND m.path = ?;
SELECT coalesce(min(s.position), 0) AS first, coalesce(max(s.position), -1) AS last
  FROM staged_references s
  WHERE s.tenant = ? AND s.stage = ? AND s.path = ?;
INSERT INTO reference_values (tenant, type, owner, path, position, value, rest)
  SELECT s.tenant, ?, ?, ?, ? + s.position, s.value, coalesce(s.settled, s.rest)
  FROM staged_references s
  WHERE s.tenant = ? AND s.stage = ? AND s.path = ? AND s.position >= ? AND s.position < ? AND ((s.position & 15) OR give_way())
  ORDER BY s.position
  ON CONFLICT (tenant, value, type, path, owner) DO UPDATE SET rest = excluded.rest;
COMMIT;

-- take over a long list that has nothing in common with what is held
BEGIN IMMEDIATE;
SELECT created
  FROM reference_stages
  WHERE tenant = ? AND stage = ?;
INSERT INTO outbox_heads (tenant, transaction_number)
  VALUES (?, 1)
  ON CONFLICT (tenant) DO UPDATE SET transaction_number = outbox_heads.transaction_number + 1 RETURNING transaction_number;
INSERT INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id, version, changed, after, collections, origin, version_before, before)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL);
UPDATE resources
  SET revision = revision + 1, version = ?, last_modified = ?, indexed_version = CASE WHEN indexed_version = version THEN ? END
  WHERE tenant = ? AND type = ? AND id = ? AND version = ? AND deleted IS NULL;
SELECT 1 AS n
  FROM reference_values m
  WHERE m.tenant = ? AND m.type = ? AND m.owner = ? AND m.path = ? LIMIT 1;
SELECT count(*) AS n
  FROM staged_references s
  WHERE s.tenant = ? AND s.stage = ? AND s.path = ?;
SELECT count(*) AS n
  FROM reference_values m
  WHERE m.tenant = ? AND m.type = ? AND m.owner = ? AND m.path = ?;
DELETE FROM reference_values AS m
  WHERE m.tenant = ? AND m.type = ? AND m.owner = ? AND m.path = ?;
SELECT coalesce(min(s.position), 0) AS first, coalesce(max(s.position), -1) AS last
  FROM staged_references s
  WHERE s.tenant = ? AND s.stage = ? AND s.path = ?;
INSERT INTO reference_values (tenant, type, owner, path, position, value, rest)
  SELECT s.tenant, ?, ?, ?, ? + s.position, s.value, coalesce(s.settled, s.rest)
  FROM staged_references s
  WHERE s.tenant = ? AND s.stage = ? AND s.path = ? AND s.position >= ? AND s.position < ? AND ((s.position & 15) OR give_way())
  ORDER BY s.position;
COMMIT;

-- preview a deletion
BEGIN IMMEDIATE;
INSERT INTO outbox_heads (tenant, transaction_number)
  VALUES (?, 1)
  ON CONFLICT (tenant) DO UPDATE SET transaction_number = outbox_heads.transaction_number + 1 RETURNING transaction_number;
INSERT OR ROLLBACK INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id, version, changed, after, collections, origin, version_before, before)
  SELECT r.tenant, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, r.body
  FROM resources r
  WHERE r.tenant = ? AND r.type = ? AND r.id = ?;
UPDATE resources
  SET revision = revision + 1, version = ?, last_modified = ?, deleted = ?
  WHERE tenant = ? AND type = ? AND id = ? AND version = ? AND deleted IS NULL;
DELETE FROM unique_values
  WHERE tenant = ? AND type = ? AND id = ?;
DELETE FROM attribute_index
  WHERE tenant = ? AND type = ? AND id = ?;
DELETE FROM secret_hashes
  WHERE tenant = ? AND type = ? AND id = ?;
ROLLBACK;

-- delete
BEGIN IMMEDIATE;
INSERT INTO outbox_heads (tenant, transaction_number)
  VALUES (?, 1)
  ON CONFLICT (tenant) DO UPDATE SET transaction_number = outbox_heads.transaction_number + 1 RETURNING transaction_number;
INSERT OR ROLLBACK INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id, version, changed, after, collections, origin, version_before, before)
  SELECT r.tenant, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, r.body
  FROM resources r
  WHERE r.tenant = ? AND r.type = ? AND r.id = ?;
UPDATE resources
  SET revision = revision + 1, version = ?, last_modified = ?, deleted = ?
  WHERE tenant = ? AND type = ? AND id = ? AND version = ? AND deleted IS NULL;
DELETE FROM unique_values
  WHERE tenant = ? AND type = ? AND id = ?;
DELETE FROM attribute_index
  WHERE tenant = ? AND type = ? AND id = ?;
DELETE FROM secret_hashes
  WHERE tenant = ? AND type = ? AND id = ?;
INSERT INTO resource_counters (tenant, type, shard, n)
  VALUES (?, ?, ?, ?)
  ON CONFLICT (tenant, type, shard) DO UPDATE SET n = resource_counters.n + excluded.n;
COMMIT;

-- list what was deleted, behind a place
SELECT r.type, r.id, r.connection, r.version, r.created, r.deleted, (SELECT a.entry FROM audit_entries a WHERE a.tenant = ? AND a.type = r.type AND a.id = r.id ORDER BY a.position DESC LIMIT 1) AS entry
  FROM resources r
  WHERE r.tenant = ? AND r.deleted IS NOT NULL AND r.deleted >= ? AND (r.deleted, r.type, r.id) < (?, ?, ?)
  ORDER BY r.deleted DESC, r.type DESC, r.id DESC LIMIT ?;

-- restore
BEGIN IMMEDIATE;
INSERT INTO outbox_heads (tenant, transaction_number)
  VALUES (?, 1)
  ON CONFLICT (tenant) DO UPDATE SET transaction_number = outbox_heads.transaction_number + 1 RETURNING transaction_number;
INSERT INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id, version, changed, after, collections, origin, version_before, before)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL);
UPDATE resources
  SET revision = revision + 1, version = ?, last_modified = ?, deleted = NULL, body = ?, indexed_version = NULL
  WHERE tenant = ? AND type = ? AND id = ? AND version = ? AND deleted = ?;
INSERT INTO unique_values (tenant, scope, path, key, type, id)
  VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (tenant, scope, path, key) DO UPDATE SET id = excluded.id
  WHERE unique_values.type = excluded.type AND unique_values.id = excluded.id;
DELETE FROM secret_hashes
  WHERE tenant = ? AND type = ? AND id = ?;
INSERT OR IGNORE INTO attribute_index (tenant, type, path, key, id)
  VALUES (?, ?, ?, ?, ?), (?, ?, ?, ?, ?), (?, ?, ?, ?, ?);
INSERT INTO resource_counters (tenant, type, shard, n)
  VALUES (?, ?, ?, ?)
  ON CONFLICT (tenant, type, shard) DO UPDATE SET n = resource_counters.n + excluded.n;
COMMIT;
