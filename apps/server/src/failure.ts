/**
 * Failures that end a command with a sentence for its user, and the exit codes.
 * @module
 */
import { printableLines } from "./printable.ts";

/** What a command ends with. */
export const EXIT = {
  /** Done. */
  ok: 0,
  /** It could not be done: the database, a file, a port. Or what was examined is wrong. */
  failed: 1,
  /** The command line or a setting is wrong. */
  usage: 2,
  /** Nobody reads what it prints any more: what shells tell of programs that SIGPIPE ends (128 + 13). */
  unread: 141,
} as const;

/** What the exit codes mean, for people. */
export const EXIT_CODES: readonly { readonly code: ExitCode; readonly means: string }[] = [
  { code: EXIT.ok, means: "done, and nothing was found wrong" },
  {
    code: EXIT.failed,
    means:
      "it could not be done (the database, a file, a port, something named that is not there), or what was examined is wrong",
  },
  {
    code: EXIT.usage,
    means:
      "the command line or a setting is wrong, such as a flag, an address or a resource type that nothing can be done with; nothing was done",
  },
  {
    code: EXIT.unread,
    means:
      "whoever read its standard output has enough, as `head` does: it ended there without a word, as shells tell of other programs too",
  },
];

/** An exit code. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of what the service refuses by a status: what it was asked for is wrong, or could not be done. */
export function exitCodeOf(status: number): ExitCode {
  return status === 400 ? EXIT.usage : EXIT.failed;
}

/** A failure whose message is meant for the user as it stands; no stack is shown. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}

/**
 * The failure of an error; null where nobody foresaw it and people are to see its stack. Programs that asked for JSON are
 * told of that one too.
 */
export function failureOf(error: unknown, args: readonly string[]): CommandFailure | null {
  if (error instanceof CommandFailure) return error;
  if (!asksForJson(args)) return null;
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new CommandFailure(EXIT.failed, `Unexpected: ${reason}`, error);
}

/** Behind `--` nothing is a flag. */
function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf("--", 1);
  return args.slice(0, end === -1 ? args.length : end).includes("--json");
}

/** What standard error is told of a failure: a sentence, or a JSON object where the arguments ask for JSON. */
export function toldFailure({ message, exitCode }: CommandFailure, args: readonly string[]): string {
  if (!asksForJson(args)) return `scim: ${printableLines(message)}\n`;
  return `${JSON.stringify({ error: { message, exitCode } })}\n`;
}
