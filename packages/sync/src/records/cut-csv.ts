/**
 * Cuts CSV (RFC 4180) into records and fields. Records end at line ends outside quotes, however long they are; one that
 * is broken or too long is told apart, and the next one is read.
 * @module
 */
import { type Cutter, type RawRecord, RecordBytes } from "./record.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;

/** Characters that people put between fields, most usual first. */
const DELIMITERS = [",", ";", "\t", "|"] as const;

/** A line by which spreadsheet programs tell each other the delimiter, in front of the header: `sep=;`. */
const DELIMITER_LINE = /^(?:sep=([\t ,;:|^~])|"sep=([\t ,;:|^~])")\r?$/i;
/** Characters of such a line at most. */
const LONGEST_LINE = 8;

/** The delimiter that a first line tells; null where it is no such line. */
export function toldDelimiter(line: string): string | null {
  const [, plain, quoted] = DELIMITER_LINE.exec(line) ?? [];
  return plain ?? quoted ?? null;
}

/** Where a record stands with its quotes. */
type QuoteState = "start" | "plain" | "quoted" | "closing";

/** The character between the fields of a header: the one that occurs most often in it. */
export function delimiterOf(header: string): string {
  const unquoted = header.replaceAll(/"[^"]*"/g, "");
  const counts = DELIMITERS.map((each) => unquoted.split(each).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}

/**
 * Cuts CSV into records. A first line that tells the delimiter is none.
 * @param delimiter of one ASCII character
 */
export function cutCsv(mostBytes: number, delimiter: string): Cutter {
  return new CsvCutter(mostBytes, delimiter.charCodeAt(0));
}

class CsvCutter implements Cutter {
  readonly #bytes: RecordBytes;
  readonly #delimiter: number;
  #state: QuoteState = "start";
  #isFirst = true;
  #line = 1;
  #firstLine = 1;
  /** Line on which the last field in quotes began. */
  #quoteLine = 1;

  constructor(mostBytes: number, delimiter: number) {
    this.#bytes = new RecordBytes(mostBytes);
    this.#delimiter = delimiter;
  }

  push(piece: Buffer): readonly RawRecord[] {
    const records: RawRecord[] = [];
    let start = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] ?? 0;
      if (byte === LINE_FEED) this.#line += 1;
      if (byte !== LINE_FEED || this.#state === "quoted") {
        this.#state = this.#next(byte);
        continue;
      }
      this.#bytes.add(piece.subarray(start, at));
      records.push(...this.#finish());
      start = at + 1;
    }
    this.#bytes.add(piece.subarray(start));
    return records;
  }

  end(): readonly RawRecord[] {
    if (this.#state !== "quoted") return this.#finish();
    // Lines behind the quote may be text as well as records: none of them is guessed at.
    const fault = `A quote of the record, which opens on line ${this.#quoteLine}, is never closed: all that follows belongs to it, ${this.#bytes.size} bytes. Close it; a quote that is meant as a character is written twice, in a field in quotes.`;
    return [{ line: this.#firstLine, bytes: null, fault }];
  }

  #finish(): readonly RawRecord[] {
    const record = this.#bytes.take(this.#firstLine);
    this.#firstLine = this.#line;
    this.#state = "start";
    if (record.bytes !== null && isEmpty(record.bytes)) return [];
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    return isFirst && tellsDelimiter(record) ? [] : [record];
  }

  #next(byte: number): QuoteState {
    if (this.#state === "quoted") return byte === QUOTE ? "closing" : "quoted";
    if (byte === this.#delimiter) return "start";
    if (byte !== QUOTE || this.#state === "plain") return "plain";
    if (this.#state === "start") this.#quoteLine = this.#line;
    return "quoted";
  }
}

/**
 * The fields of a record.
 * @throws TypeError where quotes are not closed, or something stands behind one
 */
export function fieldsOf(record: string, delimiter: string): readonly string[] {
  const text = record.endsWith("\r") ? record.slice(0, -1) : record;
  if (!text.includes('"')) return text.split(delimiter);
  const fields: string[] = [];
  let at = 0;
  while (at <= text.length) {
    const { field, end } = text.startsWith('"', at) ? quotedAt(text, at) : plainAt(text, at, delimiter);
    if (end < text.length && !text.startsWith(delimiter, end))
      throw new TypeError(
        `Something stands behind the closing quote of column ${fields.length + 1}${linesIn(text.slice(at, end))}.`,
      );
    fields.push(field);
    at = end + 1;
  }
  return fields;
}

interface Field {
  readonly field: string;
  /** Index of what follows it. */
  readonly end: number;
}

function plainAt(text: string, start: number, delimiter: string): Field {
  const found = text.indexOf(delimiter, start);
  const end = found < 0 ? text.length : found;
  return { field: text.slice(start, end), end };
}

function quotedAt(text: string, start: number): Field {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text.startsWith('""', end)) end = text.indexOf('"', end + 2);
  if (end < 0) throw new TypeError("A quote is not closed.");
  return { field: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 };
}

/** A quote that was not meant to open a field takes others for its end: lines that it went through tell where to look. */
function linesIn(field: string): string {
  const ends = field.split("\n").length - 1;
  return ends === 0 ? "" : `, whose quote opened ${ends === 1 ? "one line" : `${ends} lines`} before`;
}

function tellsDelimiter({ bytes }: RawRecord): boolean {
  return bytes !== null && bytes.length <= LONGEST_LINE && toldDelimiter(bytes.toString("latin1")) !== null;
}

/** Whether there is nothing but a line end: white space may be fields. */
function isEmpty(bytes: Buffer): boolean {
  return bytes.length === 0 || (bytes.length === 1 && bytes[0] === CARRIAGE_RETURN);
}
