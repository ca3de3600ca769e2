/**
 * Opens the source of an import.
 * @module
 */
import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import {
  cutCsv,
  cutElements,
  cutLines,
  decodeSource,
  EncodingError,
  FileReadError,
  headDelimiter,
  readFilePieces,
  withWholeHeader,
  type Cutter,
  type RawRecord,
} from "@scim/sync/records";
import { CommandFailure, EXIT } from "../../failure.ts";
import type { ImportOptions } from "../import-options.ts";

/** A source that is open. */
export interface Source {
  /** How many bytes it has; null where nobody knows. */
  readonly bytes: number | null;
  /** What tells this source from others, as text; null for standard input and pipes. */
  readonly fingerprint: string | null;
  /** Bytes that were read so far. */
  readonly read: () => number;
  /** Its records, those of a piece at a time; to be gone through once. */
  records(delimiter: string | null): AsyncGenerator<CutPiece, void, undefined>;
}

/** Records of a piece, and the character between fields where it is CSV. */
export interface CutPiece {
  readonly records: readonly RawRecord[];
  readonly delimiter: string;
}

/** Bytes at the start of a file that its fingerprint is made of. */
const HEAD_BYTES = 1_048_576;

/**
 * Opens a source.
 * @param signal ends its reading, also while nothing comes: going through its records throws then
 * @throws CommandFailure where it cannot be read
 */
export async function openSource(options: ImportOptions, signal: AbortSignal): Promise<Source> {
  const { path } = options;
  const about = path === null || !options.isFile ? null : await aboutFile(path);
  let read = 0;
  async function* pieces(): AsyncGenerator<Buffer, void, undefined> {
    for await (const piece of readFilePieces(path ?? "-", signal)) {
      read += piece.length;
      yield piece;
    }
  }
  return {
    bytes: about?.bytes ?? null,
    fingerprint: about?.fingerprint ?? null,
    read: () => read,
    records: (delimiter) => cutPieces(decoded(pieces(), options.encoding), { options, delimiter }),
  };
}

async function aboutFile(path: string): Promise<{ readonly bytes: number; readonly fingerprint: string }> {
  let file: FileHandle | null = null;
  try {
    file = await open(path);
    const { size, mtimeMs } = await file.stat();
    const head = Buffer.alloc(Math.min(HEAD_BYTES, size));
    await file.read(head, 0, head.length, 0);
    const digest = createHash("sha256").update(head).digest("base64url");
    return { bytes: size, fingerprint: `${size} ${mtimeMs} ${digest}` };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.failed, `${path} cannot be read: ${reason}.`, cause);
  } finally {
    await file?.close();
  }
}

/** @throws CommandFailure for an encoding that is not known, bytes that are none of it, or a file that cannot be read */
async function* decoded(
  pieces: AsyncIterable<Buffer>,
  encoding: string | null,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* decodeSource(pieces, encoding);
  } catch (cause) {
    if (cause instanceof FileReadError) throw new CommandFailure(EXIT.failed, cause.message, cause);
    if (!(cause instanceof EncodingError)) throw cause;
    throw new CommandFailure(cause.isNamed ? EXIT.usage : EXIT.failed, cause.message, cause);
  }
}

async function* cutPieces(
  pieces: AsyncIterable<Buffer>,
  { options, delimiter }: { readonly options: ImportOptions; readonly delimiter: string | null },
): AsyncGenerator<CutPiece, void, undefined> {
  let cutter: Cutter | null = null;
  let between = delimiter ?? ",";
  const { format, maxRecord } = options;
  for await (const piece of format === "csv" ? withWholeHeader(pieces, maxRecord) : pieces) {
    if (piece.length === 0) continue;
    if (cutter === null) {
      between = delimiter ?? headDelimiter(piece);
      cutter = cutterOf(options, between);
    }
    yield { records: cutter.push(piece), delimiter: between };
  }
  if (cutter !== null) yield { records: cutter.end(), delimiter: between };
}

function cutterOf({ format, maxRecord }: ImportOptions, delimiter: string): Cutter {
  switch (format) {
    case "jsonl":
      return cutLines(maxRecord);
    case "csv":
      return cutCsv(maxRecord, delimiter);
    case "json":
      return cutElements(maxRecord);
  }
}
