/**
 * What every handler must do, tried out through the service, and what of it a handler says that it does not do.
 * @module
 */
import { ContractViolation } from "../contract/expect.ts";
import { ATTRIBUTE_RULES } from "./attributes.ts";
import { BETWEEN_RULES } from "./between.ts";
import { LISTING_RULES } from "./listing.ts";
import type { HandlerRule } from "./rule.ts";
import { Patience } from "./patience.ts";
import { openSubject, TIMEOUT, type HandlerSubject } from "./subject.ts";
import { VERSION_RULES } from "./versions.ts";
import { UNIQUENESS_RULES } from "./uniqueness.ts";
import { WRITING_RULES } from "./writing.ts";

/** The rules. */
export const HANDLER_CONTRACT: readonly HandlerRule[] = [
  ...WRITING_RULES,
  ...UNIQUENESS_RULES,
  ...VERSION_RULES,
  ...BETWEEN_RULES,
  ...LISTING_RULES,
  ...ATTRIBUTE_RULES,
];

/** What became of a rule. */
export interface HandlerFinding {
  readonly rule: string;
  /** What must hold, as a sentence. */
  readonly name: string;
  /**
   * - `kept`: the handler does it.
   * - `unsupported`: it says that it does not, or keeps less than the schema has; `reason` tells what follows.
   * - `broken`: it does something else; `reason` tells what.
   */
  readonly outcome: "kept" | "unsupported" | "broken";
  readonly reason: string | null;
}

/**
 * Points the contract, or some of its rules, at a handler.
 *
 * @example
 * const findings = await runHandlerContract({
 *   type: "User",
 *   registry: createDefaultRegistry(),
 *   open: async () => usersHandler(await emptyDatabase()),
 *   sample: (n) => ({ userName: `user${n}`, name: { givenName: `Given${n % 5}` }, active: n % 2 === 0 }),
 *   changed: (n) => ({ userName: `user${n}`, active: true }),
 *   sources,
 * });
 * console.log(handlerReport(findings));
 * if (findings.some(({ outcome }) => outcome === "broken")) process.exitCode = 1;
 */
export async function runHandlerContract(
  subject: HandlerSubject,
  rules: readonly HandlerRule[] = HANDLER_CONTRACT,
): Promise<readonly HandlerFinding[]> {
  const patience = new Patience(subject.timeout ?? TIMEOUT);
  const open: HandlerSubject["open"] = async () => patience.with(await subject.open());
  const findings: HandlerFinding[] = [];
  for (const rule of rules) findings.push(await tryRule(rule, { ...subject, open }));
  return findings;
}

async function tryRule(
  { rule, name, unsupported, run }: HandlerRule,
  subject: HandlerSubject,
): Promise<HandlerFinding> {
  const opened = await openSubject(subject);
  const why = unsupported?.(opened) ?? null;
  if (why !== null) return { rule, name, outcome: "unsupported", reason: why };
  try {
    const lacks = (await run(opened)) ?? null;
    return { rule, name, outcome: lacks === null ? "kept" : "unsupported", reason: lacks };
  } catch (error) {
    return { rule, name, outcome: "broken", reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ContractViolation) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

const MARKS = { kept: "  ok", unsupported: "  --", broken: "FAIL" } as const;

/** The findings as text: one line for each rule, the reason behind those that are not kept. */
export function handlerReport(findings: readonly HandlerFinding[]): string {
  const lines = findings.map(
    ({ rule, name, outcome, reason }) =>
      `${MARKS[outcome]} ${rule}: ${name}${reason === null ? "" : `\n       ${reason}`}`,
  );
  const count = (outcome: HandlerFinding["outcome"]): string =>
    String(findings.filter((finding) => finding.outcome === outcome).length);
  return [
    ...lines,
    `${count("kept")} kept, ${count("unsupported")} unsupported, ${count("broken")} broken`,
  ].join("\n");
}
