/**
 * The bytes of a source as UTF-8, whatever it was written in.
 * @module
 */

/** Bytes that cannot be read as text; the message says what to do, for people. */
export class EncodingError extends Error {
  override readonly name = "EncodingError";
  /** Whether the encoding that was named is wrong, rather than the bytes. */
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

/** Bytes that tell an encoding. */
const HEAD_BYTES = 4;

/**
 * Reads a source. A byte order mark is believed and left out; without one, UTF-16 is known by its zero bytes; all else
 * is UTF-8, which whoever reads a record checks.
 * @param encoding name of the encoding (`latin1`, `windows-1252`, …), or null to find it out
 * @throws {@link EncodingError} for an encoding that is not known, or bytes that are none of it
 */
export async function* decodeSource(
  source: AsyncIterable<Buffer>,
  encoding: string | null,
): AsyncGenerator<Buffer, void, undefined> {
  let decoder: TextDecoder | null | undefined;
  let head: Buffer = Buffer.alloc(0);
  for await (const piece of source) {
    if (decoder === undefined) {
      head = Buffer.concat([head, piece]);
      if (head.length < HEAD_BYTES) continue;
      const begun = begin(head, encoding);
      decoder = begun.decoder;
      yield decoded(decoder, begun.rest, true);
    } else yield decoded(decoder, piece, true);
  }
  if (decoder === undefined) {
    const begun = begin(head, encoding);
    yield decoded(begun.decoder, begun.rest, false);
  } else if (decoder !== null) yield decoded(decoder, Buffer.alloc(0), false);
}

interface Begun {
  /** Null where the bytes are UTF-8 already. */
  readonly decoder: TextDecoder | null;
  readonly rest: Buffer;
}

function begin(head: Buffer, encoding: string | null): Begun {
  const mark = MARKS.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte));
  const label = encoding ?? mark?.label ?? withoutMark(head);
  const rest = mark === undefined ? head : head.subarray(mark.bytes.length);
  if (label === "utf-32")
    throw new EncodingError("The source is UTF-32, which is not read: write it as UTF-8.", {
      isNamed: false,
    });
  const decoder = decoderOf(label);
  return { decoder: decoder.encoding === "utf-8" ? null : decoder, rest };
}

/** JSON and CSV begin with ASCII characters, which UTF-16 writes with a zero byte. */
function withoutMark([first, second]: Buffer): string {
  // One byte alone is a line end, or nothing else that UTF-16 could be.
  if (second === undefined || (first === 0) === (second === 0)) return "utf-8";
  return first === 0 ? "utf-16be" : "utf-16le";
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label, { fatal: true });
  } catch (cause) {
    throw new EncodingError(
      `Encoding '${label}' is not known; such as utf-8, utf-16le, latin1, windows-1252.`,
      { isNamed: true, cause },
    );
  }
}

function decoded(decoder: TextDecoder | null, bytes: Buffer, more: boolean): Buffer {
  if (decoder === null) return bytes;
  try {
    return Buffer.from(decoder.decode(bytes, { stream: more }), "utf8");
  } catch (cause) {
    throw new EncodingError(`The source is not ${decoder.encoding} throughout.`, { isNamed: false, cause });
  }
}
