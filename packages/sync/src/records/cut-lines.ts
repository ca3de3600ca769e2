/**
 * Cuts JSON lines: one record a line; empty lines are none.
 * @module
 */
import { type Cutter, type RawRecord, RecordBytes } from "./record.ts";

const LINE_FEED = 0x0a;

/** Cuts a source at line feeds. */
export function cutLines(mostBytes: number): Cutter {
  const bytes = new RecordBytes(mostBytes);
  let line = 1;
  const finish = (): readonly RawRecord[] => {
    const record = bytes.take(line);
    return record.bytes !== null && isBlank(record.bytes) ? [] : [record];
  };
  return {
    push: (piece) => {
      const records: RawRecord[] = [];
      let start = 0;
      for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, start)) {
        bytes.add(piece.subarray(start, end));
        records.push(...finish());
        line += 1;
        start = end + 1;
      }
      bytes.add(piece.subarray(start));
      return records;
    },
    end: finish,
  };
}

/** Whether a line holds white space alone, a carriage return for one. */
function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return false;
  return true;
}
