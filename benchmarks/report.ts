/**
 * Results of a run: rows with both sides, their ratio and the bar that they are held to.
 * @module
 */
import { writeFile } from "node:fs/promises";

/** One side of a comparison. */
export interface Side {
  readonly name: string;
  readonly value: number;
  readonly unit: "ns" | "µs" | "ms" | "/s";
}

/** A comparison of our side with another. */
export interface Comparison {
  readonly work: string;
  readonly ours: Side;
  readonly theirs: Side;
  /** How many times better ours is; above 1 is faster. */
  readonly ratio: number;
  /** Least ratio that is wanted, or null where none is set. */
  readonly bar: number | null;
}

/** A figure with an upper bound and no other side. */
export interface Figure {
  readonly work: string;
  readonly value: number;
  readonly unit: string;
  readonly most: number | null;
}

/** Everything that a run found. */
export class Report {
  readonly comparisons: Comparison[] = [];
  readonly figures: Figure[] = [];

  /** Adds a comparison of times (less is better) or rates (more is better), told apart by the unit. */
  compare(work: string, ours: Side, theirs: Side, bar: number | null): void {
    const ratio = ours.unit === "/s" ? ours.value / theirs.value : theirs.value / ours.value;
    this.comparisons.push({ work, ours, theirs, ratio, bar });
  }

  /** Adds a figure. */
  figure(figure: Figure): void {
    this.figures.push(figure);
  }

  /** The tables, for people. */
  print(): string {
    const comparisons = this.comparisons.map((row) => [
      row.work,
      `${row.ours.name} ${shown(row.ours)}`,
      `${row.theirs.name} ${shown(row.theirs)}`,
      `${row.ratio.toFixed(2)} ×`,
      row.bar === null ? "" : `≥ ${row.bar} ×`,
      row.bar === null ? "" : verdict(row.ratio >= row.bar),
    ]);
    const figures = this.figures.map((row) => [
      row.work,
      `${number(row.value)} ${row.unit}`,
      row.most === null ? "" : `≤ ${row.most} ${row.unit}`,
      row.most === null ? "" : verdict(row.value <= row.most),
    ]);
    return [
      table(["work", "ours", "theirs", "ratio", "bar", ""], comparisons),
      table(["figure", "value", "bar", ""], figures),
    ].join("\n\n");
  }

  /** Writes the same as JSON. */
  async write(file: URL, about: Readonly<Record<string, unknown>>): Promise<void> {
    const { comparisons, figures } = this;
    await writeFile(file, `${JSON.stringify({ about, comparisons, figures }, null, 2)}\n`);
  }
}

function verdict(met: boolean): string {
  return met ? "met" : "missed";
}

function shown(side: Side): string {
  return side.unit === "/s" ? `${number(side.value)}/s` : `${number(side.value)} ${side.unit}`;
}

function number(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [line(head), line(widths.map((width) => "─".repeat(width))), ...rows.map(line)].join("\n");
}
