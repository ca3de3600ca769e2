/**
 * The attributes of a resource type as properties, for filters that the compiler checks.
 * @module
 */
import { COMMON_ATTRIBUTES, type AttributeDefinition, type SchemaDefinition } from "@scim/schemas";
import type { FilterExpression } from "./expression.ts";
import { Field, type BooleanField, type ComplexField, type OrderedField, type TextField } from "./field.ts";

type SimpleFieldOf<A> = A extends { readonly type: "boolean" }
  ? BooleanField
  : A extends { readonly type: "integer" | "decimal" }
    ? OrderedField<number>
    : TextField;

type SubFields<Subs extends readonly AttributeDefinition[]> = {
  readonly [A in Subs[number] as A["name"]]: SimpleFieldOf<A>;
};

type FieldOf<A> = A extends { readonly subAttributes: infer Subs extends readonly AttributeDefinition[] }
  ? ComplexField<SubFields<Subs>> & SubFields<Subs>
  : SimpleFieldOf<A>;

type FieldsIn<List extends readonly AttributeDefinition[]> = {
  readonly [A in List[number] as A["name"]]: FieldOf<A>;
};

/** The attributes of a resource type, those of extensions under their URN. */
export type FieldsOf<
  S extends SchemaDefinition,
  E extends readonly SchemaDefinition[] = readonly [],
> = FieldsIn<typeof COMMON_ATTRIBUTES> &
  FieldsIn<S["attributes"]> & { readonly [X in E[number] as X["id"]]: FieldsIn<X["attributes"]> };

/** Where attributes are. */
interface Place {
  readonly urn: string | null;
  /** The complex attribute that they are sub-attributes of, in a path. */
  readonly parent: string | null;
}

const TOP: Place = { urn: null, parent: null };

/** The fields of a resource type. */
export function fieldsOf(type: {
  readonly schema: SchemaDefinition;
  readonly extensions: readonly SchemaDefinition[];
}): object {
  const own = fieldsIn([...COMMON_ATTRIBUTES, ...type.schema.attributes], TOP);
  for (const { id, attributes } of type.extensions)
    define(own, id, fieldsIn(attributes, { ...TOP, urn: id }));
  return own;
}

function fieldsIn(attributes: readonly AttributeDefinition[], place: Place): object {
  const fields: object = Object.create(null) as object;
  for (const attribute of attributes) define(fields, attribute.name, fieldOf(attribute, place));
  return fields;
}

function fieldOf(attribute: AttributeDefinition, { urn, parent }: Place): object {
  const { name } = attribute;
  const path = {
    kind: "attributePath",
    urn,
    attribute: parent ?? name,
    subAttribute: parent === null ? null : name,
  } as const;
  const whole = new Field(path);
  if (attribute.type !== "complex") return whole;
  const fields = fieldsIn(attribute.subAttributes, { urn, parent: name });
  const inside = fieldsIn(attribute.subAttributes, TOP);
  define(fields, "pr", () => whole.pr());
  define(fields, "where", (build: (sub: object) => FilterExpression) => whole.where(build(inside)));
  return fields;
}

/** Names come from documents: none may be taken for a property of objects. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true });
}
