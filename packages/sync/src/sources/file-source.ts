/**
 * Files as sources: CSV, JSON lines, lists of JSON such as a ListResponse, LDIF.
 * @module
 */
import { isJsonObject, isScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import { columnNames, headDelimiter, withWholeHeader } from "../records/csv-head.ts";
import { cutCsv, fieldsOf } from "../records/cut-csv.ts";
import { cutElements } from "../records/cut-elements.ts";
import { cutLdif, readLdifEntry } from "../records/cut-ldif.ts";
import { cutLines } from "../records/cut-lines.ts";
import { decodeSource, EncodingError, requireUtf8 } from "../records/decode.ts";
import { type FileFormat, formatByName } from "../records/file-format.ts";
import { FileReadError, readFilePieces } from "../records/read-file.ts";
import type { Cutter, RawRecord } from "../records/record.ts";
import { SourceError, type Source, type SourceItem, type SourceRecord } from "./source.ts";

/** How a file is read. */
export interface FileSourceOptions {
  /** Default: by the ending of its name, else `jsonl`. */
  readonly format?: FileFormat | undefined;
  /** Such as `latin1`. Default: UTF-8, and UTF-16 where the file begins so. */
  readonly encoding?: string | undefined;
  /** Character between the fields of CSV. Default: the one that occurs most often in the header. */
  readonly delimiter?: string | undefined;
  /**
   * Reads a record of JSON; it throws a TypeError or a ScimError with a sentence for people. Default `JSON.parse`, which keeps
   * the last of equal names.
   */
  readonly readJson?: ((bytes: Buffer) => JsonValue) | undefined;
  /** Greatest record, in bytes. Default 16,777,216. */
  readonly maxRecordBytes?: number | undefined;
  /** Ends the reading, also while nothing comes through a pipe: going through the items throws a SourceError then. */
  readonly signal?: AbortSignal | undefined;
}

const MAX_RECORD_BYTES = 16_777_216;

/**
 * A file as a source. Its records have the columns of the header (CSV), the members of the object (JSON), or the
 * attributes of the entry in lower case, `dn` among them (LDIF), as fields; a field with several values is a list. The path `-` is
 * standard input.
 *
 * @example
 * const people = fileSource("people.csv");
 */
export function fileSource(path: string, options: FileSourceOptions = {}): Source {
  const format = options.format ?? formatByName(path);
  return {
    open: () => {
      let columns: readonly string[] | null = null;
      const onColumns = (names: readonly string[]): void => {
        columns = names;
      };
      return Promise.resolve({
        items: itemsOf(path, { ...options, format, onColumns }),
        hasColumns: format === "csv",
        columns: () => columns,
        changesOnly: false,
        token: () => null,
      });
    },
  };
}

type Opened = FileSourceOptions & {
  readonly format: FileFormat;
  /** Told the header of CSV. */
  readonly onColumns: (names: readonly string[]) => void;
};

async function* itemsOf(path: string, options: Opened): AsyncGenerator<SourceItem, void, undefined> {
  let reader: FileReader | null = null;
  try {
    for await (const piece of piecesOf(path, options)) {
      if (piece.length === 0) continue;
      reader ??= readerOf(piece, options);
      for (const raw of reader.cutter.push(piece)) yield* reader.items(raw);
    }
    reader ??= readerOf(Buffer.alloc(0), options);
    for (const raw of reader.cutter.end()) yield* reader.items(raw);
    if (!reader.hasBegun()) throw new SourceError(`${path} is empty: CSV begins with a header.`);
  } catch (cause) {
    if (cause instanceof EncodingError) throw new SourceError(`${path}: ${cause.message}`, cause);
    if (options.signal?.aborted === true)
      throw new SourceError(`${path} was not read to its end: it was stopped.`, cause);
    if (cause instanceof FileReadError) throw new SourceError(cause.message, cause);
    throw cause;
  }
}

function piecesOf(path: string, options: Opened): AsyncIterable<Buffer> {
  const { format, encoding = null, signal, maxRecordBytes = MAX_RECORD_BYTES } = options;
  const decoded = decodeSource(readFilePieces(path, signal), encoding);
  return format === "csv" ? withWholeHeader(decoded, maxRecordBytes) : decoded;
}

/** How the records of a form are read. */
interface FileReader {
  readonly cutter: Cutter;
  /** What a record comes to. @throws SourceError where nothing behind it can be read either */
  readonly items: (raw: RawRecord) => Iterable<SourceItem>;
  /** Whether what has to stand in front of records was there. */
  readonly hasBegun: () => boolean;
}

/** Null for what is no record. @throws TypeError, ScimError with a sentence for people */
type ReadRecord = (bytes: Buffer) => Pick<SourceRecord, "fields" | "unreadableFields"> | null;

function readerOf(piece: Buffer, options: Opened): FileReader {
  const { format, maxRecordBytes = MAX_RECORD_BYTES, readJson = parsedJson } = options;
  const reading = (cutter: Cutter, read: ReadRecord): FileReader => ({
    cutter,
    items: (raw) => itemOf(raw, read),
    hasBegun: () => true,
  });
  const jsonRecord: ReadRecord = (bytes) => ({ fields: objectOf(readJson(bytes)) });
  switch (format) {
    case "jsonl":
      return reading(cutLines(maxRecordBytes), jsonRecord);
    case "json":
      return reading(cutElements(maxRecordBytes), jsonRecord);
    case "ldif":
      return reading(cutLdif(maxRecordBytes), (bytes) => ldifRecord(bytes.toString("utf8")));
    case "csv": {
      const delimiter = options.delimiter ?? headDelimiter(piece);
      return { cutter: cutCsv(maxRecordBytes, delimiter), ...csvItems(delimiter, options.onColumns) };
    }
  }
}

function* itemOf(raw: RawRecord, read: ReadRecord): Generator<SourceItem, void, undefined> {
  const place = `line ${raw.line}`;
  if (raw.bytes === null) {
    yield { kind: "unreadable", place, fault: raw.fault ?? "The record cannot be read." };
    return;
  }
  try {
    requireUtf8(raw.bytes);
    const record = read(raw.bytes);
    if (record !== null) yield { kind: "record", ...record, place };
  } catch (cause) {
    if (!(cause instanceof TypeError) && !isScimError(cause)) throw cause;
    yield { kind: "unreadable", place, fault: cause.message };
  }
}

function parsedJson(bytes: Buffer): JsonValue {
  try {
    // JSON gives JSON.
    return JSON.parse(bytes.toString("utf8")) as JsonValue;
  } catch (cause) {
    throw new TypeError(cause instanceof Error ? `${cause.message}.` : "It is no JSON.", { cause });
  }
}

function objectOf(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) throw new TypeError("The record is no JSON object.");
  return value;
}

function ldifRecord(text: string): ReturnType<ReadRecord> {
  const entry = readLdifEntry(text);
  if (entry === null) return null;
  const fields = [...entry.attributes].map(([name, values]): [string, JsonValue] => [
    name,
    values.length === 1 ? (values[0] ?? "") : values,
  ]);
  return { fields: Object.fromEntries(fields), unreadableFields: entry.withBytes };
}

/** @throws SourceError where the header cannot be used: without it no record can */
function csvItems(delimiter: string, onColumns: Opened["onColumns"]): Omit<FileReader, "cutter"> {
  let read: ReadRecord | null = null;
  return {
    items: (raw) => {
      if (read !== null) return itemOf(raw, read);
      const header = headerOf(raw, delimiter);
      onColumns(header);
      read = csvRecord(header, delimiter);
      return [];
    },
    hasBegun: () => read !== null,
  };
}

function csvRecord(header: readonly string[], delimiter: string): ReadRecord {
  return (bytes) => {
    const values = fieldsOf(bytes.toString("utf8"), delimiter);
    if (values.length !== header.length)
      throw new TypeError(
        `The record has ${values.length} ${values.length === 1 ? "column" : "columns"} where the header has ${header.length}.`,
      );
    return { fields: Object.fromEntries(header.map((name, at) => [name, values[at] ?? ""])) };
  };
}

function namesOf(header: RawRecord, delimiter: string): readonly string[] {
  try {
    return columnNames(header, delimiter);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new SourceError(`The header of the CSV cannot be read. ${cause.message}`, cause);
  }
}

function headerOf(header: RawRecord, delimiter: string): readonly string[] {
  const names = namesOf(header, delimiter);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new SourceError(`The header of the CSV has two columns '${twice}': give each a name of its own.`);
  return names;
}
