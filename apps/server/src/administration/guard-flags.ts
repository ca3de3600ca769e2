/**
 * What flags say of the guard of a connection, and of its silence. The bounds are those of connections.
 * @module
 */
import type { ConnectionChange, ConnectionGuard, GuardChange } from "@scim/tenancy";
import { CommandFailure, EXIT } from "../failure.ts";

/** The flags, as they were given. */
export interface GuardChangeFlags {
  readonly guard?: string;
  readonly "guard-bound"?: string;
  readonly "guard-named"?: string;
  readonly "silent-after"?: string;
}

/** What takes a setting of a connection back to that of the server. */
const BACK = "default";

/**
 * What is to change.
 * @throws CommandFailure
 */
export function guardChangeOf(flags: GuardChangeFlags): Pick<ConnectionChange, "guard" | "silentAfter"> {
  const silent = flags["silent-after"];
  const guard = guardOf(flags);
  return {
    ...(guard === undefined ? {} : { guard }),
    ...(silent === undefined
      ? {}
      : { silentAfter: silent === BACK ? null : numberOf("silent-after", silent) }),
  };
}

function guardOf(flags: GuardChangeFlags): GuardChange | null | undefined {
  const { guard: mode, "guard-named": named, "guard-bound": bound } = flags;
  if (mode === undefined && named === undefined && bound === undefined) return undefined;
  if (mode === BACK) {
    if (named === undefined && bound === undefined) return null;
    throw new CommandFailure(
      EXIT.usage,
      `--guard ${BACK} takes the bound and the names of the server: leave --guard-bound and --guard-named out.`,
    );
  }
  return {
    ...(mode === undefined ? {} : { mode: modeOf(mode) }),
    ...(bound === undefined ? {} : boundOf(bound)),
    ...(named === undefined ? {} : { named: namesIn(named) }),
  };
}

/** Names separated by commas. */
function namesIn(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function modeOf(mode: string): ConnectionGuard["mode"] {
  if (mode === "off" || mode === "observe" || mode === "hold") return mode;
  throw new CommandFailure(EXIT.usage, `--guard must be off, observe or hold; or ${BACK}.`);
}

/** `50,10,60`: in any case, percent, minutes. */
function boundOf(text: string): Pick<ConnectionGuard, "atLeast" | "percent" | "window"> {
  const [atLeast, percent, window, ...more] = text.split(",");
  if (atLeast !== undefined && percent !== undefined && window !== undefined && more.length === 0) {
    return {
      atLeast: numberOf("guard-bound", atLeast),
      percent: numberOf("guard-bound", percent),
      window: numberOf("guard-bound", window),
    };
  }
  throw new CommandFailure(EXIT.usage, "--guard-bound must be three numbers: changes, percent, minutes.");
}

function numberOf(flag: string, text: string): number {
  if (/^[0-9]{1,9}(?:\.[0-9]{1,9})?$/.test(text.trim())) return Number(text);
  throw new CommandFailure(EXIT.usage, `--${flag} must be a number.`);
}
