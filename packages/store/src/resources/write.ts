/**
 * Applies a plan inside a transaction. The version is checked by the statement that writes, uniqueness by
 * the constraint of the table; nothing is looked up first.
 * @module
 */
import type { CreatePlan, DeletePlan, StoreScope, UpdatePlan, WritePlan, WriteResult } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { sql } from "../sql.ts";
import { type Answer, type Outcome, type Steps, textOf, type WriteTransaction } from "../steps.ts";
import { firstVersion, nextVersion } from "../version.ts";
import { applyCollectionDelta } from "./collections.ts";
import {
  addIndexEntries,
  addUniqueEntries,
  type EntryOwner,
  removeAllEntries,
  removeIndexEntries,
  removeUniqueEntries,
} from "./entries.ts";
import { writeEvent } from "./outbox.ts";

/** What applying a plan needs. */
export interface WriteSetting {
  readonly scope: StoreScope;
  readonly dialect: Dialect;
  readonly transaction: WriteTransaction;
}

/** Applies a plan. Where the result is not `written`, the changes so far must be taken back. */
export function* applyPlan(setting: WriteSetting, plan: WritePlan): Steps<Outcome<WriteResult>> {
  const result = yield* applyKind(setting, plan);
  return { keep: result.kind === "written", result };
}

/** Applies a plan for the sake of the answer: the changes must be taken back, whatever it is. */
export function* previewPlan(setting: WriteSetting, plan: WritePlan): Steps<Outcome<WriteResult>> {
  return { keep: false, result: yield* applyKind(setting, plan) };
}

function applyKind(setting: WriteSetting, plan: WritePlan): Steps<WriteResult> {
  switch (plan.kind) {
    case "create":
      return create(setting, plan);
    case "update":
      return update(setting, plan);
    case "delete":
      return remove(setting, plan);
  }
}

function* create(setting: WriteSetting, plan: CreatePlan): Steps<WriteResult> {
  const owner = ownerOf(setting, plan);
  const version = firstVersion(plan.nonce);
  const inserted = yield sql`INSERT INTO resources
      (tenant, type, id, connection, revision, version, created, last_modified, body)
    VALUES (${owner.tenant}, ${owner.type}, ${owner.id}, ${setting.scope.connection}, 1, ${version}, ${plan.at},
      ${plan.at}, ${JSON.stringify(plan.body)})
    ON CONFLICT DO NOTHING`;
  if (inserted.changes === 0) return { kind: "exists" };
  const entry = yield* addUniqueEntries(owner, plan.unique);
  if (entry !== null) return { kind: "duplicate", entry };
  yield* addIndexEntries(owner, plan.index);
  yield* applyCollections(setting, plan);
  yield* count(setting, plan.type, 1);
  yield* writeEvent(setting.transaction, setting.scope, { plan, version });
  return { kind: "written", version };
}

function* update(setting: WriteSetting, plan: UpdatePlan): Steps<WriteResult> {
  const owner = ownerOf(setting, plan);
  const version = nextVersion(plan.expectedVersion, plan.nonce);
  if (version === null) return yield* conflict(owner);
  yield* writeEvent(setting.transaction, setting.scope, { plan, version });
  const updated = yield plan.body === null
    ? sql`UPDATE resources SET revision = revision + 1, version = ${version}, last_modified = ${plan.at}
        WHERE tenant = ${owner.tenant} AND type = ${owner.type} AND id = ${owner.id}
        AND version = ${plan.expectedVersion} AND deleted IS NULL`
    : sql`UPDATE resources SET revision = revision + 1, version = ${version}, last_modified = ${plan.at},
        body = ${JSON.stringify(plan.body)}
        WHERE tenant = ${owner.tenant} AND type = ${owner.type} AND id = ${owner.id}
        AND version = ${plan.expectedVersion} AND deleted IS NULL`;
  if (updated.changes === 0) return yield* conflict(owner);
  yield* removeUniqueEntries(owner, plan.unique.remove);
  const entry = yield* addUniqueEntries(owner, plan.unique.add);
  if (entry !== null) return { kind: "duplicate", entry };
  yield* removeIndexEntries(owner, plan.index.remove);
  yield* addIndexEntries(owner, plan.index.add);
  yield* applyCollections(setting, plan);
  return { kind: "written", version };
}

/** Leaves a tombstone. References to the resource stay, and its own rows go when the tombstone is purged. */
function* remove(setting: WriteSetting, plan: DeletePlan): Steps<WriteResult> {
  const owner = ownerOf(setting, plan);
  const version = nextVersion(plan.expectedVersion, plan.nonce);
  if (version === null) return yield* conflict(owner);
  yield* writeEvent(setting.transaction, setting.scope, { plan, version });
  const deleted = yield sql`UPDATE resources
    SET revision = revision + 1, version = ${version}, last_modified = ${plan.at}, deleted = ${plan.at}
    WHERE tenant = ${owner.tenant} AND type = ${owner.type} AND id = ${owner.id}
    AND version = ${plan.expectedVersion} AND deleted IS NULL`;
  if (deleted.changes === 0) return yield* conflict(owner);
  yield* removeAllEntries(owner);
  yield* count(setting, plan.type, -1);
  return { kind: "written", version };
}

function* applyCollections({ scope }: WriteSetting, plan: CreatePlan | UpdatePlan): Steps<void> {
  for (const delta of plan.collections) {
    const collection = { tenant: scope.tenant, type: plan.type, owner: plan.id, path: delta.path };
    yield* applyCollectionDelta(collection, delta);
  }
}

function* count({ scope, dialect }: WriteSetting, type: string, change: number): Steps<void> {
  yield sql`INSERT INTO resource_counters (tenant, type, shard, n)
    VALUES (${scope.tenant}, ${type}, ${dialect.counterShard()}, ${change})
    ON CONFLICT (tenant, type, shard) DO UPDATE SET n = resource_counters.n + excluded.n`;
}

function* conflict({ tenant, type, id }: EntryOwner): Steps<WriteResult> {
  const { rows }: Answer = yield sql`SELECT version FROM resources
    WHERE tenant = ${tenant} AND type = ${type} AND id = ${id} AND deleted IS NULL`;
  const [row] = rows;
  return { kind: "conflict", current: row === undefined ? null : textOf(row, "version") };
}

function ownerOf({ scope }: WriteSetting, plan: WritePlan): EntryOwner {
  return { tenant: scope.tenant, type: plan.type, id: plan.id };
}
