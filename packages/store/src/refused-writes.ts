/**
 * Whether a database takes writes: known from those that it refused because it is full or read-only, and tried anew when
 * it is asked for after that.
 * @module
 */
import { randomBytes } from "node:crypto";
import { ScimError } from "@scim/schemas";
import { sql } from "./sql.ts";
import type { Executor, Outcome, Steps } from "./steps.ts";

/** An executor whose writes are watched. */
export interface WatchedWrites {
  readonly executor: Executor;
  /**
   * Resolves where no write was refused since one was last tried, and where one that is tried now is done.
   * @throws ScimError `unavailable` with the reason
   */
  check(): Promise<void>;
  /**
   * Tries to write, whatever is known; nothing of it stays.
   * @returns what kept it from writing for now, and says nothing of other writes, such as a lock; null where it wrote
   * @throws ScimError `unavailable` with the reason where no write is taken
   */
  tryWrite(): Promise<ScimError | null>;
}

/**
 * Watches the writes of an executor.
 * @param isRefusal tells by the error of the database whether it takes no writes, whatever they are
 */
export function watchWrites(executor: Executor, isRefusal: (cause: unknown) => boolean): WatchedWrites {
  const state: { refused: boolean; trying: ReturnType<WatchedWrites["tryWrite"]> | null } = {
    refused: false,
    trying: null,
  };
  const refuses = (error: unknown): boolean => error instanceof ScimError && isRefusal(error.cause);
  const tryOne: WatchedWrites["tryWrite"] = async () => {
    try {
      await executor.write(writeAndRemove);
      state.refused = false;
      return null;
    } catch (error) {
      if (refuses(error) || !(error instanceof ScimError)) throw error;
      state.refused = false;
      return error;
    }
  };
  // However many ask, one write is tried at a time.
  const tryWrite: WatchedWrites["tryWrite"] = () =>
    (state.trying ??= tryOne().finally(() => (state.trying = null)));
  return {
    executor: {
      ...executor,
      write: (makeSteps) => {
        const written = executor.write(makeSteps);
        // Whoever writes is told; here it is only noted.
        written.catch((error: unknown) => (state.refused ||= refuses(error)));
        return written;
      },
    },
    check: async () => {
      if (state.refused) await tryWrite();
    },
    tryWrite,
  };
}

/** Bytes that a try writes, as text of twice the length: a disk that is almost full has room for a row. */
const TRIED_BYTES = 65_536;

/** A row that nobody else ever sees: it goes in the transaction that it came in. Its pages are written all the same. */
function* writeAndRemove(): Steps<Outcome<null>> {
  const text = randomBytes(TRIED_BYTES).toString("hex");
  yield sql`INSERT INTO migrations (number, name, checksum, oldest_writer, applied)
    VALUES (-1, 'try', ${text}, -1, '2000-01-01T00:00:00Z')`;
  yield sql`DELETE FROM migrations WHERE number = -1`;
  return { keep: true, result: null };
}
