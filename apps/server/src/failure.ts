/**
 * Failures that end a command with a sentence for its user, and the exit codes.
 * @module
 */

/** What a command ends with. */
export const EXIT = {
  /** Done. */
  ok: 0,
  /** It could not be done: the database, a file, a port. */
  failed: 1,
  /** The command line or a setting is wrong. */
  usage: 2,
} as const;

/** An exit code. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure whose message is meant for the user as it stands; no stack is shown. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}
