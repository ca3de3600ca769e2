/**
 * What can be wrong with the temporary file of a sync.
 * @module
 */

/** What does not fit into memory cannot be kept aside; the message says what to do, for people. */
export class TemporaryFileError extends Error {
  override readonly name = "TemporaryFileError";

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `What does not fit into memory cannot be kept in a temporary file: ${reason}. Make room in the folder for such files, or name another one by TMPDIR.`,
      { cause },
    );
  }
}
