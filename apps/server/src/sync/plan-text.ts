/**
 * Plans for people.
 * @module
 */
import type { Plan, PlanCounts, PlanStep, PlanSteps } from "@scim/sync";
import { grouped } from "../progress/progress.ts";
import { columns } from "../columns.ts";
import { keptText } from "./kept-text.ts";

/** Changes and faults of a plan that are shown; JSON has all. */
const SHOWN = 20;

/** A plan as text. */
export function planText(plan: Plan, { isApplied }: { readonly isApplied: boolean }): string {
  const { steps, faults, notes, refusals, kept } = plan;
  const parts = [countsText(plan.counts)];
  if (!isApplied && steps.length > 0) parts.push(listText("Changes", [...firstRows(steps)], steps.length));
  if (faults.length > 0) {
    const rows = faults.map(({ type, place, message }) => [type, place, message]);
    parts.push(listText("Left as they are, since something is wrong", rows, faults.length));
  }
  if (notes.length > 0)
    parts.push(
      listText(
        "Notes",
        notes.map((note) => [note]),
        notes.length,
      ),
    );
  const keptPart = keptText(kept);
  if (keptPart !== null) parts.push(keptPart);
  if (!isApplied) parts.push(nextText(steps.length, refusals));
  return parts.join("\n\n");
}

function countsText(counts: readonly PlanCounts[]): string {
  const head = ["", "create", "update", "deactivate", "delete", "references", "unchanged", "refused"];
  const rows = counts.map((each) => [
    each.type,
    grouped(each.create),
    grouped(each.update),
    grouped(each.deactivate),
    grouped(each.delete),
    each.add + each.remove === 0 ? "0" : `+${grouped(each.add)} -${grouped(each.remove)}`,
    grouped(each.unchanged),
    grouped(each.refused),
  ]);
  return columns([head, ...rows]);
}

function listText(title: string, rows: readonly (readonly string[])[], count: number): string {
  const shown = columns(rows.slice(0, SHOWN).map((row) => ["", ...row]));
  const more = count > SHOWN ? `\n  and ${grouped(count - SHOWN)} more; --json shows all` : "";
  return `${title}\n${shown}${more}`;
}

function* firstRows(steps: PlanSteps): Generator<readonly string[], void, undefined> {
  let shown = 0;
  for (const step of steps) {
    yield stepRow(step);
    shown += 1;
    if (shown === SHOWN) return;
  }
}

function stepRow(step: PlanStep): readonly string[] {
  const { action, type, key } = step;
  switch (step.action) {
    case "create":
      return [action, type, key, step.place];
    case "update":
      return [action, type, key, step.changes.map(({ path }) => path).join(", ")];
    case "references":
      return [step.reference.target.text, type, key, `+${step.add.length} -${step.remove.length}`];
    case "deactivate":
    case "delete":
      return [action, type, key, "its record is gone"];
  }
}

function nextText(steps: number, refusals: readonly string[]): string {
  if (refusals.length > 0)
    return `${refusals.join(" ")} If that is right, apply it by --apply --beyond-limits.`;
  return steps === 0 ? "Nothing is to be done." : "Nothing was written. Apply it by --apply.";
}
