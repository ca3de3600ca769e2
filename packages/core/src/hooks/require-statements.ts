/**
 * Checks what the hook `statements` returns. A promise in the place of a list, or a text of which the database carries out
 * the first statement alone, would leave the resource written without what belongs to it; and what ends the transaction
 * would keep the one without the other.
 * @module
 */
import type { Statement } from "../store/statement.ts";
import { letGo } from "./let-go.ts";

/** Text that is no word of a statement: quoted, or a comment. A backslash escapes within `E'…'` alone. */
const QUOTED =
  /\be'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\//gi;

/** What may stand before and behind a statement. */
const AROUND = /^[\s;]+|[\s;]+$/g;

/** Statements begin with a word, or with a query in brackets. */
const SQL = /^[a-z(]/i;

/** Statements that end or divide the transaction of the store, or leave something in a session that others use next. */
const STORE_ALONE =
  /^(?:begin|start|commit|end|rollback|abort|savepoint|release|prepare|copy|reset|discard|listen|unlisten|attach|detach)\b|^set\s+(?!(?:local|constraints)\b)|^pragma\s+(?!(?:\w+\.)?defer_foreign_keys\b)/i;

/**
 * Places of values in words that one of the databases has, such as `$1` and `:name`: nothing is bound to them, and SQLite
 * would write null without a word. Casts (`::text`), slices (`a[1:2]`), operators (`<@b`) and names (`a$b`) are none.
 */
const OTHER_PLACE = /\?\d|(?<![\w$:[\])@<>|&#~!])[:@$]\w/;

/**
 * The statements that the hook of a resource type returned.
 * @throws TypeError where it is no list of statements that a store can run in its transaction
 */
export function requireStatements(type: string, returned: unknown): readonly Statement[] {
  const fail = (what: string): TypeError =>
    new TypeError(`The hook 'statements' of ${type} returned ${what}`);
  if (!isList(returned)) {
    letGo(returned);
    throw fail("no list of statements, which it must not have to be waited for");
  }
  return returned.map((each) => requireStatement(each, fail));
}

function isList(returned: unknown): returned is readonly unknown[] {
  return Array.isArray(returned);
}

function requireStatement(returned: unknown, fail: (what: string) => TypeError): Statement {
  // What is no object has no text either.
  const { text, params = [] }: { readonly text?: unknown; readonly params?: unknown } = returned ?? {};
  if (typeof text !== "string") throw fail("a statement without SQL: it has a 'text' and 'params'");
  const words = text.replaceAll(QUOTED, " ").replaceAll(AROUND, "");
  if (!SQL.test(words)) throw fail("a statement without SQL: a text begins with its first word");
  if (STORE_ALONE.test(words))
    throw fail("a statement that is for the store alone: the transaction and the session are its own");
  if (words.includes(";")) throw fail("several statements in one: give each an object of its own");
  if (OTHER_PLACE.test(words))
    throw fail("a statement with the place of a value that is no '?': nothing is bound to '$1' or ':name'");
  const places = placesIn(words);
  if (!isList(params) || params.length !== places || placesIn(text) !== places)
    throw fail(
      `a statement whose '?' are not as many as its 'params': each '?' in a text stands for a value, and none may be quoted`,
    );
  if (!params.every(isValue))
    throw fail("a value that no statement binds: text, numbers, bigints, null and bytes can be bound");
  return { text, params };
}

function placesIn(text: string): number {
  return text.split("?").length - 1;
}

function isValue(value: unknown): value is Statement["params"][number] {
  return (
    value === null || ["string", "number", "bigint"].includes(typeof value) || value instanceof Uint8Array
  );
}
