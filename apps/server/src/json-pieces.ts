/**
 * JSON in pieces: a result of a million parts is longer than a text can be.
 * @module
 */

/**
 * The pieces of what `JSON.stringify(value, null, 2)` gives. Lists, and whatever else is gone through one by one, are written
 * one part at a time.
 * @param indent what stands before each line behind the first
 */
export function* jsonPieces(value: unknown, indent: string = ""): Generator<string, void, undefined> {
  if (isList(value)) yield* inBrackets("[]", partsOf(value, indent), indent);
  else if (isPlain(value)) yield* inBrackets("{}", membersOf(value, indent), indent);
  // No text of JSON has a line end in it.
  else yield (JSON.stringify(value, null, 2) ?? "null").replaceAll("\n", `\n${indent}`);
}

type Pieces = Iterable<string>;

function* inBrackets(
  [open, close]: string,
  parts: Iterable<Pieces>,
  indent: string,
): Generator<string, void, undefined> {
  let before = `${open ?? ""}\n${indent}  `;
  let isEmpty = true;
  for (const part of parts) {
    yield before;
    yield* part;
    before = `,\n${indent}  `;
    isEmpty = false;
  }
  yield isEmpty ? `${open ?? ""}${close ?? ""}` : `\n${indent}${close ?? ""}`;
}

function* partsOf(list: Iterable<unknown>, indent: string): Generator<Pieces, void, undefined> {
  for (const part of list) yield jsonPieces(part, `${indent}  `);
}

function* membersOf(value: object, indent: string): Generator<Pieces, void, undefined> {
  for (const [name, member] of Object.entries(value))
    if (member !== undefined) yield named(name, jsonPieces(member, `${indent}  `));
}

function* named(name: string, value: Pieces): Generator<string, void, undefined> {
  yield `${JSON.stringify(name)}: `;
  yield* value;
}

function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}

/** What says itself how it stands as JSON is left to do so. */
function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
