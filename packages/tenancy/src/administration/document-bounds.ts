/**
 * Bounds of the documents of a tenant: every process of the service reads and compiles them, between the requests of all tenants.
 * @module
 */
import type { TenantDocument } from "../documents/tenant-document.ts";
import { TenancyError } from "./tenancy-error.ts";

const MOST_DOCUMENTS = 200;
const LONGEST_DOCUMENT = 262_144;
/** Characters of all documents of a tenant: 1,048,576, which take a tenth of a second. */
const MOST_CHARACTERS = 1_048_576;

/**
 * Refuses a document that is too long.
 * @param source what it is called in messages
 * @throws TenancyError `invalid`
 */
export function refuseTooLong(source: string, document: unknown): void {
  if (JSON.stringify(document).length <= LONGEST_DOCUMENT) return;
  throw new TenancyError("invalid", `${source} has more than ${LONGEST_DOCUMENT} characters.`);
}

/**
 * Refuses more documents than a tenant may have. What it has beyond that since an earlier release may stay, and become less.
 * @throws TenancyError `invalid`
 */
export function refuseTooMuch(before: readonly TenantDocument[], after: readonly TenantDocument[]): void {
  if (after.length > MOST_DOCUMENTS)
    throw new TenancyError("invalid", `A tenant has at most ${MOST_DOCUMENTS} documents of its own.`);
  const characters = charactersOf(after);
  if (characters <= MOST_CHARACTERS || characters <= charactersOf(before)) return;
  throw new TenancyError(
    "invalid",
    `The documents of a tenant have at most ${MOST_CHARACTERS} characters together, not ${characters}.`,
  );
}

function charactersOf(documents: readonly TenantDocument[]): number {
  return documents.reduce((sum, { document }) => sum + JSON.stringify(document).length, 0);
}
