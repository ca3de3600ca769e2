/**
 * A check of the installation: what was looked at, what came of it, and what to do.
 * @module
 */

/** How a check came out: `wrong` needs a hand now, `warning` should be looked at. */
export type Outcome = "ok" | "warning" | "wrong";

/** What a check found. */
export interface Check {
  /** What was looked at, such as `free disk`. */
  readonly name: string;
  readonly outcome: Outcome;
  /** What was found; never a secret. */
  readonly detail: string;
  /** What to do; null where there is nothing to do. */
  readonly remedy: string | null;
}

/** A check that found nothing. */
export function fine(name: string, detail: string): Check {
  return { name, outcome: "ok", detail, remedy: null };
}

/** A check that found something to look at. */
export function warning(name: string, detail: string, remedy: string): Check {
  return { name, outcome: "warning", detail, remedy };
}

/** A check that found something that needs a hand. */
export function wrong(name: string, detail: string, remedy: string): Check {
  return { name, outcome: "wrong", detail, remedy };
}
