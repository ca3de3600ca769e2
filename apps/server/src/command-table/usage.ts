/**
 * Lines of usage.
 * @module
 */
import type { FlagTable, Operand, TextFlag } from "./arguments.ts";

/** `scim index add --type NAME --path PATH [flags]`. */
export function shownUsage(
  called: string,
  { operands, flags }: { readonly operands: readonly Operand[]; readonly flags: FlagTable },
): string {
  const required = Object.entries(flags).filter(([, flag]) => flag.type === "string" && flag.required);
  const others = Object.keys(flags).length - required.length;
  return [
    called,
    ...operands.map(shownOperand),
    ...required.map(([name, flag]) => shownFlag(name, flag)),
    ...(others > 0 ? ["[flags]"] : []),
  ].join(" ");
}

function shownOperand({ name, optional, many }: Operand): string {
  const shown = many === true ? `${name}...` : name;
  return optional === true ? `[${shown}]` : shown;
}

/** `--type NAME`, or `--json`. */
export function shownFlag(name: string, flag: TextFlag | { readonly type: "boolean" }): string {
  return flag.type === "string" ? `--${name} ${flag.value}` : `--${name}`;
}
