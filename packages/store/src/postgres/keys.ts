/**
 * Comparison keys as bytes whose order is that of the keys: text in UTF-8, which orders by code point; a number as FE
 * and eight bytes, which begins no text.
 * @module
 */
import { createHash } from "node:crypto";
import type { CompareOperator, ComparisonKey } from "@scim/filter";
import type { KeyForm, ReadKey } from "../dialect.ts";
import { prefixEnd } from "../query/key-condition.ts";
import { type Sql, sql } from "../sql.ts";

/** Keys of so many bytes or more are cut: a row of an index has room for some 2,700. */
const CUT_FROM = 1024;

/** Bytes of a cut key as it is; its hash fills it up to `CUT_FROM`. */
const KEPT = 992;

const NUMBER = 0xfe;

/** Comparison keys in PostgreSQL. */
export const postgresKeys: KeyForm = {
  entryColumns: sql`key, whole`,
  entry: (key) => {
    const bytes = bytesOf(key);
    return bytes.length < CUT_FROM ? sql`${bytes}, NULL` : sql`${cut(bytes)}, ${bytes}`;
  },
  bounded: (key) => boundedBytes(bytesOf(key)),
  ordered: bytesOf,
  condition,
  oneOf: (among) => sql`x.key = ANY (CAST(${arrayText(among)} AS bytea[]))`,
  whole: sql`coalesce(x.whole, x.key)`,
  // As text of digits: how bytes are written is a setting of the database.
  readable: (column) => sql`encode(${column}, 'hex')`,
  read: (value) => {
    if (typeof value === "string") return keyOf(Buffer.from(value, "hex"));
    throw new TypeError(`A sort key is ${typeof value} where digits were expected`);
  },
  cutKeys: (tenant, type, path) => sql`SELECT 1 AS n FROM attribute_index
    WHERE tenant = ${tenant} AND type = ${type} AND path = ${path} AND whole IS NOT NULL LIMIT 1`,
};

/** An array of bounded keys as PostgreSQL reads it. */
function arrayText(among: readonly ComparisonKey[]): string {
  const digits = among.map((key) => boundedBytes(bytesOf(key)).toString("hex"));
  return `{${digits.map((each) => String.raw`"\\x${each}"`).join(",")}}`;
}

function bytesOf(key: ComparisonKey): Buffer {
  return typeof key === "string" ? Buffer.from(key, "utf8") : bytesOfNumber(Number(key));
}

/** A double whose bytes are in the order of numbers: the sign is turned, and of negative numbers every bit. */
function bytesOfNumber(value: number): Buffer {
  const bytes = Buffer.alloc(9, NUMBER);
  // Zero has two signs, and they are equal.
  bytes.writeDoubleBE(value === 0 ? 0 : value, 1);
  const mask = isNegative(bytes) ? 0xff : 0;
  for (let index = 1; index < bytes.length; index += 1) bytes[index] = (bytes[index] ?? 0) ^ mask;
  if (mask === 0) bytes[1] = (bytes[1] ?? 0) | 0x80;
  return bytes;
}

function isNegative(bytes: Buffer): boolean {
  return (bytes[1] ?? 0) >= 0x80;
}

function keyOf(bytes: Buffer): ReadKey {
  if (bytes[0] !== NUMBER) return bytes.toString("utf8");
  const number = Buffer.from(bytes);
  if (isNegative(bytes)) number[1] = (number[1] ?? 0) & 0x7f;
  else for (let index = 1; index < number.length; index += 1) number[index] = (number[index] ?? 0) ^ 0xff;
  return number.readDoubleBE(1);
}

function boundedBytes(bytes: Buffer): Buffer {
  return bytes.length < CUT_FROM ? bytes : cut(bytes);
}

function cut(bytes: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, KEPT), createHash("sha256").update(bytes).digest()]);
}

/** A column of whole keys, and whether comparing with `x.key` says the same. */
function condition(operator: Exclude<CompareOperator, "ne">, key: ComparisonKey): Sql {
  if (operator === "eq") return sql`x.key = ${boundedBytes(bytesOf(key))}`;
  const bytes = bytesOf(key);
  // What is shorter than the kept part differs within it, or is its beginning.
  const column = bytes.length < KEPT ? sql`x.key` : postgresKeys.whole;
  switch (operator) {
    case "gt":
      return sql`${column} > ${bytes}`;
    case "ge":
      return sql`${column} >= ${bytes}`;
    case "lt":
      return sql`${column} < ${bytes}`;
    case "le":
      return sql`${column} <= ${bytes}`;
    case "sw":
      return startsWith(column, String(key));
    case "co":
      return sql`position(${bytes} IN ${postgresKeys.whole}) > 0`;
    case "ew":
      return endsWith(bytes);
  }
}

function startsWith(column: Sql, prefix: string): Sql {
  const end = prefixEnd(prefix);
  const from = sql`${column} >= ${bytesOf(prefix)}`;
  // What follows text is no text: numbers.
  return sql`${from} AND ${column} < ${end === null ? Buffer.from([NUMBER]) : bytesOf(end)}`;
}

/** UTF-8 has no suffix that begins inside a character. */
function endsWith(suffix: Buffer): Sql {
  const { whole } = postgresKeys;
  return sql`substring(${whole} FROM greatest(1, length(${whole}) - ${suffix.length} + 1)) = ${suffix}`;
}
