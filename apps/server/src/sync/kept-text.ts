/**
 * What a target keeps otherwise than it was sent, for people.
 * @module
 */
import type { KeptAttribute } from "@scim/sync";
import { grouped } from "../progress/progress.ts";
import { columns } from "../columns.ts";

/** What is kept otherwise, as text; null where nothing is. */
export function keptText(kept: readonly KeptAttribute[]): string | null {
  if (kept.length === 0) return null;
  const rows = kept.map(({ type, path, count, example: { key, asked, kept: value } }) => [
    "",
    type,
    path,
    `of ${grouped(count)}`,
    `${key}: ${asked} is kept as ${value === "null" ? "nothing" : value}`,
  ]);
  return `The target keeps these otherwise than they are sent; they are not sent again until the source has another value\n${columns(rows)}`;
}
