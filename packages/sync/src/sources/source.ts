/**
 * The port to whatever holds the records.
 * @module
 */
import type { JsonObject } from "@scim/schemas";

/** A record. */
export interface SourceRecord {
  readonly kind: "record";
  readonly fields: JsonObject;
  /** Where it stands, for people: `line 12`. */
  readonly place: string;
  /** Whether the source says that it is gone; for sources that tell their changes. Default false. */
  readonly removed?: boolean;
  /**
   * Names of fields that hold something which `fields` cannot: bytes that are no text, or what is no base64. Where the mapping reads
   * one, the record is refused. Default: none.
   */
  readonly unreadableFields?: ReadonlySet<string>;
}

/** A record that cannot be read. */
export interface UnreadableRecord {
  readonly kind: "unreadable";
  readonly place: string;
  /** Why, and what to do; for people. */
  readonly fault: string;
}

/** What a source gives. */
export type SourceItem = SourceRecord | UnreadableRecord;

/** Records that are being read; to be gone through once. */
export interface SourceReading {
  readonly items: AsyncIterable<SourceItem>;
  /** Whether these are the changes behind the token alone, so that what is missing has not left. */
  readonly changesOnly: boolean;
  /**
   * Whether all records have the same fields, as lines of CSV and rows have: a field that the mapping reads and the first
   * record lacks ends the plan. Default false.
   */
  readonly hasColumns?: boolean;
  /** The names of these fields, where they are known at the end though there was no record; null, or left out, where they are not. */
  columns?(): readonly string[] | null;
  /** What to give to the next reading, once this one is at its end; null where the source cannot tell changes. */
  token(): string | null;
}

/**
 * Where records come from. A source of one's own has this one method.
 *
 * @example
 * const people: Source = {
 *   open: async () => ({ items: rows(), changesOnly: false, token: () => null }),
 * };
 */
export interface Source {
  /**
   * What is asked for, as text, such as a query. Where the last run asked for something else, its token is not given, and
   * everything is read. Default: a token is good whatever is asked for.
   */
  readonly asks?: string | undefined;
  /**
   * Begins to read.
   * @param since the token of an earlier reading, where changes alone are wanted; a source may give everything all the same
   * @throws {@link SourceError}
   */
  open(since: string | null): Promise<SourceReading>;
}

/** A source cannot be read; the message says what to do, for people. */
export class SourceError extends Error {
  override readonly name = "SourceError";

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}
