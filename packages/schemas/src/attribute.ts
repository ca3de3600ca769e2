/**
 * Attribute definitions as a schema document states them, and the same with every default filled in.
 * @module
 */
import type { AttributeType, Mutability, Returned, Uniqueness } from "./characteristics.ts";
import { referencedTypes } from "./reference-attributes.ts";

/** Characteristics that every attribute and sub-attribute may state; what is left out has the default of RFC 7643 §2.2. */
interface Characteristics {
  /** Name in camelCase; a letter, then letters, digits, `$`, `-`, `_`; or `$ref` (RFC 7643 §2.1). */
  readonly name: string;
  /** Whether the attribute holds a list of values. Default false. */
  readonly multiValued?: boolean;
  /** What the attribute means, for people. */
  readonly description?: string;
  /** Whether a client must give a value. Default false. */
  readonly required?: boolean;
  /** Suggested values, such as `work` and `home`. */
  readonly canonicalValues?: readonly string[];
  /** Whether letter case tells values apart. Default false. */
  readonly caseExact?: boolean;
  /** Default `readWrite`. */
  readonly mutability?: Mutability;
  /** Default `default`. */
  readonly returned?: Returned;
  /** Default `none`. */
  readonly uniqueness?: Uniqueness;
  /** For references: names of resource types, `external` or `uri`. */
  readonly referenceTypes?: readonly string[];
}

/** A sub-attribute of a complex attribute: never complex itself (RFC 7643 §2.3.8). */
export interface SubAttributeDefinition extends Characteristics {
  readonly type: Exclude<AttributeType, "complex">;
}

/** An attribute that holds plain values. */
export interface SimpleAttributeDefinition extends Characteristics {
  readonly type: Exclude<AttributeType, "complex">;
}

/** An attribute whose values are objects made of sub-attributes. */
export interface ComplexAttributeDefinition extends Characteristics {
  readonly type: "complex";
  readonly subAttributes: readonly (SubAttributeDefinition | ComplexAttributeDefinition)[];
}

/** An attribute as a schema document states it (RFC 7643 §7). */
export type AttributeDefinition = SimpleAttributeDefinition | ComplexAttributeDefinition;

/** An attribute with every characteristic present, as the rules of the service read it. */
export interface Attribute {
  readonly name: string;
  readonly type: AttributeType;
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly canonicalValues: readonly string[];
  readonly caseExact: boolean;
  readonly mutability: Mutability;
  readonly returned: Returned;
  readonly uniqueness: Uniqueness;
  readonly referenceTypes: readonly string[];
  readonly subAttributes: readonly Attribute[];
}

/**
 * Fills in the defaults of RFC 7643 §2.2. References and binary values are always case exact
 * (RFC 7643 §2.3.6, §2.3.7), as is the id of what a value refers to (RFC 7643 §3.1), and writeOnly values are never
 * returned (RFC 7643 §7).
 *
 * @example
 * resolveAttribute({ name: "nickName", type: "string" }).mutability; // "readWrite"
 */
export function resolveAttribute(definition: AttributeDefinition): Attribute {
  const attribute = withDefaults(definition);
  return referencedTypes(attribute).length === 0 ? attribute : withExactId(attribute);
}

/** Schemas that copy RFC 7643 §8.7.1 say of ids that letter case does not matter in them, which they hold of no resource. */
function withExactId(attribute: Attribute): Attribute {
  const subAttributes = attribute.subAttributes.map((sub) =>
    sub.name === "value" && sub.type === "string" ? { ...sub, caseExact: true } : sub,
  );
  return { ...attribute, subAttributes };
}

function withDefaults(definition: AttributeDefinition): Attribute {
  return {
    name: definition.name,
    type: definition.type,
    multiValued: definition.multiValued ?? false,
    description: definition.description ?? "",
    required: definition.required ?? false,
    canonicalValues: definition.canonicalValues ?? [],
    caseExact:
      definition.type === "reference" || definition.type === "binary" || (definition.caseExact ?? false),
    mutability: definition.mutability ?? "readWrite",
    returned: definition.mutability === "writeOnly" ? "never" : (definition.returned ?? "default"),
    uniqueness: definition.uniqueness ?? "none",
    referenceTypes: definition.referenceTypes ?? [],
    subAttributes: definition.type === "complex" ? definition.subAttributes.map(resolveAttribute) : [],
  };
}
