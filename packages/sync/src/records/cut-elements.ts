/**
 * Cuts the elements out of a ListResponse (RFC 7644 §3.4.2), or out of a plain array, without reading it whole. Pages
 * that were saved one behind the other are read like one.
 * @module
 */
import { type Cutter, type RawRecord, RecordBytes } from "./record.ts";

const BYTE = {
  lineFeed: 0x0a,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openArray: 0x5b,
  backslash: 0x5c,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** Longest name of a member that is looked at; others are not `Resources`. */
const LONGEST_NAME = 64;
/** The members by which a page says that it holds nothing, where they are 0. */
const COUNTS: ReadonlySet<string> = new Set(["totalresults", "itemsperpage"]);

/** JSON has no empty elements (RFC 8259 §5): a record may have been lost there. */
const NO_ELEMENT = "The list has a comma too many here, or lacks the element beside it.";
/** Text outside of all documents may be what is left of one. */
const STRAY = "Text stands here that is part of no list.";
const NO_LIST = "The document holds no list: neither 'Resources' nor an array.";
const NO_END = "The document ends in the middle, or its brackets do not match.";

/** Cuts a JSON document into the elements of its list. */
export function cutElements(mostBytes: number): Cutter {
  return new ElementCutter(mostBytes);
}

/** Follows brackets and strings byte by byte; what an element holds is for whoever reads it. */
class ElementCutter implements Cutter {
  readonly #bytes: RecordBytes;
  #line = 1;
  #depth = 0;
  /** Depth of the list; 0 outside. */
  #list = 0;
  #inString = false;
  #escaped = false;
  /** The last string in the document's own object: the name of what comes next. */
  #name: number[] = [];
  #firstLine: number | null = null;
  /** What stands in front of the next element. */
  #before: "nothing" | "comma" | "toldComma" = "nothing";
  /** Closes the document that is read, and what it told of itself so far. */
  #closer = 0;
  #told: "nothing" | "none" | "list" = "nothing";
  /** The first characters of the count that is read; null elsewhere. */
  #count: string | null = null;
  /** Whether there was a document, or what is none. */
  #began = false;
  /** Whether the text here is part of no document. */
  #isStray = false;
  #broken = false;

  constructor(mostBytes: number) {
    this.#bytes = new RecordBytes(mostBytes);
  }

  push(piece: Buffer): readonly RawRecord[] {
    const records: RawRecord[] = [];
    let start = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] ?? 0;
      if (byte === BYTE.lineFeed) this.#line += 1;
      if (this.#inString) {
        this.#string(byte);
        continue;
      }
      if (this.#list > 0 && this.#depth === this.#list) {
        if (this.#firstLine !== null) {
          if (endsElement(byte)) {
            this.#bytes.add(piece.subarray(start, at));
            records.push(this.#bytes.take(this.#firstLine));
            this.#firstLine = null;
            this.#before = "comma";
          }
        } else if (endsElement(byte)) {
          if (this.#lacksElement(byte)) records.push(this.#fault(NO_ELEMENT));
        } else if (!isSpace(byte)) {
          this.#firstLine = this.#line;
          start = at;
        }
      }
      const fault = this.#structure(byte);
      if (fault !== null) records.push(this.#fault(fault));
    }
    if (this.#firstLine !== null) this.#bytes.add(piece.subarray(start));
    return records;
  }

  end(): readonly RawRecord[] {
    if (this.#broken || this.#depth > 0 || this.#inString || this.#firstLine !== null)
      return [this.#fault(NO_END)];
    return this.#began ? [] : [this.#fault(NO_LIST)];
  }

  /** Whether a text begins here that is part of no document; of each only the beginning tells. */
  #straysAt(byte: number): boolean {
    if (this.#depth > 0 || isSpace(byte)) return false;
    this.#began = true;
    const wasStray = this.#isStray;
    this.#isStray = !opens(byte) && !closes(byte);
    return this.#isStray && !wasStray;
  }

  /** Whether an element is missing in front of a comma, or behind the last one; of a row of commas only the first tells. */
  #lacksElement(byte: number): boolean {
    const before = this.#before;
    if (before === "toldComma" || (before === "nothing" && byte === BYTE.closeArray)) return false;
    this.#before = "toldComma";
    return true;
  }

  #fault(fault: string): RawRecord {
    return { line: this.#firstLine ?? this.#line, bytes: null, fault };
  }

  #string(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BYTE.backslash) this.#escaped = true;
    else if (byte === BYTE.quote) {
      this.#inString = false;
      return;
    }
    if (this.#depth === 1 && this.#name.length <= LONGEST_NAME) this.#name.push(byte);
  }

  /** Follows a byte outside of strings. Tells what is wrong with the document here; null for nothing. */
  #structure(byte: number): string | null {
    const isStray = this.#straysAt(byte);
    switch (byte) {
      case BYTE.quote:
        this.#inString = true;
        if (this.#depth === 1) this.#name = [];
        break;
      case BYTE.colon:
        if (this.#depth === 1 && COUNTS.has(this.#lowerName())) this.#count = "";
        break;
      case BYTE.openArray:
        this.#open(BYTE.closeArray);
        if (this.#list === 0 && this.#opensList()) {
          this.#list = this.#depth;
          this.#before = "nothing";
          this.#told = "list";
        }
        break;
      case BYTE.openObject:
        this.#open(BYTE.closeObject);
        break;
      case BYTE.closeArray:
      case BYTE.closeObject:
        this.#endCount();
        return this.#close(byte);
      default:
        this.#readCount(byte);
    }
    return isStray ? STRAY : null;
  }

  #open(closer: number): void {
    if (this.#depth === 0) {
      this.#closer = closer;
      this.#told = "nothing";
      this.#name = [];
    }
    this.#depth += 1;
    this.#count = null;
  }

  #close(byte: number): string | null {
    if (this.#depth === 0 || (this.#depth === 1 && byte !== this.#closer)) this.#broken = true;
    if (this.#depth === this.#list) {
      if (byte !== BYTE.closeArray) this.#broken = true;
      this.#list = 0;
    }
    if (this.#depth === 0) return null;
    this.#depth -= 1;
    return this.#depth === 0 && this.#told === "nothing" ? NO_LIST : null;
  }

  #readCount(byte: number): void {
    if (byte === BYTE.comma) this.#endCount();
    else if (this.#count !== null && this.#count.length < 2 && !isSpace(byte))
      this.#count += String.fromCharCode(byte);
  }

  /** Of no matches, RFC 7644 §3.4.2 asks for the count alone. */
  #endCount(): void {
    if (this.#count === "0" && this.#told === "nothing") this.#told = "none";
    this.#count = null;
  }

  #opensList(): boolean {
    if (this.#depth === 1) return true;
    return this.#depth === 2 && this.#closer === BYTE.closeObject && this.#lowerName() === "resources";
  }

  /** Name of the member that comes next: its letter case does not count. */
  #lowerName(): string {
    return Buffer.from(this.#name).toString("utf8").toLowerCase();
  }
}

function isSpace(byte: number): boolean {
  return byte <= 0x20;
}

function opens(byte: number): boolean {
  return byte === BYTE.openArray || byte === BYTE.openObject;
}

function closes(byte: number): boolean {
  return byte === BYTE.closeArray || byte === BYTE.closeObject;
}

function endsElement(byte: number): boolean {
  return byte === BYTE.comma || byte === BYTE.closeArray;
}
