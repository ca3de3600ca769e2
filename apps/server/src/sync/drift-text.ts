/**
 * Drift for people.
 * @module
 */
import type { DriftedReferences, DriftReport, ReferenceDrift } from "@scim/sync";
import { counted, grouped } from "../progress/progress.ts";
import { columns } from "../columns.ts";

const SHOWN = 20;

const WORDS = {
  changed: "changed",
  members: "other members",
  gone: "deleted",
  active: "active again",
} as const;

/** What has drifted, as text. */
export function driftText({ drifts, compared }: DriftReport): string {
  if (drifts.length === 0)
    return `${counted(compared, "resource is", "resources are")} what was applied last.`;
  const rows = drifts
    .slice(0, SHOWN)
    .map(({ type, key, kind, changes, references }) => [
      "",
      WORDS[kind],
      type,
      key,
      references === null ? changes.map(({ path }) => path).join(", ") : referencesText(references),
    ]);
  return [
    `${grouped(drifts.length)} of ${counted(compared, "resource")} ${drifts.length === 1 ? "is" : "are"} not what was applied last.`,
    columns(rows),
    ...(drifts.length > SHOWN ? [`  and ${grouped(drifts.length - SHOWN)} more; --json shows all`] : []),
    "A sync with --apply puts them back as the source has them.",
  ].join("\n");
}

function referencesText({ added, removed }: ReferenceDrift): string {
  return [...signed("+", added), ...signed("-", removed)].join("  ");
}

/** References of one resource that are named. */
const NAMED = 3;

function signed(sign: string, { count, shown }: DriftedReferences): readonly string[] {
  if (count === 0) return [];
  const names = shown.slice(0, NAMED).map(({ id, key }) => key ?? id);
  const more = count > names.length ? ` and ${grouped(count - names.length)} more` : "";
  return [`${sign}${names.join(", ")}${more}`];
}
