/**
 * How a thread that goes through many rows lets others have the processor. The system lets whoever computes go on for some
 * milliseconds before it asks who else would, whatever the priority: where there are few processors, requests would wait
 * that long for a thread that has time.
 * @module
 */
import { type Sql, sql } from "../sql.ts";

/** The function of SQL that gives way. It answers 1. */
export const GIVE_WAY = "give_way";

/** Milliseconds that are computed at most, and that are rested then. */
const RUN_MS = 0.25;
const REST_MS = 0.05;

/** A condition that always holds, and gives way; one row in sixteen asks, by its number. */
export function givesWayAt(row: Sql): Sql {
  return sql`((${row} & 15) OR give_way())`;
}

/** One row in so many asks whether it is time to give way. */
const ASKING = 16;

/** Rows as they are asked for, and gives way between them. */
export function* givingWayBetween<Row>(rows: Iterable<Row>): Iterable<Row> {
  const giveWay = givingWay();
  let read = 0;
  for (const row of rows) {
    yield row;
    read += 1;
    if (read % ASKING === 0) giveWay();
  }
}

/** Makes what gives way: it has its thread rest where that has computed for a while. */
export function givingWay(): () => 1 {
  const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let rested = performance.now();
  return () => {
    if (performance.now() - rested < RUN_MS) return 1;
    // Nobody wakes it before its time.
    Atomics.wait(cell, 0, 0, REST_MS);
    rested = performance.now();
    return 1;
  };
}
