/**
 * Rows of receivers, and of deliveries that were set aside.
 * @module
 */
import {
  RECEIVER_KINDS,
  type AsideDelivery,
  type Receiver,
  type ReceiverSecret,
  type ReceiverState,
} from "@scim/events";
import { type Sql, sql } from "../sql.ts";
import { numberOf, type Row, textOf, textOrNullOf } from "../steps.ts";

/** The columns of a receiver, in the order of {@link receiverValues}. */
export const RECEIVER_COLUMNS: Sql = sql`tenant, id, kind, url, state, reason, types, payload, secrets, options, created,
  revision, position, failing_since, last_delivery, last_problem`;

/** The values of a receiver. */
export function receiverValues(receiver: Receiver): Sql {
  const { tenant, id, kind, url, state, reason, types, payload, secrets, created, revision } = receiver;
  const { position, failingSince, lastDelivery, lastProblem } = receiver;
  return sql`${tenant}, ${id}, ${kind}, ${url}, ${state}, ${reason}, ${JSON.stringify(types)}, ${payload},
    ${JSON.stringify(secrets)}, ${optionsText(receiver)}, ${created}, ${revision}, ${position}, ${failingSince}, ${lastDelivery},
    ${lastProblem}`;
}

/** What only some kinds have. */
export function optionsText({ audience }: Pick<Receiver, "audience">): string {
  return JSON.stringify(audience === null ? {} : { audience });
}

/** Reads a receiver; none where its kind is one of a later release. */
export function receiverOf(row: Row): readonly Receiver[] {
  const kind = RECEIVER_KINDS.find((known) => known === textOf(row, "kind"));
  if (kind === undefined) return [];
  const receiver: Receiver = {
    tenant: textOf(row, "tenant"),
    id: textOf(row, "id"),
    kind,
    url: textOf(row, "url"),
    state: stateOf(textOf(row, "state")),
    reason: textOrNullOf(row, "reason"),
    types: textsOf(textOf(row, "types")),
    payload: textOf(row, "payload") === "full" ? "full" : "reference",
    secrets: secretsOf(textOf(row, "secrets")),
    audience: audienceOf(textOf(row, "options")),
    created: textOf(row, "created"),
    revision: numberOf(row, "revision"),
    position: numberOf(row, "position"),
    failingSince: textOrNullOf(row, "failing_since"),
    lastDelivery: textOrNullOf(row, "last_delivery"),
    lastProblem: textOrNullOf(row, "last_problem"),
  };
  return [receiver];
}

/** A state of a later release counts as disabled. */
function stateOf(text: string): ReceiverState {
  return text === "active" || text === "paused" ? text : "disabled";
}

function textsOf(text: string): readonly string[] {
  const values: unknown = JSON.parse(text);
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
}

function secretsOf(text: string): readonly ReceiverSecret[] {
  const values: unknown = JSON.parse(text);
  return Array.isArray(values) ? values.filter(isSecret) : [];
}

function audienceOf(text: string): string | null {
  const options: unknown = JSON.parse(text);
  const isGiven = typeof options === "object" && options !== null && "audience" in options;
  return isGiven && typeof options.audience === "string" ? options.audience : null;
}

function isSecret(value: unknown): value is ReceiverSecret {
  return (
    typeof value === "object" && value !== null && "id" in value && "sealed" in value && "expires" in value
  );
}

/** The columns of a delivery behind tenant and receiver. */
export const DELIVERY_COLUMNS: Sql = sql`position, type, id, state, attempts, since, next, problem`;

/** Reads a delivery. */
export function deliveryOf(row: Row): AsideDelivery {
  return {
    position: numberOf(row, "position"),
    type: textOf(row, "type"),
    resource: textOf(row, "id"),
    state: textOf(row, "state") === "waiting" ? "waiting" : "dead",
    attempts: numberOf(row, "attempts"),
    since: textOf(row, "since"),
    next: textOf(row, "next"),
    problem: textOrNullOf(row, "problem"),
  };
}
