import fc from "fast-check";
import {
  ATTRIBUTE_TYPES,
  MUTABILITIES,
  RETURNED,
  UNIQUENESSES,
  type AttributeDefinition,
  type SchemaDefinition,
} from "@scim/schemas";

type SimpleType = Exclude<AttributeDefinition["type"], "complex">;

const SIMPLE_TYPES = ATTRIBUTE_TYPES.filter((type): type is SimpleType => type !== "complex");
const WITH_UNIQUENESS: ReadonlySet<string> = new Set(["string", "decimal", "integer", "reference"]);

const names = fc.stringMatching(/^[A-Za-z][A-Za-z0-9$_-]{0,8}$/u);

/** Characteristics that go with a data type. */
function characteristics(type: AttributeDefinition["type"]) {
  return fc.record(
    {
      multiValued: fc.boolean(),
      required: fc.boolean(),
      description: fc.string({ minLength: 1, maxLength: 20 }),
      canonicalValues: fc.array(fc.string(), { maxLength: 3 }),
      mutability: fc.constantFrom(...MUTABILITIES.filter((mutability) => mutability !== "writeOnly")),
      returned: fc.constantFrom(...RETURNED),
      caseExact: fc.boolean(),
      ...(WITH_UNIQUENESS.has(type) ? { uniqueness: fc.constantFrom(...UNIQUENESSES) } : {}),
      ...(type === "reference" ? { referenceTypes: fc.array(names, { maxLength: 2 }) } : {}),
    },
    { requiredKeys: [] },
  );
}

const simple = fc
  .constantFrom(...SIMPLE_TYPES)
  .chain((type) => fc.tuple(names, characteristics(type)).map(([name, rest]) => ({ ...rest, name, type })));

function distinct<A extends AttributeDefinition>(attribute: fc.Arbitrary<A>): fc.Arbitrary<readonly A[]> {
  return fc.uniqueArray(attribute, {
    minLength: 1,
    maxLength: 5,
    selector: (value) => value.name.toLowerCase(),
  });
}

const complex = fc
  .tuple(names, characteristics("complex"), distinct(simple))
  .map(([name, rest, subAttributes]) => ({ ...rest, name, type: "complex" as const, subAttributes }));

/** Sound schema definitions with every kind of attribute. */
export function schemaDefinitions(): fc.Arbitrary<SchemaDefinition> {
  return distinct(fc.oneof<[typeof simple, typeof complex]>(simple, complex)).map((attributes) => ({
    id: "urn:example:params:scim:schemas:acme:1.0:Any",
    attributes,
  }));
}
