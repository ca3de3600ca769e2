/**
 * Moves the write-ahead log of a database file into it, and cuts it to nothing.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "../sql.ts";
import { numberOf, type Row } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import type { LockHolders } from "./lock-holders.ts";
import { MOVE } from "./log-mover.ts";
import { Reader } from "./reader.ts";

/**
 * Milliseconds that a try waits for those who read older states, and has others who write wait: less than two seconds, with what
 * is moved when they have ended. What takes longer to read is in the way only of the shorter ones.
 */
const PATIENCE_MS = [50, 250, 1000, 1800, 1800];

/** Milliseconds behind a try that was in vain: whoever waits to write asks for the lock more often, and has it before the next. */
const PAUSE_MS = 50;

const EMPTY: Sql = { text: "PRAGMA wal_checkpoint(TRUNCATE)", params: [] };

/** What came of a try: `elsewhere` where another moves the log just then, which nothing waits for. */
type Outcome = "emptied" | "read" | "elsewhere";

/** What is emptied. */
export interface LogEmptying {
  /** Path of the database file. */
  readonly path: string;
  /** Told while others who write wait for it. */
  readonly holders: LockHolders;
}

/**
 * Empties the log, on a thread of its own. Resolves to false where somebody reads an older state for longer: then it is to be
 * tried again.
 * @param patience milliseconds of each try
 * @throws ThreadError what the database said
 */
export async function emptyLog(
  { path, holders }: LogEmptying,
  patience: readonly number[] = PATIENCE_MS,
): Promise<boolean> {
  const thread = new Reader({ path, lockWait: 0, writes: true });
  const run = async (statement: Sql): Promise<readonly Row[]> => {
    const reply = await thread.ask({ kind: "run", statement });
    return reply.kind === "ran" ? reply.answer.rows : [];
  };
  try {
    for (const milliseconds of patience) {
      await run({ text: `PRAGMA busy_timeout = ${milliseconds}`, params: [] });
      let outcome: Outcome = "elsewhere";
      for (let waited = 0; waited <= milliseconds && outcome === "elsewhere"; waited += PAUSE_MS) {
        // What can be moved beside those who read and write is moved first.
        await run(MOVE);
        const release = holders.hold();
        outcome = outcomeOf(await run(EMPTY).finally(release));
        if (outcome === "emptied") return true;
        await delay(PAUSE_MS);
      }
    }
    return false;
  } finally {
    await thread.end(unavailable("The log is not emptied any more."));
  }
}

function outcomeOf([row]: readonly Row[]): Outcome {
  if (row === undefined) return "read";
  if (numberOf(row, "busy") === 0) return "emptied";
  // Whoever could not begin does not know how long the log is.
  return numberOf(row, "log") < 0 ? "elsewhere" : "read";
}
