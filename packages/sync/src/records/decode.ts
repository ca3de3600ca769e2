/**
 * The bytes of a source as UTF-8, whatever it was written in.
 * @module
 */
import { isUtf8 } from "node:buffer";

/** An encoding that cannot be read; the message says what to do, for people. */
export class EncodingError extends Error {
  override readonly name = "EncodingError";
  /** Whether the encoding was named, rather than found in the bytes. */
  readonly isNamed: boolean;

  constructor(message: string, options: { readonly isNamed: boolean; readonly cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.isNamed = options.isNamed;
  }
}

const MARKS: readonly { readonly label: string; readonly bytes: readonly number[] }[] = [
  { label: "utf-32", bytes: [0xff, 0xfe, 0, 0] },
  { label: "utf-32", bytes: [0, 0, 0xfe, 0xff] },
  { label: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { label: "utf-16le", bytes: [0xff, 0xfe] },
  { label: "utf-16be", bytes: [0xfe, 0xff] },
];

/**
 * Checks that the bytes of a record are UTF-8, as {@link decodeSource} leaves all that is text.
 * @throws TypeError with a sentence for people
 */
export function requireUtf8(bytes: Buffer): void {
  if (isUtf8(bytes)) return;
  throw new TypeError(
    "The record is not UTF-8 (or UTF-16 or what was named, where the source is): mend it, or name the encoding of the source, such as --encoding latin1.",
  );
}

/** Stands for what is no text: it occurs in no UTF-8, so that whoever reads its record finds it. */
const NO_TEXT = Buffer.from([0xff]);

/** What a decoder writes in the place of bytes that are none of its encoding. */
const REPLACED = "\ufffd";

/** What is no text but holds one, by how it begins. */
const PACKED: readonly { readonly name: string; readonly bytes: readonly number[] }[] = [
  { name: "packed by gzip", bytes: [0x1f, 0x8b] },
  { name: "a ZIP archive, as workbooks of spreadsheets are", bytes: [0x50, 0x4b, 3, 4] },
];

/** Bytes that tell an encoding. */
const HEAD_BYTES = 4;

/**
 * Reads a source. A byte order mark is believed and left out; without one, UTF-16 is known by its zero bytes; all else
 * is UTF-8. Whoever reads a record checks that it is UTF-8: halves of UTF-16 surrogate pairs, and bytes that are none of the
 * encoding, come as bytes that are none.
 * @param encoding name of the encoding (`latin1`, `windows-1252`, …), or null to find it out
 * @throws {@link EncodingError} for an encoding that is not known, for UTF-32, and for what is packed
 */
export async function* decodeSource(
  source: AsyncIterable<Buffer>,
  encoding: string | null,
): AsyncGenerator<Buffer, void, undefined> {
  let decode: Decode | undefined;
  let head: Buffer = Buffer.alloc(0);
  for await (const piece of source) {
    if (decode === undefined) {
      head = Buffer.concat([head, piece]);
      if (head.length < HEAD_BYTES) continue;
      const begun = begin(head, encoding);
      decode = begun.decode;
      yield decode(begun.rest, true);
    } else yield decode(piece, true);
  }
  if (decode === undefined) {
    const begun = begin(head, encoding);
    yield begun.decode(begun.rest, false);
  } else yield decode(Buffer.alloc(0), false);
}

/** Makes UTF-8 of a piece; what is cut in two at its end waits for the next one, where there is more. */
type Decode = (piece: Buffer, more: boolean) => Buffer;

interface Begun {
  readonly decode: Decode;
  readonly rest: Buffer;
}

function begin(head: Buffer, encoding: string | null): Begun {
  const packed = PACKED.find(({ bytes }) => beginsWith(head, bytes));
  if (packed !== undefined)
    throw new EncodingError(`The source is ${packed.name}: unpack it, or save it as text.`, {
      isNamed: false,
    });
  const mark = MARKS.find(({ bytes }) => beginsWith(head, bytes));
  const label = encoding ?? mark?.label ?? withoutMark(head);
  const rest = mark === undefined ? head : head.subarray(mark.bytes.length);
  if (label === "utf-32")
    throw new EncodingError("The source is UTF-32, which is not read: write it as UTF-8.", {
      isNamed: false,
    });
  return { decode: decodeOf(decoderOf(label)), rest };
}

function beginsWith(head: Buffer, bytes: readonly number[]): boolean {
  return bytes.every((byte, at) => head[at] === byte);
}

/** JSON and CSV begin with ASCII characters, which UTF-16 writes with a zero byte. */
function withoutMark([first, second]: Buffer): string {
  // One byte alone is a line end, or nothing else that UTF-16 could be.
  if (second === undefined || (first === 0) === (second === 0)) return "utf-8";
  return first === 0 ? "utf-16be" : "utf-16le";
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label);
  } catch (cause) {
    throw new EncodingError(
      `Encoding '${label}' is not known; such as utf-8, utf-16le, latin1, windows-1252.`,
      { isNamed: true, cause },
    );
  }
}

function decodeOf(decoder: InstanceType<typeof TextDecoder>): Decode {
  switch (decoder.encoding) {
    case "utf-8":
      return (piece) => piece;
    case "utf-16le":
      return decodeUtf16((units) => units);
    case "utf-16be":
      return decodeUtf16((units) => Buffer.from(units).swap16());
    default:
      return (piece, more) => textOrNone(decoder.decode(piece, { stream: more }).split(REPLACED));
  }
}

/** @param inOrder gives units of 16 bits with their lower byte first */
function decodeUtf16(inOrder: (units: Buffer) => Buffer): Decode {
  let held: Buffer = Buffer.alloc(0);
  return (piece, more) => {
    const bytes = held.length === 0 ? piece : Buffer.concat([held, piece]);
    const units = inOrder(bytes.subarray(0, bytes.length - (bytes.length % 2)));
    const end = more && endsInPair(units) ? units.length - 2 : units.length;
    held = bytes.subarray(end);
    const text = utf8Of(units.toString("utf16le", 0, end));
    return more || held.length === 0 ? text : Buffer.concat([text, NO_TEXT]);
  };
}

/** Whether the last unit is the first half of a surrogate pair. */
function endsInPair(units: Buffer): boolean {
  const last = units.at(-1) ?? 0;
  return last >= 0xd8 && last <= 0xdb;
}

function utf8Of(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, "utf8");
  return textOrNone(text.split(/[\uD800-\uDFFF]/u));
}

/** Parts of a text between which there was what is none. */
function textOrNone(parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part, at) => {
      const bytes = Buffer.from(part, "utf8");
      return at === 0 ? [bytes] : [NO_TEXT, bytes];
    }),
  );
}
