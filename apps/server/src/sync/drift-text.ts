/**
 * Drift for people.
 * @module
 */
import type { DriftReport } from "@scim/sync";
import { grouped } from "../progress/progress.ts";
import { columns } from "../settings/show.ts";

const SHOWN = 20;

const WORDS = {
  changed: "changed",
  members: "other members",
  gone: "deleted",
  active: "active again",
} as const;

/** What has drifted, as text. */
export function driftText({ drifts, compared }: DriftReport): string {
  if (drifts.length === 0) return `${grouped(compared)} resources are what was applied last.`;
  const rows = drifts
    .slice(0, SHOWN)
    .map(({ type, key, kind, changes }) => [
      "",
      WORDS[kind],
      type,
      key,
      changes.map(({ path }) => path).join(", "),
    ]);
  return [
    `${grouped(drifts.length)} of ${grouped(compared)} resources are not what was applied last.`,
    columns(rows),
    ...(drifts.length > SHOWN ? [`  and ${grouped(drifts.length - SHOWN)} more; --json shows all`] : []),
    "A sync with --apply puts them back as the source has them.",
  ].join("\n");
}
