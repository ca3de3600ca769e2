/**
 * Whether an operator and a value go with an attribute's type (RFC 7644 §3.4.2.2 Table 3).
 * @module
 */
import type { CompareOperator, Literal } from "../ast/nodes.ts";
import type { BoundPath, ComparableType, ComparisonKey } from "../bound.ts";
import { comparisonKey, textKey } from "../compare/key.ts";
import { FilterSemanticError } from "./semantic-error.ts";

const EQUALITY: ReadonlySet<CompareOperator> = new Set(["eq", "ne"]);
const TEXT: ReadonlySet<CompareOperator> = new Set(["co", "sw", "ew"]);
const ORDER: ReadonlySet<CompareOperator> = new Set(["gt", "ge", "lt", "le"]);

type SimpleType = Exclude<ComparableType, "complex">;

// R7644-3.4.2.2-T-01 to T-03.
const allowed: Record<SimpleType, readonly ReadonlySet<CompareOperator>[]> = {
  string: [EQUALITY, TEXT, ORDER],
  reference: [EQUALITY, TEXT, ORDER],
  dateTime: [EQUALITY, TEXT, ORDER],
  integer: [EQUALITY, ORDER],
  decimal: [EQUALITY, ORDER],
  boolean: [EQUALITY],
  binary: [EQUALITY],
};

const valueForms: Record<SimpleType, string> = {
  string: "a string in double quotes",
  reference: "a string in double quotes",
  binary: "a string in double quotes (base64)",
  dateTime: 'a dateTime in double quotes, such as "2026-01-31T12:00:00Z"',
  integer: "a number",
  decimal: "a number",
  boolean: "true or false, without quotes",
};

/** A comparison to check, with the path as the client wrote it. */
export interface LiteralContext {
  readonly target: BoundPath;
  readonly operator: CompareOperator;
  readonly path: string;
}

/** The key to compare with; throws where operator or value do not go with the attribute's type. */
export function bindLiteral(value: Exclude<Literal, null>, context: LiteralContext): ComparisonKey {
  const { target, operator, path } = context;
  const type = simpleType(context);
  if (!allowed[type].some((operators) => operators.has(operator))) {
    const remedy = allowed[type].flatMap((operators) => [...operators]).join(", ");
    throw new FilterSemanticError(
      "operatorNotAllowed",
      path,
      `The operator ${operator} does not go with ${path}, which is of type ${type}: use ${remedy} or pr.`,
    );
  }
  const key = keyOf(value, { type, target, operator });
  if (key === undefined) {
    throw new FilterSemanticError(
      "valueType",
      path,
      `The value compared with ${path}, which is of type ${type}, must be ${valueForms[type]}.`,
    );
  }
  return key;
}

interface KeyContext {
  readonly type: SimpleType;
  readonly target: BoundPath;
  readonly operator: CompareOperator;
}

// A dateTime is compared as text by co, sw and ew (R7644-3.4.2.2-T-02).
function keyOf(
  value: Exclude<Literal, null>,
  { type, target, operator }: KeyContext,
): ComparisonKey | undefined {
  if (type === "dateTime" && TEXT.has(operator)) {
    return typeof value === "string" ? textKey(target.caseExact, value) : undefined;
  }
  return comparisonKey(type, target.caseExact, value);
}

function simpleType({ target, path }: LiteralContext): SimpleType {
  if (target.type !== "complex") return target.type;
  throw new FilterSemanticError(
    "subAttributeRequired",
    path,
    `${path} is complex: compare one of its sub-attributes.`,
  );
}
