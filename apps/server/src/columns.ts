/**
 * Rows of text as columns.
 * @module
 */
import stringWidth from "string-width";
import { printable } from "./printable.ts";

/** Rows as text, each column as wide as its widest cell. */
export function columns(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(printable).map((text) => ({ text, width: stringWidth(text) })));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, { width }] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, width);
  }
  return rows
    .map((row) =>
      row
        .map(({ text, width }, at) => text + " ".repeat((widths[at] ?? width) - width))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
