/**
 * What is offered at each place, as functions of shells that have the `case` of POSIX.
 * @module
 */
import { branchesOf, type ShellForm } from "./branches.ts";
import type { Completions } from "./places.ts";

/** The functions `_scim_words`, `_scim_flags` and `_scim_values`. */
export function posixFunctions(completions: Completions, form: ShellForm): string {
  const { words, flags, values } = branchesOf(completions, form);
  return `_scim_words() {
  case "$1" in
${words}
  esac
}

_scim_flags() {
  case "$1" in
${flags}
  esac
}

# Behind a place and a flag, or behind a place alone for its operands.
_scim_values() {
  case "$1" in
${values}
  esac
}`;
}
