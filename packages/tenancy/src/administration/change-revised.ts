/**
 * Changes and removals of what has a revision, tried again where others change it too.
 * @module
 */
import { nextRevision } from "@scim/core";
import { CHANGE_ATTEMPTS, changedMeanwhile } from "./tenancy-error.ts";

/** A row that others may change as well. */
export interface RevisedRow<Row extends { readonly revision: number }> {
  /** What it is, for people: `Issuer '0197…'`. */
  readonly what: string;
  /** The revision that is meant; null for whichever it has. */
  readonly expected: number | null;
  /** @throws TenancyError `notFound` */
  readonly find: () => Promise<Row>;
}

/** A change of one row. */
export interface RevisedChange<Row extends { readonly revision: number }> extends RevisedRow<Row> {
  /** See `Acting.random`. */
  readonly random: () => number;
  /** What the row is to be, its revision aside. */
  readonly change: (before: Row) => Row;
  /** Resolves to false where the row has another revision now. */
  readonly replace: (after: Row, before: Row) => Promise<boolean>;
}

/** A removal of one row. */
export interface RevisedRemoval<Row extends { readonly revision: number }> extends RevisedRow<Row> {
  /** Resolves to false where the row has another revision now; rejects where something else keeps it. */
  readonly remove: (row: Row) => Promise<boolean>;
}

/**
 * Changes a row.
 * @throws TenancyError `changed`, and what finding and changing throw
 */
export async function changeRevised<Row extends { readonly revision: number }>({
  random,
  change,
  replace,
  ...revised
}: RevisedChange<Row>): Promise<Row> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await meant(revised, attempt);
    const after = { ...change(before), revision: nextRevision(before.revision, random()) };
    if (await replace(after, before)) return after;
  }
}

/**
 * Removes a row.
 * @throws TenancyError `changed`, and what finding and removing throw
 */
export async function removeRevised<Row extends { readonly revision: number }>({
  remove,
  ...revised
}: RevisedRemoval<Row>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) if (await remove(await meant(revised, attempt))) return;
}

/** @throws TenancyError `changed` where it has another revision than is meant, or changes too often */
async function meant<Row extends { readonly revision: number }>(
  { what, expected, find }: RevisedRow<Row>,
  attempt: number,
): Promise<Row> {
  const row = await find();
  const isExpected = expected === null || expected === row.revision;
  if (isExpected && attempt <= CHANGE_ATTEMPTS) return row;
  throw changedMeanwhile(what, row.revision);
}
