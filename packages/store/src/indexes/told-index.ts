/**
 * Indexes that an operator declares or drops, told in the transaction that does it.
 * @module
 */
import type { AdminDecision } from "@scim/events";
import type { AdminAct } from "@scim/tenancy";
import type { Outcome, Steps, WriteTransaction } from "../steps.ts";
import { tellAct } from "../tenancy/admin-acts.ts";
import { type CatalogSetting, declareIndex, dropIndex, type IndexName } from "./declared-index.ts";
import type { IndexState } from "./view.ts";

/** What an operator does, and in which transaction. */
export interface OperatorWrite {
  readonly transaction: WriteTransaction;
  readonly setting: CatalogSetting;
  /** None where nobody has to be told. */
  readonly decision: AdminDecision | undefined;
}

/** Declares an index on behalf of an operator. Resolves to its state before; null where it is new. */
export function* declareByOperator(write: OperatorWrite, name: IndexName): Steps<Outcome<IndexState | null>> {
  const { keep, result: known } = yield* declareIndex(write.setting, name, "operator");
  const after = { origin: "operator" };
  if (known === null) yield* tell(write, name, { kind: "created", before: null, after });
  else if (known.state !== "dropping" && known.origin !== "operator")
    yield* tell(write, name, { kind: "replaced", before: { origin: known.origin }, after });
  return { keep, result: known?.state ?? null };
}

/** Begins to drop an index. Resolves to whether there is one. */
export function* dropByOperator(write: OperatorWrite, name: IndexName): Steps<Outcome<boolean>> {
  const { keep, result: known } = yield* dropIndex(write.setting, name);
  if (keep && known !== null)
    yield* tell(write, name, { kind: "deleted", before: { origin: known.origin }, after: null });
  return { keep, result: known !== null };
}

function* tell(
  { transaction, decision }: OperatorWrite,
  { tenant, type, path }: IndexName,
  change: Pick<AdminAct, "kind" | "before" | "after">,
): Steps<void> {
  if (decision === undefined) return;
  const { at, actor: origin } = decision;
  yield* tellAct(transaction, {
    ...change,
    at,
    origin,
    type: "Index",
    id: `${tenant}/${type}/${path}`,
    revision: change.kind === "created" ? 1 : 2,
  });
}
