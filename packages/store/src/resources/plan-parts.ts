/**
 * The statements of a plan. The version is checked by the statement that writes, uniqueness by the constraint of
 * the table; nothing is looked up first.
 * @module
 */
import type {
  CreatePlan,
  DeletePlan,
  RestorePlan,
  StoreScope,
  UpdatePlan,
  WritePlan,
  WriteResult,
} from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { stampOfChanged, stampOfNew } from "../indexes/stamp.ts";
import { type Sql, sql } from "../sql.ts";
import type { BatchStatement, Steps, WriteTransaction } from "../steps.ts";
import {
  addIndexEntries,
  breaksNoRule,
  type EntryOwner,
  holdsUniqueEntry,
  removeAllEntries,
  removeIndexEntries,
  removeUniqueEntries,
  takeHeldEntry,
  takeUniqueEntry,
} from "./entries.ts";
import { changeHashes, removeHashes } from "../secrets/hash-rows.ts";
import { isFreeId } from "./kept-ids.ts";
import { eventStatement, freshContent, type WrittenPlan } from "./outbox.ts";

/** What applying a plan needs. */
export interface WriteSetting {
  readonly scope: StoreScope;
  readonly dialect: Dialect;
  readonly transaction: WriteTransaction;
}

type Written = Omit<WrittenPlan, "plan">;

/** A statement of a plan, and what becomes of the plan where it has to change a row and changes none. */
export interface PlanPart extends BatchStatement {
  readonly otherwise?: WriteResult | "conflict";
}

/** The statements of a plan, in their order; those of collections come before `last`. */
export interface PlanParts {
  readonly first: readonly PlanPart[];
  /**
   * What counts, behind all that waits for others: its row is one of few. Before what needs no proof, so that one
   * statement proves both.
   */
  readonly counted: readonly PlanPart[];
  readonly entries: readonly PlanPart[];
  readonly last: readonly PlanPart[];
}

/** The statements of a plan that leads to a version. */
export function* planParts(setting: WriteSetting, plan: WritePlan, version: string): Steps<PlanParts> {
  const { scope, transaction } = setting;
  const number = yield* transaction.number(scope.tenant);
  const place = { number, sequence: transaction.nextSequence() };
  const body = bodyText(plan);
  const written = { plan, version, body };
  const event = { statement: eventStatement(place, setting, written) };
  transaction.keepFresh(scope.tenant, () => freshContent(scope, written));
  switch (plan.kind) {
    case "create":
      return { ...created(setting, plan, { version, body }), last: [event] };
    // The state before is taken from the table: the event comes first.
    case "update":
      return { ...NO_PARTS, first: [event, ...updated(setting, plan, { version, body })] };
    case "delete":
      return {
        ...NO_PARTS,
        first: [event, ...removed(setting, plan, version)],
        counted: transaction.count({ tenant: scope.tenant, type: plan.type, change: -1 }),
      };
    case "restore":
      return {
        first: [event, ...restored(setting, plan, { version, body })],
        counted: countedNew(setting, plan),
        entries: addIndexEntries(ownerOf(setting, plan), plan.index, setting.dialect).map(part),
        last: [],
      };
  }
}

const NO_PARTS: PlanParts = { first: [], counted: [], entries: [], last: [] };

/** JSON of the body of a plan, which row and event hold alike; null where it has none. */
function bodyText(plan: WritePlan): string | null {
  return plan.kind === "delete" || plan.body === null ? null : JSON.stringify(plan.body);
}

function created(
  setting: WriteSetting,
  plan: CreatePlan,
  { version, body }: Written,
): Omit<PlanParts, "last"> {
  const owner = ownerOf(setting, plan);
  const values = sql`${owner.tenant}, ${owner.type}, ${owner.id}, ${setting.scope.connection}, 1, ${version},
      ${plan.created ?? plan.at}, ${plan.at}, ${body}, ${stampOfNew(owner, plan, version)}`;
  const statement = sql`INSERT INTO resources
      (tenant, type, id, connection, revision, version, created, last_modified, body,
        indexed_version)
    ${setting.dialect.rowOf(values)}
    ON CONFLICT DO NOTHING`;
  return {
    first: [
      ...keptId(setting, owner, plan),
      { statement, proof: isAt(owner, version), otherwise: { kind: "exists" } },
      ...takenValues(setting, owner, plan.unique),
      ...heldValues(setting, owner, plan),
    ],
    counted: countedNew(setting, plan),
    entries: [
      ...addIndexEntries(owner, plan.index, setting.dialect),
      ...changeHashes(owner, plan.secrets ?? []),
    ].map(part),
  };
}

/** What an id demands that comes from elsewhere. */
function keptId({ dialect }: WriteSetting, owner: EntryOwner, { keepsId }: CreatePlan): readonly PlanPart[] {
  if (keepsId !== true) return [];
  const lock = dialect.keptIdLock?.(owner.tenant);
  const proof = isFreeId(owner);
  return [
    ...(lock === undefined ? [] : [part(lock)]),
    { statement: proof, proof, otherwise: { kind: "exists" } },
  ];
}

/** Counts a resource that comes, while its tenant is there and its type means what the plan was made by. */
function countedNew(
  { scope, transaction }: WriteSetting,
  { type, schemas }: Pick<CreatePlan | RestorePlan, "type" | "schemas">,
): readonly PlanPart[] {
  const counts = transaction.count({ tenant: scope.tenant, type, change: 1, schemas });
  return counts.map((each) => ({ ...each, otherwise: { kind: "outdated" } }));
}

function updated(setting: WriteSetting, plan: UpdatePlan, { version, body }: Written): readonly PlanPart[] {
  const { dialect } = setting;
  const owner = ownerOf(setting, plan);
  const changedBody = body === null ? sql`` : sql`, body = ${body}`;
  const statement = sql`UPDATE resources SET revision = revision + 1, version = ${version},
      last_modified = ${plan.at}${changedBody}, indexed_version = ${stampOfChanged(owner, plan, version)}
    WHERE tenant = ${owner.tenant} AND type = ${owner.type} AND id = ${owner.id}
    AND version = ${plan.expectedVersion} AND deleted IS NULL`;
  return [
    { statement, proof: isAt(owner, version), otherwise: "conflict" },
    ...removeUniqueEntries(owner, plan.unique.remove, dialect).map(part),
    ...takenValues(setting, owner, plan.unique.add),
    ...heldValues(setting, owner, plan),
    ...removeIndexEntries(owner, plan.index.remove, dialect).map(part),
    ...addIndexEntries(owner, plan.index.add, dialect).map(part),
    ...changeHashes(owner, plan.secrets ?? []).map(part),
  ];
}

/** Leaves a tombstone. References to the resource stay, and its own rows go when the tombstone is purged. */
function removed(setting: WriteSetting, plan: DeletePlan, version: string): readonly PlanPart[] {
  const owner = ownerOf(setting, plan);
  const statement = sql`UPDATE resources
    SET revision = revision + 1, version = ${version}, last_modified = ${plan.at}, deleted = ${plan.at}
    WHERE tenant = ${owner.tenant} AND type = ${owner.type} AND id = ${owner.id}
    AND version = ${plan.expectedVersion} AND deleted IS NULL`;
  return [
    { statement, proof: isAt(owner, version), otherwise: "conflict" },
    ...removeAllEntries(owner).map(part),
    part(removeHashes(owner)),
  ];
}

/**
 * Takes the tombstone for the resource again: its own rows are still there, its entries went with the deletion. So did the
 * hashes of its secrets, save where a program deleted it that knows of none.
 */
function restored(setting: WriteSetting, plan: RestorePlan, { version, body }: Written): readonly PlanPart[] {
  const owner = ownerOf(setting, plan);
  const statement = sql`UPDATE resources
    SET revision = revision + 1, version = ${version}, last_modified = ${plan.at}, deleted = NULL, body = ${body},
      indexed_version = ${stampOfNew(owner, plan, version)}
    WHERE tenant = ${owner.tenant} AND type = ${owner.type} AND id = ${owner.id}
    AND version = ${plan.expectedVersion} AND deleted = ${plan.deleted}`;
  return [
    { statement, proof: isAt(owner, version), otherwise: "conflict" },
    ...takenValues(setting, owner, plan.unique),
    ...heldValues(setting, owner, plan),
    part(removeHashes(owner)),
  ];
}

/** A query that answers a row where a resource has come to a version. */
function isAt({ tenant, type, id }: EntryOwner, version: string): Sql {
  return sql`SELECT 1 FROM resources WHERE tenant = ${tenant} AND type = ${type} AND id = ${id}
    AND version = ${version}`;
}

function takenValues(
  { dialect }: WriteSetting,
  owner: EntryOwner,
  entries: CreatePlan["unique"],
): readonly PlanPart[] {
  return entries.map((entry) => ({
    statement: takeUniqueEntry(owner, entry, dialect),
    proof: holdsUniqueEntry(owner, entry, dialect),
    otherwise: { kind: "duplicate", entry },
  }));
}

/** What rules of connections demand, whatever the profile of who writes. */
function heldValues(
  { dialect }: WriteSetting,
  owner: EntryOwner,
  { whereHeld = [] }: Pick<CreatePlan, "whereHeld">,
): readonly PlanPart[] {
  return whereHeld.flatMap((entry) => {
    const proof = breaksNoRule(owner, entry, dialect);
    return [
      { statement: takeHeldEntry(owner, entry, dialect) },
      { statement: proof, proof, otherwise: { kind: "duplicate", entry } },
    ];
  });
}

function part(statement: Sql): PlanPart {
  return { statement };
}

function ownerOf({ scope }: WriteSetting, plan: WritePlan): EntryOwner {
  return { tenant: scope.tenant, type: plan.type, id: plan.id };
}
