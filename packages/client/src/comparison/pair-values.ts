/**
 * Which value of one list stands for which of another.
 * @module
 */
import { isJsonObject, type JsonValue } from "@scim/schemas";
import { best, worst, type Finding } from "./finding.ts";

/** How values are compared. */
export interface Pairing {
  /** Values of different keys are different. */
  readonly keyOf: (value: JsonValue) => string;
  readonly judge: (found: JsonValue, sent: JsonValue) => Finding;
}

/** Lists whose values stand for each other. */
export interface Pairs {
  readonly finding: Exclude<Finding, "other">;
  /** Whether both lists have the same order. */
  readonly inOrder: boolean;
}

/** Pairs each value that was sent with a found one of its own; null where one is left on either side. */
export function pairValues(
  found: readonly JsonValue[],
  sent: readonly JsonValue[],
  { keyOf, judge }: Pairing,
): Pairs | null {
  if (found.length !== sent.length) return null;
  const free = Map.groupBy(found.keys(), (place) => keyOf(found[place] ?? null));
  const findings: Finding[] = [];
  let inOrder = true;
  // Those that say most choose first: one that says less is content with any of them.
  for (const [place, value] of [...sent.entries()].toSorted(([, a], [, b]) => wordsOf(b) - wordsOf(a))) {
    const choice = free.get(keyOf(value)) ?? [];
    const judged = choice.map((each) => judge(found[each] ?? null, value));
    const finding = best(judged);
    const [taken] = choice.splice(judged.indexOf(finding), 1);
    if (taken === undefined || finding === "other") return null;
    findings.push(finding);
    inOrder &&= taken === place;
  }
  return { finding: worst(findings) === "same" ? "same" : "untold", inOrder };
}

function wordsOf(value: JsonValue): number {
  return isJsonObject(value) ? Object.keys(value).length : 0;
}
