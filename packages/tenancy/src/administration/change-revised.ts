/**
 * Changes of what has a revision, tried again where others change it too.
 * @module
 */
import { nextRevision } from "@scim/core";
import { CHANGE_ATTEMPTS, changedMeanwhile } from "./tenancy-error.ts";

/** A change of one row. */
export interface RevisedChange<Row extends { readonly revision: number }> {
  /** What it is, for people: `Issuer '0197…'`. */
  readonly what: string;
  /** The revision that the change is meant for; null for whichever it has. */
  readonly expected: number | null;
  /** See `Acting.random`. */
  readonly random: () => number;
  /** @throws TenancyError `notFound` */
  readonly find: () => Promise<Row>;
  /** What the row is to be, its revision aside. */
  readonly change: (before: Row) => Row;
  /** Resolves to false where the row has another revision now. */
  readonly replace: (after: Row, before: Row) => Promise<boolean>;
}

/**
 * Changes a row.
 * @throws TenancyError `changed`, and what finding and changing throw
 */
export async function changeRevised<Row extends { readonly revision: number }>({
  what,
  expected,
  random,
  find,
  change,
  replace,
}: RevisedChange<Row>): Promise<Row> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await find();
    const isExpected = expected === null || expected === before.revision;
    if (!isExpected || attempt > CHANGE_ATTEMPTS) throw changedMeanwhile(what, before.revision);
    const after = { ...change(before), revision: nextRevision(before.revision, random()) };
    if (await replace(after, before)) return after;
  }
}

/**
 * Checks that a row has the revision that its removal is meant for.
 * @throws TenancyError `changed`
 */
export function requireRevision(
  what: string,
  row: { readonly revision: number },
  expected: number | null,
): void {
  if (expected !== null && expected !== row.revision) throw changedMeanwhile(what, row.revision);
}
