/**
 * Life cycles of identity providers as data: what they send, what they need to be answered, and what comes of it where
 * they are not.
 *
 * Texts may hold placeholders: `{run}`, a word that marks everything that a simulation makes, and `{ines.id}`, the id of
 * what a step made under the name `ines`.
 * @module
 */
import type { JsonObject, JsonValue } from "@scim/schemas";

/** Parts of a life cycle, in the order in which they come. */
export const PHASES = ["connection", "initial", "delta", "disable", "groups", "retry", "delete"] as const;

/** A part of a life cycle. */
export type Phase = (typeof PHASES)[number];

/** How well it is known that an identity provider does so. */
export type Evidence = "documented" | "observed" | "inferred" | "unverified";

/** What a fault comes to: `fails`, the identity provider cannot do its work; `hinders`, it can, but not well. */
export type Weight = "fails" | "hinders";

/** One step into a JSON value: a member, a position, or the first element that has these members. */
export type PathSegment = string | number | JsonObject;

/** How a value is tested. */
export type Test =
  | "equal"
  /** Equal, or not there. */
  | "equalOrAbsent"
  | "present"
  | "absent"
  | "number"
  | "list"
  /** An array, or not there. */
  | "listOrAbsent"
  /** The `value`s are exactly these, in any order. */
  | "values"
  /** No null at any depth. */
  | "withoutNulls";

/** What is wrong, what it means for the identity provider, and how to mend it. */
export interface Trouble {
  readonly means: string;
  readonly mend: string;
  /** Default `fails`. */
  readonly weight?: Weight;
}

/** What must hold of an answer, or of a resource that is read afterwards. */
export interface Check extends Trouble {
  /** Where the value is; empty for the whole. */
  readonly at: readonly PathSegment[];
  readonly is: Test;
  /** What it is compared with. Default null. */
  readonly expected?: JsonValue;
  /** The fault in a few words: `totalResults is no number`. */
  readonly fault: string;
}

/** One request of an identity provider. */
export interface Step extends Trouble {
  /** Unique in its scenario, such as `create-user`. */
  readonly id: string;
  readonly phase: Phase;
  /** What the identity provider wants: `looks for a user before it makes one`. */
  readonly does: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query below the base address, percent-encoded as the identity provider does. */
  readonly path: string;
  readonly body?: JsonObject;
  /** Status codes that it goes on from. */
  readonly accepts: readonly number[];
  /** What must hold of the body of an answer with one of these status codes. */
  readonly checks?: readonly Check[];
  /** What must hold of a resource afterwards, by reading it: the path of the resource, and the checks. */
  readonly afterwards?: { readonly path: string; readonly checks: readonly Check[] };
  /** Whether reading this path answers 404 afterwards. */
  readonly gone?: string;
  /** The name under which later steps know what was made. */
  readonly makes?: string;
  /** Default `documented`. */
  readonly evidence?: Evidence;
}

/** The life cycle of one identity provider. */
export interface Scenario {
  /** Such as `entra`. */
  readonly id: string;
  /** Such as `Microsoft Entra ID`. */
  readonly name: string;
  /** Headers of requests without a body, as the identity provider sends them, by lower-case name. */
  readonly readHeaders: Readonly<Record<string, string>>;
  /** Headers of requests with a body. */
  readonly writeHeaders: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
