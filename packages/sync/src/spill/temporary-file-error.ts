/**
 * What can be wrong with the temporary file of a sync.
 * @module
 */
import { tmpdir } from "node:os";

/** What does not fit into memory cannot be kept aside; the message says what to do, for people. */
export class TemporaryFileError extends Error {
  override readonly name = "TemporaryFileError";

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `What does not fit into memory cannot be kept in a file in ${tmpdir()}: ${reason}. Make room there, or name another folder by TMPDIR.`,
      { cause },
    );
  }
}
