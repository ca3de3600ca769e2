/**
 * Rows of text as columns.
 * @module
 */
import { createRequire } from "node:module";
import type measure from "string-width";
import { printable } from "./printable.ts";

/** To load what knows the widths of all characters is a fifth of a small command: few tables need it. */
const load = createRequire(import.meta.url);

const ASCII = /^[ -~]*$/;

function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  // What is loaded by name has no type.
  const { default: stringWidth } = load("string-width") as { readonly default: typeof measure };
  return stringWidth(text);
}

/** Rows as text, each column as wide as its widest cell. */
export function columns(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(printable).map((text) => ({ text, width: widthOf(text) })));
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
