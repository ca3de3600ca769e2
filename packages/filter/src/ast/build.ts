/**
 * Builds filters and paths without text.
 * @module
 */
import type {
  AndNode,
  AttributePath,
  CompareOperator,
  ComparisonNode,
  FilterNode,
  Literal,
  NotNode,
  OrNode,
  PatchPath,
  PresenceNode,
  ValuePathNode,
} from "./nodes.ts";

/** An attribute path, or its text: `userName`, `name.givenName`, `urn:…:User:manager.value`. */
export type PathInput = AttributePath | string;

/** Why a builder refused its input; always `invalidInput`. */
export type FilterBuildErrorCode = "invalidInput";

/**
 * A builder was given a path or a number that the grammar does not have, or an `and` or `or` without operands: a
 * fault of the program that calls it.
 */
export class FilterBuildError extends TypeError {
  override readonly name = "FilterBuildError";
  readonly code: FilterBuildErrorCode = "invalidInput";
}

const NAME = String.raw`(?:[A-Za-z][\w$-]*|\$[Rr][Ee][Ff])`;
const URI = String.raw`[A-Za-z][A-Za-z0-9+.-]*:(?!:)[\w.~:/?#@!&'*+,;=%$-]+`;
const PATH = new RegExp(String.raw`^(?:(${URI}):)?(${NAME})(?:\.(${NAME}))?$`);
// The URN of an extension that ends in its version, alone.
const VERSIONED = new RegExp(String.raw`^(${URI}):(\d+(?:\.\d+)*)$`);

/**
 * Reads the text of an attribute path without the parser; the last colon ends the URN.
 * @throws {@link FilterBuildError} where the text is no attribute path.
 */
export function attributePath(path: PathInput): AttributePath {
  if (typeof path !== "string") return path;
  const match = PATH.exec(path) ?? VERSIONED.exec(path);
  const attribute = match?.[2];
  if (match === null || attribute === undefined) {
    throw new FilterBuildError("This is no attribute path: write it as name, name.sub or URN:name.sub.");
  }
  return { kind: "attributePath", urn: match[1] ?? null, attribute, subAttribute: match[3] ?? null };
}

/**
 * `path operator value`
 * @throws {@link FilterBuildError} where `path` is no attribute path, or the value a number that is not finite, or nothing that a
 *   filter holds, such as undefined.
 */
export function compare(path: PathInput, operator: CompareOperator, value: Literal): ComparisonNode {
  // JSON would write null, which asks for what has no value.
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new FilterBuildError(
      "A filter compares with finite numbers alone: check what the number was made of.",
    );
  }
  if (!isLiteral(value)) {
    throw new FilterBuildError(
      "A filter compares with a text, a number, true, false or null: a date is a text, and undefined is no value.",
    );
  }
  return { kind: "comparison", path: attributePath(path), operator, value };
}

/** Programs without types compare with what they do not have: some services read the word `undefined` as a text. */
function isLiteral(value: unknown): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

/** `path eq value`: equal; with null, unassigned. */
export function eq(path: PathInput, value: Literal): ComparisonNode {
  return compare(path, "eq", value);
}

/** `path ne value`: not equal; with null, assigned. */
export function ne(path: PathInput, value: Literal): ComparisonNode {
  return compare(path, "ne", value);
}

/** `path co value`: contains. */
export function co(path: PathInput, value: string): ComparisonNode {
  return compare(path, "co", value);
}

/** `path sw value`: starts with. */
export function sw(path: PathInput, value: string): ComparisonNode {
  return compare(path, "sw", value);
}

/** `path ew value`: ends with. */
export function ew(path: PathInput, value: string): ComparisonNode {
  return compare(path, "ew", value);
}

/** `path gt value`: greater than, later than, behind in code point order. */
export function gt(path: PathInput, value: string | number): ComparisonNode {
  return compare(path, "gt", value);
}

/** `path ge value`: greater than or equal. */
export function ge(path: PathInput, value: string | number): ComparisonNode {
  return compare(path, "ge", value);
}

/** `path lt value`: less than, earlier than, before in code point order. */
export function lt(path: PathInput, value: string | number): ComparisonNode {
  return compare(path, "lt", value);
}

/** `path le value`: less than or equal. */
export function le(path: PathInput, value: string | number): ComparisonNode {
  return compare(path, "le", value);
}

/** `path pr`: has a value. */
export function present(path: PathInput): PresenceNode {
  return { kind: "presence", path: attributePath(path) };
}

/**
 * All operands match. One operand stands for itself.
 * @throws {@link FilterBuildError} where there is none.
 */
export function and(...operands: readonly FilterNode[]): FilterNode {
  return join("and", operands);
}

/**
 * One of the operands matches. One operand stands for itself.
 * @throws {@link FilterBuildError} where there is none.
 */
export function or(...operands: readonly FilterNode[]): FilterNode {
  return join("or", operands);
}

/** `not (operand)` */
export function not(operand: FilterNode): NotNode {
  return { kind: "not", operand };
}

/** `path[filter]`: one value of the attribute meets the whole filter. */
export function valuePath(path: PathInput, filter: FilterNode): ValuePathNode {
  return { kind: "valuePath", path: attributePath(path), filter };
}

/** What the path of a PATCH operation may hold beside the attribute. */
export interface PatchPathParts {
  /** Chooses among the values of the attribute. Default none. */
  readonly filter?: FilterNode;
  /** A sub-attribute of the chosen values. Default none. */
  readonly subAttribute?: string;
}

/**
 * The path of a PATCH operation. Without a filter, the sub-attribute becomes part of the attribute path.
 * @example
 * ```ts
 * patchPath("emails", { filter: eq("type", "work"), subAttribute: "value" });
 * ```
 */
export function patchPath(path: PathInput, { filter, subAttribute }: PatchPathParts = {}): PatchPath {
  const attribute = attributePath(path);
  if (filter !== undefined) {
    return { kind: "patchPath", path: attribute, filter, subAttribute: subAttribute ?? null };
  }
  const whole = subAttribute === undefined ? attribute : { ...attribute, subAttribute };
  return { kind: "patchPath", path: whole, filter: null, subAttribute: null };
}

function join(kind: "and" | "or", operands: readonly FilterNode[]): AndNode | OrNode | FilterNode {
  const [first, second] = operands;
  if (first === undefined) {
    throw new FilterBuildError(`"${kind}" needs operands: leave the filter out where there are none.`);
  }
  return second === undefined ? first : { kind, operands };
}
