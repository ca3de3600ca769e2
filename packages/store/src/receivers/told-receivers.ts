/**
 * What administrators decide of receivers and of signing keys, told in the transaction that writes it.
 * @module
 */
import {
  type AdminDecision,
  familyOf,
  withoutWay,
  type Receiver,
  type ReceiverFamily,
  type SigningKey,
} from "@scim/events";
import {
  ADMIN_TENANT,
  type AdminAct,
  type AdminActType,
  type RowChange,
  toldChange,
  type ToldState,
} from "@scim/tenancy";
import type { Steps, WriteTransaction } from "../steps.ts";
import { tellAct } from "../tenancy/admin-acts.ts";

/** A write, and the decision that it is; none where the service writes by itself. */
export interface Decided {
  readonly transaction: WriteTransaction;
  readonly decision: AdminDecision | undefined;
}

const TYPES: Readonly<Record<ReceiverFamily, AdminActType>> = { webhook: "Webhook", stream: "Stream" };

/** Tells that a receiver came, changed or went. */
export function* tellReceiver(decided: Decided, ...change: RowChange<Receiver>): Steps<void> {
  const [before, after] = change;
  const { tenant, id, kind } = before ?? after;
  yield* tell(decided, {
    kind: kindOf(before, after),
    type: TYPES[familyOf(kind)],
    id: `${tenant}/${id}`,
    ...toldChange(change, toldReceiver),
    withheld: isOtherWay(before, after) ? ["url.path"] : [],
  });
}

/** Whether an address leads to where it did, by another path or query. */
function isOtherWay(before: Receiver | null, after: Receiver | null): boolean {
  if (before === null || after === null || before.url === after.url) return false;
  return withoutWay(before.url) === withoutWay(after.url);
}

/** Tells what was decided of a receiver's deliveries: that they are sent again, or that what was given up is dropped. */
export function* tellDeliveries(decided: Decided, of: Receiver, after: ToldState): Steps<void> {
  const { tenant, id, kind, revision } = of;
  const type = TYPES[familyOf(kind)];
  const before = { position: of.position };
  yield* tell(decided, {
    kind: "replaced",
    type,
    id: `${tenant}/${id}`,
    before,
    after,
    revision,
    revisionBefore: revision,
  });
}

/** Tells that a key came. */
export function* tellSigningKey(decided: Decided, key: SigningKey): Steps<void> {
  const { id, created, signsFrom } = key;
  yield* tell(decided, {
    kind: "created",
    type: "SigningKey",
    id: `${ADMIN_TENANT}/${id}`,
    before: null,
    after: { created, signsFrom },
    revision: 1,
  });
}

function* tell({ transaction, decision }: Decided, told: Omit<AdminAct, "at" | "origin">): Steps<void> {
  if (decision === undefined) return;
  yield* tellAct(transaction, { ...told, at: decision.at, origin: decision.actor });
}

function kindOf(before: Receiver | null, after: Receiver | null): AdminAct["kind"] {
  if (before === null) return "created";
  return after === null ? "deleted" : "replaced";
}

/** Everything that administrators decide, and of secrets which there are; of an address, where it leads. */
function toldReceiver(receiver: Receiver): ToldState {
  const { tenant, kind, state, types, payload, audience, secrets } = receiver;
  const url = withoutWay(receiver.url);
  const known = secrets.map(({ id, created, expires }) => ({ id, created, expires }));
  return { tenant, kind, url, state, types: [...types], payload, audience, secrets: known };
}
