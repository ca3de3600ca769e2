/**
 * What is found of derived rows that are not those of their resources. Ids, types and attribute paths alone: no values.
 * @module
 */

/** Entries of an index that a resource lacks, or has and should not. */
export interface IndexFinding {
  readonly kind: "index";
  readonly type: string;
  readonly id: string;
  /** Attribute paths, each once. */
  readonly missing: readonly string[];
  readonly stray: readonly string[];
}

/** Unique values that a resource does not hold against others, so that another could take them; or that it holds for nothing. */
export interface UniqueFinding {
  readonly kind: "unique";
  readonly type: string;
  readonly id: string;
  /** Attribute paths, each once. */
  readonly missing: readonly string[];
  readonly stray: readonly string[];
}

/** A resource that has a value that another one holds: who administers them has to tell which of them keeps it. */
export interface DuplicateFinding {
  readonly kind: "duplicate";
  readonly type: string;
  readonly id: string;
  readonly path: string;
  /** The other. */
  readonly holder: string;
}

/** Rows of a resource that is not there. */
export interface OrphanFinding {
  readonly kind: "orphan";
  readonly type: string;
  readonly id: string;
  readonly rows: "index" | "unique" | "references";
}

/** A counter of live resources that is wrong. */
export interface CountFinding {
  readonly kind: "count";
  readonly type: string;
  /** What the counter says. */
  readonly counted: number;
  /** How many there are. */
  readonly live: number;
}

/** What cannot be compared, since the service does not know the type, or an attribute that has an index. */
export interface UnknownFinding {
  readonly kind: "unknown";
  readonly type: string;
  /** Null: the type. */
  readonly path: string | null;
}

/** What is found of derived rows. */
export type DerivedFinding =
  | IndexFinding
  | UniqueFinding
  | DuplicateFinding
  | OrphanFinding
  | CountFinding
  | UnknownFinding;

/** What one step found. */
export interface DerivedPage {
  /** Resources that were compared. */
  readonly compared: number;
  /** Resources among them whose declared indexes the background has still to bring up to date: those were left out. */
  readonly unsettled: number;
  readonly findings: readonly DerivedFinding[];
}
