/**
 * The text form of Prometheus, as a scraper reads it.
 * @module
 */

/** One line of figures. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;
const LABEL = /(?<name>\w+)="(?<value>(?:[^"\\]|\\.)*)"/g;

/** Reads a text. @throws Error on a line that is none of the form */
export function samplesOf(text: string): readonly Sample[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const { name = "", labels = "", value = "" } = LINE.exec(line)?.groups ?? {};
      if (name === "") throw new Error(`No line of Prometheus: ${line}`);
      const pairs = [...labels.matchAll(LABEL)].map(({ groups }) => [groups?.["name"], groups?.["value"]]);
      return { name, labels: Object.fromEntries(pairs), value: Number(value) };
    });
}

/** The sum of the samples of a name whose labels are as given; null where there is none. */
export function totalOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | null {
  const found = samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0);
}
