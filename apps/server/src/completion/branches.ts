/**
 * What is offered at each place, as branches of a `case` in the language of a shell.
 * @module
 */
import type { Offered } from "../command-table/arguments.ts";
import type { Completions, OfferedWord } from "./places.ts";

/** How a shell writes it. */
export interface ShellForm {
  /** A text that is matched as it stands. */
  readonly exact: (text: string) => string;
  /** A flag behind any place. */
  readonly anywhere: (flag: string) => string;
  readonly words: (words: readonly OfferedWord[]) => string;
  readonly values: (offered: Offered) => string;
  readonly branch: (pattern: string, offered: string) => string;
}

/** The branches of three functions: words and flags of a place, and values behind a place with a flag, or without one. */
export interface Branches {
  readonly words: string;
  readonly flags: string;
  readonly values: string;
}

/** Writes branches. Places that offer nothing have none. */
export function branchesOf({ places, values }: Completions, form: ShellForm): Branches {
  const written = (rows: readonly (readonly [string, string])[]): string =>
    rows
      .filter(([, offered]) => offered !== "")
      .map(([pattern, offered]) => form.branch(pattern, offered))
      .join("\n");
  const behindFlags = values.map(
    ({ path, flag, offers }) =>
      [path === null ? form.anywhere(flag) : form.exact(`${path} ${flag}`), form.values(offers)] as const,
  );
  const operands = places.map(
    ({ path, operands: offers }) => [form.exact(path), offers === null ? "" : form.values(offers)] as const,
  );
  return {
    words: written(places.map(({ path, words }) => [form.exact(path), form.words(words)])),
    flags: written(places.map(({ path, flags }) => [form.exact(path), form.words(flags)])),
    values: written([...behindFlags, ...operands]),
  };
}
