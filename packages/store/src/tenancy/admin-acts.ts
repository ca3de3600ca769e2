/**
 * Acts of administrators as events of the tenant `admin`, in the transaction of what they changed.
 * @module
 */
import { ADMIN_TENANT, type AdminAct, type AdminTrail } from "@scim/tenancy";
import { originText } from "../resources/outbox.ts";
import { sql } from "../sql.ts";
import type { Executor, Outcome, Steps, WriteTransaction } from "../steps.ts";

/** What acts are told by, where others are told by a connection of a tenant. */
const CONNECTION = "admin";

/** Makes what tells acts that belong to no other write. */
export function createAdminTrail(executor: Pick<Executor, "write">): AdminTrail {
  return {
    tell: async (act) => {
      await executor.write((transaction) => toldWith({ transaction, act }, true));
    },
  };
}

/** The act that is told with a write. */
export interface Telling {
  readonly transaction: WriteTransaction;
  readonly act: AdminAct | undefined;
}

/** Ends a write: what was done is told, where an act is given; what was not done is not. */
export function* toldWith({ transaction, act }: Telling, done: boolean): Steps<Outcome<boolean>> {
  if (done && act !== undefined) yield* tellAct(transaction, act);
  return { keep: done, result: done };
}

/** Tells an act in the transaction of what it changed. */
export function* tellAct(transaction: WriteTransaction, act: AdminAct): Steps<void> {
  const { type, id, kind, at, before, after, origin, revision, revisionBefore = revision - 1 } = act;
  const number = yield* transaction.number(ADMIN_TENANT);
  const versionBefore = before === null ? null : String(revisionBefore);
  yield sql`INSERT INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id,
      version, changed, before, after, collections, origin, version_before)
    VALUES (${ADMIN_TENANT}, ${number}, ${transaction.nextSequence()}, ${at}, ${CONNECTION}, ${null}, ${kind},
      ${type}, ${id}, ${String(revision)}, ${JSON.stringify(changedIn(act))}, ${jsonOf(before)},
      ${jsonOf(after)}, ${null}, ${originText(origin)}, ${versionBefore})`;
}

function changedIn({ before, after, withheld = [] }: AdminAct): readonly string[] {
  const [was, is] = [membersOf(before), membersOf(after)];
  const told = [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name));
  return [...told, ...withheld];
}

/** The members of a state, each as JSON. */
function membersOf(state: AdminAct["before"]): ReadonlyMap<string, string> {
  return new Map(Object.entries(state ?? {}).map(([name, value]) => [name, JSON.stringify(value)]));
}

function jsonOf(state: AdminAct["before"]): string | null {
  return state === null ? null : JSON.stringify(state);
}
