/**
 * Cuts LDIF (RFC 2849) into records, which end at empty lines, and reads the attributes of one.
 * @module
 */
import { type Cutter, type RawRecord, RecordBytes } from "./record.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** What a value behind `::` may be: a shorter one was cut off, and decodes all the same. */
const BASE64 = /^(?:[\d+/a-z]{4})*(?:[\d+/a-z]{2}==|[\d+/a-z]{3}=)?$/i;

/**
 * Cuts LDIF into records. Each of its lines ends in a line end, the last one too (RFC 2849, `attrval-spec`): what is behind the last
 * line end was cut off, and its record is told as one that cannot be read, as half of it would be taken for all.
 */
export function cutLdif(mostBytes: number): Cutter {
  const bytes = new RecordBytes(mostBytes);
  let line = 1;
  let firstLine = 1;
  let lineBytes = 0;
  const finish = (): readonly RawRecord[] => {
    const record = bytes.take(firstLine);
    firstLine = line;
    return record.bytes !== null && record.bytes.length === 0 ? [] : [record];
  };
  return {
    push: (piece) => {
      const records: RawRecord[] = [];
      let start = 0;
      for (let at = 0; at < piece.length; at += 1) {
        const byte = piece[at];
        if (byte !== LINE_FEED) {
          if (byte !== CARRIAGE_RETURN) lineBytes += 1;
          continue;
        }
        line += 1;
        if (lineBytes === 0) {
          const held = bytes.size > 0 || start < at;
          if (held) bytes.add(piece.subarray(start, at));
          records.push(...finish());
        } else {
          bytes.add(piece.subarray(start, at + 1));
        }
        start = at + 1;
        lineBytes = 0;
      }
      bytes.add(piece.subarray(start));
      return records;
    },
    end: () => (lineBytes === 0 ? finish() : [cutOff(firstLine, line)]),
  };
}

function cutOff(line: number, last: number): RawRecord {
  const fault = `Line ${last}, the last of the file, has no line end: the file was cut off there. Write it anew; if it is whole, end the line.`;
  return { line, bytes: null, fault };
}

/** The attributes of a record, by name in lower case without its options; `dn` is one of them. */
export type LdifAttributes = ReadonlyMap<string, readonly string[]>;

/** A record. */
export interface LdifEntry {
  readonly attributes: LdifAttributes;
  /** Names of the attributes of which values are bytes that are no text, such as photos, or no base64: these values are left out. */
  readonly withBytes: ReadonlySet<string>;
}

/**
 * Reads a record. Values of bytes that are no text, or of what is no base64, are left out.
 * @returns null where the record holds no entry: a version line, or comments alone
 * @throws TypeError saying what is wrong, for people
 */
export function readLdif(record: string): LdifAttributes | null {
  return readLdifEntry(record)?.attributes ?? null;
}

/** Reads a record as {@link readLdif} does, and tells which attributes have values that are left out. */
export function readLdifEntry(record: string): LdifEntry | null {
  const attributes = new Map<string, string[]>();
  const withBytes = new Set<string>();
  for (const line of linesOf(record)) {
    const { name, value } = attributeOf(line);
    if (name === "version" && attributes.size === 0) continue;
    if (value === null) {
      withBytes.add(name);
      continue;
    }
    const held = attributes.get(name);
    if (held === undefined) attributes.set(name, [value]);
    else held.push(value);
  }
  if (attributes.size === 0) return null;
  if (!attributes.has("dn")) throw new TypeError("The record has no 'dn'.");
  const [change = "add"] = attributes.get("changetype") ?? [];
  if (change !== "add")
    throw new TypeError(
      `The record is a change ('${change}'): write entries, such as ldapsearch -LLL or slapcat give them.`,
    );
  attributes.delete("changetype");
  return { attributes, withBytes };
}

/** Lines without comments, those that go on put together. */
function linesOf(record: string): readonly string[] {
  const unfolded = record.replaceAll(/\r?\n /g, "");
  return unfolded.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#"));
}

function attributeOf(line: string): { readonly name: string; readonly value: string | null } {
  const colon = line.indexOf(":");
  if (colon <= 0) throw new TypeError(`There is no 'name: value' in '${line.slice(0, 60)}'.`);
  const [name = ""] = line.slice(0, colon).toLowerCase().split(";");
  const rest = line.slice(colon + 1);
  if (rest.startsWith("<"))
    throw new TypeError(`'${name}' refers to a file ('<'), which is not read: write its value.`);
  if (!rest.startsWith(":")) return { name, value: rest.trimStart() };
  const encoded = rest.slice(1).trim();
  if (!BASE64.test(encoded)) return { name, value: null };
  const bytes = Buffer.from(encoded, "base64");
  const text = bytes.toString("utf8");
  return { name, value: Buffer.from(text, "utf8").equals(bytes) ? text : null };
}
