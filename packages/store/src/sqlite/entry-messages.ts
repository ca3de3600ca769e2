/**
 * What the thread that makes entries of the audit log is asked, and what it answers: plain data.
 * @module
 */
import type { AuditedAttributes, LinkKeys } from "@scim/events";
import type { ForeseenPlaces, Missing } from "./foreseen-places.ts";
import type { ThreadFailure } from "./thread-messages.ts";

/** What the thread works on. */
export interface EntrySettings {
  /** Path of the database file. */
  readonly path: string;
  /** Milliseconds that a statement waits for a lock. */
  readonly lockWait: number;
  readonly keys: LinkKeys;
}

/** The attributes of a resource type, by the number under which the thread was given them; null where it is not served any more. */
export interface NumberedType {
  readonly type: string;
  readonly attributes: number | null;
}

/** One thing to do: what is read, and then what is made of it. */
export type EntryRequest =
  | { readonly kind: "foresee"; readonly tenant: string; readonly limit: number }
  | {
      readonly kind: "link";
      readonly types: readonly NumberedType[];
      /** Attributes that the thread was not given before, or has forgotten. */
      readonly attributes: ReadonlyMap<number, AuditedAttributes>;
      /** Whether it forgets those that it was given before. */
      readonly forget: boolean;
      readonly secrets: readonly string[];
    };

/** What came of it. */
export type EntryReply =
  | { readonly kind: "foreseen"; readonly missing: Missing }
  /** There is no event to give a position to, or entries of earlier ones are missing. */
  | { readonly kind: "nothing" }
  | { readonly kind: "linked"; readonly places: ForeseenPlaces }
  | ThreadFailure;
