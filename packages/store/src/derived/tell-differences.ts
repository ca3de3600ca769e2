/**
 * Differences as they are told: who has to do something, and what a repair can do.
 * @module
 */
import type { UniqueEntry } from "@scim/core";
import type { RowSource } from "../resources/read.ts";
import type { Steps } from "../steps.ts";
import type { Compared, CompareSetting, ResourceDifference } from "./compare-resources.ts";
import type { DerivedFinding } from "./finding.ts";
import { rightfulHolder } from "./holders.ts";

/** What is told of resources that were compared; of a type that the service does not know nothing but that. */
export function* findingsOf(
  setting: CompareSetting,
  of: RowSource,
  compared: Compared,
): Steps<readonly DerivedFinding[]> {
  const findings: DerivedFinding[] = compared.unknown.map((path) => ({
    kind: "unknown",
    type: of.type,
    path,
  }));
  for (const difference of compared.differences) {
    findings.push(...indexFindings(of, difference));
    findings.push(...(yield* uniqueFindings(setting, of, difference)));
  }
  return findings;
}

function indexFindings({ type }: RowSource, { id, index }: ResourceDifference): readonly DerivedFinding[] {
  const [missing, stray] = [[...index.missing], [...index.stray]];
  return missing.length + stray.length === 0 ? [] : [{ kind: "index", type, id, missing, stray }];
}

function* uniqueFindings(
  setting: CompareSetting,
  of: RowSource,
  { id, unique }: ResourceDifference,
): Steps<readonly DerivedFinding[]> {
  const { type } = of;
  const duplicates: DerivedFinding[] = [];
  const lacking: UniqueEntry[] = [];
  for (const entry of unique.missing) {
    const holder = yield* rightfulHolder(setting, of, entry);
    if (holder === null) lacking.push(entry);
    else duplicates.push({ kind: "duplicate", type, id, path: entry.path, holder });
  }
  const missing = [...new Set(lacking.map(({ path }) => path))];
  const stray = [...unique.stray];
  if (missing.length + stray.length === 0) return duplicates;
  return [{ kind: "unique", type, id, missing, stray }, ...duplicates];
}
