/**
 * Statements as PostgreSQL's protocol takes them: numbered parameters, and values as text or bytes.
 * @module
 */
import type { Sql, SqlValue } from "../sql.ts";

/** A statement for the wire. */
export interface WireStatement {
  readonly text: string;
  readonly values: readonly WireValue[];
  /** Whether it may answer rows, so that the server is asked which columns there are. */
  readonly answersRows: boolean;
}

/** Text as it is, bytes as bytes. */
export type WireValue = string | Buffer | null;

interface WireText {
  readonly text: string;
  readonly answersRows: boolean;
}

/** Texts that are kept: an operation always makes the same ones, a filter may make any. */
const KEPT_TEXTS = 1000;

const texts = new Map<string, WireText>();

/** A statement for the wire. */
export function wireStatement({ text, params }: Sql): WireStatement {
  return { ...wireText(text), values: params.map(wireValue) };
}

function wireText(text: string): WireText {
  const known = texts.get(text);
  if (known !== undefined) return known;
  let count = 0;
  const made = {
    text: text.replaceAll("?", () => `$${(count += 1)}`),
    answersRows:
      !/^\s*(?:insert|update|delete|begin|commit|rollback)\b/i.test(text) || /\breturning\b/i.test(text),
  };
  if (texts.size >= KEPT_TEXTS) texts.clear();
  texts.set(text, made);
  return made;
}

const NULLS = /\0/g;

/**
 * PostgreSQL's text cannot hold U+0000, and no column of text that a request is compared with holds it or U+0001:
 * so the one stands for the other, and compares alike.
 */
function wireValue(value: SqlValue): WireValue {
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll(NULLS, "\u0001") : value;
  if (value === null) return null;
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
