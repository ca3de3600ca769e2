/**
 * Reports of simulations for people.
 * @module
 */
import type { SimulationReport, StepReport } from "@scim/sync";
import { counted } from "../progress/progress.ts";
import { columns } from "../columns.ts";

/** Words of outcomes. */
const SHOWN = { passed: "ok", hindered: "hindered", failed: "FAILED", skipped: "not tried" } as const;

/** The same in a sum. */
const COUNTED = { hindered: "hindered", failed: "failed", skipped: "not tried" } as const;

/** A report as text: a table of the steps, then what was found, then the sum. */
export function simulationText(report: SimulationReport): string {
  const rows = report.steps.map((step) => [
    step.phase,
    step.does,
    step.method,
    step.status === null ? "-" : String(step.status),
    SHOWN[step.outcome],
    step.evidence,
  ]);
  const head = ["phase", `what ${report.name} does`, "request", "answer", "outcome", "that it does so is"];
  const findings = report.steps.filter((step) => step.findings.length > 0).map(findingsText);
  return [columns([head, ...rows]), ...findings, sumText(report)].join("\n\n");
}

function findingsText({ id, does, method, path, findings }: StepReport): string {
  const lines = findings.flatMap(({ fault, means, mend, weight }) => [
    `  ${weight === "fails" ? "fails" : "hinders"}: ${fault}`,
    `    it means  ${means}`,
    `    to mend   ${mend}`,
  ]);
  return [`${id}: it ${does}`, `  ${method} ${path}`, ...lines].join("\n");
}

function sumText({ name, steps, outcome, leftBehind, run, target }: SimulationReport): string {
  const count = (wanted: StepReport["outcome"]): number =>
    steps.filter((step) => step.outcome === wanted).length;
  const counts = [
    `${count("passed")} of ${counted(steps.length, "step")} passed`,
    ...(["hindered", "failed", "skipped"] as const).flatMap((wanted) =>
      count(wanted) === 0 ? [] : [`${count(wanted)} ${COUNTED[wanted]}`],
    ),
  ];
  const verdict = {
    passed: `${name} could work with ${target}`,
    failed: `${name} would fail with ${target}`,
    interrupted: "The run was stopped",
  }[outcome];
  const left = leftBehind.map((path) => `Left behind, since it could not be deleted: ${path}`);
  return [
    `${verdict}: ${counts.join(", ")}.`,
    ...left,
    ...(left.length === 0 ? [] : [`All of it bears the word ${run}.`]),
  ].join("\n");
}
