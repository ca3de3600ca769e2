/**
 * Checks what a ResourceType document says with `rowsOf`: that its resources are the rows of a reference collection.
 * @module
 */
import { resolveAttribute, type Attribute } from "../attribute.ts";
import { isReferenceCollection, referencedTypes } from "../reference-attributes.ts";
import type { ResourceOperation, ResourceTypeDefinition, RowsOfCollection } from "../resource-type.ts";
import type { AttributeAtPath, FindAttribute } from "./attribute-paths.ts";
import { quote, type IssueList } from "./issue-list.ts";

/** What can be done to a row: it is there or not, and never changes. */
const ROW_OPERATIONS: readonly ResourceOperation[] = ["create", "read", "delete", "query"];

/** Sub-attributes that say who the owner is. */
const ID_AND_ADDRESS = ["value", "$ref"];

/** The member `rowsOf` as documents hold it. */
export const ROWS_OF = resolveAttribute({
  name: "rowsOf",
  type: "complex",
  subAttributes: ["type", "path", "owner", "value"].map((name) => ({ name, type: "string", required: true })),
});

/** A resource type whose document has been read, and what is known around it. */
export interface RowType {
  readonly type: Pick<ResourceTypeDefinition, "name" | "schemaExtensions" | "operations">;
  readonly rowsOf: RowsOfCollection;
  /** Attributes of its base schema. */
  readonly attributes: readonly Attribute[];
  /** The resource type of a name. */
  readonly typeOf: (name: string) => ResourceTypeDefinition | undefined;
  /** The attribute of a resource type that a path names. */
  readonly findIn: (type: ResourceTypeDefinition, path: string) => AttributeAtPath | undefined;
}

/**
 * Checks `rowsOf`, and gives back what the resource type is to hold: the names in the schemas' own spelling, and
 * the operations that rows have where the document names none.
 */
export function readRowsOf(
  row: RowType,
  issues: IssueList,
): Required<Pick<ResourceTypeDefinition, "rowsOf" | "operations">> {
  const { rowsOf } = row;
  const { operations = ROW_OPERATIONS } = row.type;
  checkType(row.type, operations, issues);
  const collection = findCollection(row, issues);
  const types = collection === undefined ? [] : referencedTypes(collection.attribute);
  const owner = findReference(row, { role: "owner", types: [rowsOf.type] }, issues);
  const value = findReference(row, { role: "value", types }, issues);
  checkEnds(row, { owner, value, collection }, issues);
  return {
    operations,
    rowsOf: {
      type: rowsOf.type,
      path: collection?.path ?? rowsOf.path,
      owner: owner?.name ?? rowsOf.owner,
      value: value?.name ?? rowsOf.value,
    },
  };
}

/** What `rowsOf` names, as far as it was found. */
interface FoundEnds {
  readonly owner: Attribute | undefined;
  readonly value: Attribute | undefined;
  readonly collection: AttributeAtPath | undefined;
}

/** Checks that everything that clients may write is kept, by the collection. */
function checkEnds(
  { attributes }: RowType,
  { owner, value, collection }: FoundEnds,
  issues: IssueList,
): void {
  if (owner !== undefined && owner === value) issues.add("rowsOf.value", "names the attribute of the owner");
  if (owner !== undefined) checkKept(owner, "owner", { kept: new Set(ID_AND_ADDRESS), issues });
  if (collection !== undefined && value !== undefined) {
    const kept = new Set(collection.attribute.subAttributes.map(({ name }) => name));
    checkKept(value, "value", { kept, issues });
  }
  for (const attribute of attributes) {
    if (attribute !== owner && attribute !== value)
      issues.add("schema", `has the attribute ${quote(attribute.name)}, which rows have nowhere to keep`);
  }
}

/** Checks what of a resource type rows cannot have. */
function checkType(
  { schemaExtensions = [] }: RowType["type"],
  operations: readonly ResourceOperation[],
  issues: IssueList,
): void {
  for (const [index, operation] of operations.entries()) {
    if (ROW_OPERATIONS.includes(operation)) continue;
    const known = ROW_OPERATIONS.join(", ");
    issues.add(`operations[${index}]`, `rows of a collection know ${known}, not ${operation}`);
  }
  if (schemaExtensions.length > 0) {
    const reason = "rows of a collection have nowhere to keep more attributes";
    issues.add("schemaExtensions", `must be empty: ${reason}`);
  }
}

function findCollection(
  { type, rowsOf, typeOf, findIn }: RowType,
  issues: IssueList,
): AttributeAtPath | undefined {
  const owner = rowsOf.type === type.name ? undefined : typeOf(rowsOf.type);
  if (owner === undefined) {
    issues.add("rowsOf.type", `names the resource type ${quote(rowsOf.type)}, which is not registered`);
    return undefined;
  }
  const found = findIn(owner, rowsOf.path);
  if (found !== undefined && isReferenceCollection(found.attribute)) return found;
  issues.add(
    "rowsOf.path",
    `must name a multi-valued attribute of ${owner.name} that refers to resources, not ${quote(rowsOf.path)}`,
  );
  return undefined;
}

/** The attribute that names one end of a row: complex, with the id as `value`. */
function findReference(
  { rowsOf, attributes }: RowType,
  { role, types }: { readonly role: "owner" | "value"; readonly types: readonly string[] },
  issues: IssueList,
): Attribute | undefined {
  const path = `rowsOf.${role}`;
  const name = rowsOf[role].toLowerCase();
  const attribute = attributes.find((candidate) => candidate.name.toLowerCase() === name);
  if (attribute === undefined) {
    issues.add(path, `names no attribute of the schema: ${quote(rowsOf[role])}`);
    return undefined;
  }
  const referenced = referencedTypes(attribute);
  const missing = types.filter((type) => !referenced.includes(type));
  if (attribute.multiValued || referenced.length === 0 || missing.length > 0) {
    issues.add(
      path,
      `must name an attribute with one value that refers to ${types.join(" and ") || "resources"}`,
    );
  }
  const id = attribute.subAttributes.find((sub) => sub.name === "value");
  if (id !== undefined && !(id.type === "string" && id.required && attribute.required)) {
    issues.add(path, "must name a required attribute whose sub-attribute value is a required string");
  }
  return attribute;
}

/** What clients may write must be kept with the row. */
function checkKept(
  { subAttributes }: Attribute,
  role: "owner" | "value",
  { kept, issues }: { readonly kept: ReadonlySet<string>; readonly issues: IssueList },
): void {
  for (const { name, mutability } of subAttributes) {
    if (mutability !== "readOnly" && !kept.has(name))
      issues.add(`rowsOf.${role}`, `names an attribute with ${quote(name)}, which rows have nowhere to keep`);
  }
}

/**
 * Checks that a resource type still has the collections whose rows other types show.
 * @param types those that show its rows
 * @param find finds attributes of the resource type
 */
export function checkRowsKept(
  {
    types,
    find,
  }: {
    readonly types: readonly ResourceTypeDefinition[];
    readonly find: FindAttribute;
  },
  issues: IssueList,
): void {
  for (const { name, rowsOf } of types) {
    if (rowsOf === undefined) continue;
    const found = find(rowsOf.path);
    if (found === undefined || !isReferenceCollection(found.attribute))
      issues.add(
        "schema",
        `has no collection ${quote(rowsOf.path)}, whose rows the resource type ${name} shows`,
      );
  }
}
