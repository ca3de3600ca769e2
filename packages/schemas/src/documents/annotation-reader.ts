/**
 * Reads the annotations of a ResourceType document: each must name an attribute that it fits.
 * @module
 */
import type { Attribute } from "../attribute.ts";
import type { AttributeType } from "../characteristics.ts";
import { SENSITIVITIES, type AttributeAnnotation } from "../resource-type.ts";
import type { AttributeAtPath, FindAttribute } from "./attribute-paths.ts";
import { defaultFault } from "./default-rules.ts";
import { isObject, type ReadPlace } from "./document-reader.ts";
import { quote, type IssueList } from "./issue-list.ts";

/** Greatest number of annotated paths in one document. */
const MAX_ANNOTATIONS = 2000;

/** What one annotation asks of its attribute and of its value. */
interface AnnotationRule {
  /** Data types that it says something about. */
  readonly types: readonly AttributeType[];
  /** What its value must be, in words. */
  readonly expected: string;
  readonly accepts: (value: unknown, attribute: Attribute) => boolean;
}

const TEXT: readonly AttributeType[] = ["string", "reference", "binary"];
const NUMBER: readonly AttributeType[] = ["decimal", "integer"];
const SIMPLE: readonly AttributeType[] = [...TEXT, ...NUMBER, "boolean", "dateTime"];

const LENGTH = {
  types: TEXT,
  expected: "a whole number of at least 0",
  accepts: (value: unknown) => isCount(value),
} satisfies AnnotationRule;

const BOUND = {
  types: NUMBER,
  expected: "a number",
  accepts: (value: unknown) => Number.isFinite(value),
} satisfies AnnotationRule;

const RULES: Readonly<Record<keyof AttributeAnnotation, AnnotationRule>> = {
  minLength: LENGTH,
  maxLength: LENGTH,
  minimum: BOUND,
  maximum: BOUND,
  precision: {
    types: ["decimal"],
    expected: "a whole number of at least 1",
    accepts: (value) => isCount(value) && value !== 0,
  },
  scale: { ...LENGTH, types: ["decimal"] },
  default: { types: SIMPLE, expected: "one value of the attribute's type", accepts: isDefault },
  indexed: { types: SIMPLE, expected: "true or false", accepts: (value) => typeof value === "boolean" },
  sensitivity: {
    types: [...SIMPLE, "complex"],
    expected: `one of ${SENSITIVITIES.join(", ")}`,
    accepts: (value) => SENSITIVITIES.some((sensitivity) => sensitivity === value),
  },
};

/** Pairs whose first must not be greater than their second. */
const ORDERED = [
  ["minLength", "maxLength"],
  ["minimum", "maximum"],
  ["scale", "precision"],
] as const satisfies readonly (readonly [keyof AttributeAnnotation, keyof AttributeAnnotation])[];

/**
 * Reads annotations by attribute path, in the schema's spelling of the paths. The record has no prototype.
 * Undefined where there are none.
 */
export function readAnnotations(
  value: unknown,
  by: { readonly find: FindAttribute; readonly issues: IssueList },
): Readonly<Record<string, AttributeAnnotation>> | undefined {
  if (value === undefined || value === null) return undefined;
  const at = { path: "annotations", issues: by.issues };
  if (!isObject(value)) {
    by.issues.add(at.path, "must be a JSON object of annotations by attribute path");
    return undefined;
  }
  const entries = Object.entries(value);
  if (entries.length > MAX_ANNOTATIONS)
    by.issues.add(at.path, `must name at most ${MAX_ANNOTATIONS} attributes`);
  // Object.create is typed any; a record without prototype makes an attribute named "constructor" harmless.
  const annotations = Object.create(null) as Record<string, AttributeAnnotation>;
  for (const [path, annotation] of entries.slice(0, MAX_ANNOTATIONS)) {
    const place = { ...at, path: `annotations[${quote(path)}]` };
    const target = by.find(path);
    if (target === undefined) by.issues.add(place.path, "names no attribute of the resource type");
    else if (Object.hasOwn(annotations, target.path))
      by.issues.add(place.path, `names ${target.path} a second time`);
    else annotations[target.path] = readAnnotation(annotation, target, place);
  }
  return annotations;
}

function readAnnotation(value: unknown, target: AttributeAtPath, at: ReadPlace): AttributeAnnotation {
  if (!isObject(value)) {
    at.issues.add(at.path, "must be a JSON object");
    return {};
  }
  const members = Object.entries(value).filter(([, member]) => member !== null);
  const fitting = members.filter(([name, member]) => fits(name, member, { attribute: target.attribute, at }));
  // Each member has just been checked against the rule of its name.
  const annotation = Object.fromEntries(fitting) as AttributeAnnotation;
  for (const [low, high] of ORDERED) {
    const [least, greatest] = [annotation[low], annotation[high]];
    if (least !== undefined && greatest !== undefined && least > greatest) {
      at.issues.add(`${at.path}.${low}`, `must not be greater than ${high}`);
    }
  }
  const fault = defaultFault(annotation, target);
  if (fault !== null) at.issues.add(`${at.path}.default`, fault);
  return annotation;
}

function fits(
  name: string,
  value: unknown,
  { attribute, at }: { readonly attribute: Attribute; readonly at: ReadPlace },
): boolean {
  const path = `${at.path}.${name}`;
  if (!isAnnotationName(name)) {
    at.issues.add(at.path, `has a member ${quote(name)}; known are ${Object.keys(RULES).join(", ")}`);
    return false;
  }
  const rule = RULES[name];
  if (!rule.types.includes(attribute.type)) {
    at.issues.add(path, `says nothing about an attribute of type ${attribute.type}`);
    return false;
  }
  if (!rule.accepts(value, attribute)) {
    at.issues.add(path, `must be ${rule.expected}`);
    return false;
  }
  return true;
}

function isAnnotationName(name: string): name is keyof AttributeAnnotation {
  return Object.hasOwn(RULES, name);
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isDefault(value: unknown, attribute: Attribute): boolean {
  if (attribute.multiValued) return false;
  if (attribute.type === "boolean") return typeof value === "boolean";
  if (attribute.type === "integer") return Number.isSafeInteger(value);
  if (attribute.type === "decimal") return Number.isFinite(value);
  return typeof value === "string";
}
