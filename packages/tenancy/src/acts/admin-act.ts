/**
 * What administrators did, told in the transaction in which it was done: an event of the tenant `admin`, so that the
 * audit log of that tenant is the trail of all administration, and stays where a tenant is deleted.
 * @module
 */
import type { ChangeOrigin, FeedEvent } from "@scim/core";

/** What an act tells of a state. Never a secret: it is shown as it stands. */
export type ToldState = NonNullable<FeedEvent["before"]>;

/** What acts, and what the service notices, are about, by the type that an entry of the trail and a receiver of it name. */
export const ADMIN_ACT_TYPES = [
  "AdminIssuer",
  "Administrator",
  "Client",
  "ClientSecret",
  "ClientTrust",
  "Command",
  "Connection",
  "ConnectionSilence",
  "CredentialExpiry",
  "Erasure",
  "GuardExceeded",
  "GuardHold",
  "Index",
  "Request",
  "ResourceType",
  "Schema",
  "SigningKey",
  "Stream",
  "Tenant",
  "Token",
  "Webhook",
] as const;

/** One of {@link ADMIN_ACT_TYPES}. */
export type AdminActType = (typeof ADMIN_ACT_TYPES)[number];

/** An act of an administrator. Whoever writes what it changed writes it with it, or neither. */
export interface AdminAct {
  /** UTC with milliseconds. */
  readonly at: string;
  /** Who did it, and from where. */
  readonly origin: ChangeOrigin;
  readonly kind: "created" | "replaced" | "deleted";
  /** What it was done to. */
  readonly type: AdminActType;
  /** Its name, with that of the tenant it is of: `acme`, `acme/okta`, `acme/0197…`. */
  readonly id: string;
  /** State before and after; null for what was not there, or is not any more. */
  readonly before: ToldState | null;
  readonly after: ToldState | null;
  /** Paths of what changed and is in neither state, since it may be a secret. Default: none. */
  readonly withheld?: readonly string[];
  /** Revision that it led to. */
  readonly revision: number;
  /** Revision that it led from, where it is not one less. */
  readonly revisionBefore?: number;
}

/** Who acts, and when, and by what revisions grow. */
export interface Acting {
  /** Who does it: names an administrator, or a command. */
  readonly actor: ChangeOrigin;
  /** The present, UTC with milliseconds. */
  readonly now: () => string;
  /** A number from 0 to below 1, such as `Math.random` gives; see `nextRevision`. */
  readonly random: () => number;
}

/** Port of acts that belong to no write of tenants, connections or tokens. */
export interface AdminTrail {
  /** Tells an act; resolves when it is kept. */
  tell(act: AdminAct): Promise<void>;
}

/** What an act is about. */
type Told = Omit<AdminAct, "at" | "origin" | "kind">;

/** The act that leads from one state to another. */
export function actOf({ actor, now }: Pick<Acting, "actor" | "now">, told: Told): AdminAct {
  return { at: now(), origin: actor, kind: kindOf(told), ...told };
}

/** What becomes of what has a revision. */
export type RowChange<Row> = readonly [before: null, after: Row] | readonly [before: Row, after: Row | null];

/** What acts tell of a change of what has a revision. */
export function toldChange<Row extends { readonly revision: number }>(
  [before, after]: RowChange<Row>,
  toldOf: (row: Row) => ToldState,
): Pick<AdminAct, "before" | "after" | "revision" | "revisionBefore"> {
  return {
    before: before === null ? null : toldOf(before),
    after: after === null ? null : toldOf(after),
    revision: after?.revision ?? (before?.revision ?? 0) + 1,
    ...(before === null ? {} : { revisionBefore: before.revision }),
  };
}

function kindOf({ before, after }: Told): AdminAct["kind"] {
  if (before === null) return "created";
  return after === null ? "deleted" : "replaced";
}
