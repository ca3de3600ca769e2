/**
 * Moves the write-ahead log of a database file into it, and cuts it to nothing.
 * @module
 */
import type { Sql } from "../sql.ts";
import { numberOf } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import { MOVE } from "./log-mover.ts";
import { Reader } from "./reader.ts";

/**
 * Milliseconds that a try waits for those who read older states, and has others who write wait: none of them for longer than
 * they do for any lock. What takes longer to read is in the way only of the shorter ones.
 */
const PATIENCE_MS = [50, 250, 1000, 2000, 2000];

const EMPTY: Sql = { text: "PRAGMA wal_checkpoint(TRUNCATE)", params: [] };

/**
 * Empties the log, on a thread of its own. Resolves to false where somebody reads an older state for longer: then it is to be
 * tried again.
 * @param patience milliseconds of each try
 * @throws ThreadError what the database said
 */
export async function emptyLog(path: string, patience: readonly number[] = PATIENCE_MS): Promise<boolean> {
  const thread = new Reader({ path, lockWait: 0, writes: true });
  const run = async (statement: Sql): Promise<boolean> => {
    const reply = await thread.ask({ kind: "run", statement });
    const [row] = reply.kind === "ran" ? reply.answer.rows : [];
    return row !== undefined && "busy" in row && numberOf(row, "busy") === 0;
  };
  try {
    for (const milliseconds of patience) {
      await run({ text: `PRAGMA busy_timeout = ${milliseconds}`, params: [] });
      // What can be moved beside those who read and write is moved first.
      await run(MOVE);
      if (await run(EMPTY)) return true;
    }
    return false;
  } finally {
    await thread.end(unavailable("The log is not emptied any more."));
  }
}
