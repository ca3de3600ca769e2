/**
 * The head of CSV: its header, and what stands before it, however they arrive.
 * @module
 */
import { delimiterOf, fieldsOf, toldDelimiter } from "./cut-csv.ts";
import { requireUtf8 } from "./decode.ts";
import type { RawRecord } from "./record.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Puts the first pieces of CSV together until its header is whole: a pipe may give it in several. All other pieces pass as they
 * come.
 * @param mostBytes bytes of which one piece is made at most, but for the last of them: the header may have no end
 */
export async function* withWholeHeader(
  pieces: AsyncIterable<Buffer>,
  mostBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  const held: Buffer[] = [];
  let size = 0;
  let isBegun = false;
  let isWhole = false;
  for await (const piece of pieces) {
    if (isWhole) {
      yield piece;
      continue;
    }
    held.push(piece);
    size += piece.length;
    const start: number = isBegun ? 0 : headerStart(piece);
    isBegun ||= start < piece.length;
    if (piece.indexOf(LINE_FEED, start) < 0 && size <= mostBytes) continue;
    isWhole = true;
    yield Buffer.concat(held);
  }
  if (!isWhole) yield Buffer.concat(held);
}

/** The character between the fields of CSV, by its header: the first line that is not empty, which may tell no more than that. */
export function headDelimiter(head: Buffer): string {
  const start = headerStart(head);
  const end = head.indexOf(LINE_FEED, start);
  const line = head.toString("utf8", start, end < 0 ? head.length : end);
  return toldDelimiter(line) ?? delimiterOf(line);
}

/**
 * The names of the columns.
 * @param header the first record
 * @throws TypeError with a sentence for people
 */
export function columnNames({ bytes, fault }: RawRecord, delimiter: string): readonly string[] {
  if (bytes === null) throw new TypeError(fault ?? "");
  requireUtf8(bytes);
  const text = bytes.toString("utf8");
  if (!text.includes('"') && text.trimEnd().includes("\r"))
    throw new TypeError(
      "Its lines end in CR alone: save the file with lines that end in LF, or in CR and LF.",
    );
  return fieldsOf(text, delimiter).map((name) => name.trim());
}

/** Behind line ends; the length of a piece that has nothing else. */
function headerStart(piece: Buffer): number {
  const found = piece.findIndex((byte) => byte !== LINE_FEED && byte !== CARRIAGE_RETURN);
  return found < 0 ? piece.length : found;
}
