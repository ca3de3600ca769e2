/**
 * Reads a ResourceType document (RFC 7643 §6) with the members of our own: `operations`, `annotations`, `rowsOf`.
 * @module
 */
import { resolveAttribute, type Attribute, type AttributeDefinition } from "../attribute.ts";
import { COMMON_ATTRIBUTES } from "../definitions/common-attributes.ts";
import { RESOURCE_TYPE_SCHEMA } from "../definitions/resource-type.ts";
import { referencedTypes } from "../reference-attributes.ts";
import { RESOURCE_OPERATIONS, type ResourceTypeDefinition } from "../resource-type.ts";
import type { SchemaDefinition } from "../schema.ts";
import { isSameUrn, RESOURCE_TYPE_URN } from "../urns.ts";
import { readAnnotations } from "./annotation-reader.ts";
import { attributeAt, attributeBehind, type AttributeAtPath } from "./attribute-paths.ts";
import { commonNamesIn } from "./common-names.ts";
import { checkSchemas, commonMembers, IGNORED_MEMBERS } from "./discovery-document.ts";
import { documentShape, isObject, readObject } from "./document-reader.ts";
import { noteForeignExtension } from "./extension-urn.ts";
import { IssueList, quote } from "./issue-list.ts";
import { checkRowsKept, readRowsOf, ROWS_OF } from "./rows-of-reader.ts";
import { SchemaDocumentError, type DocumentIssue } from "./schema-document-error.ts";

/** What a resource type is checked against: the schemas and resource types that are registered. */
export interface KnownDefinitions {
  schema(urn: string): SchemaDefinition | undefined;
  /** The resource types whose name is this one but for letter case. */
  typesNamed(name: string): readonly ResourceTypeDefinition[];
  /** The resource types of an endpoint, whatever its letter case. */
  typesAt(endpoint: string): readonly ResourceTypeDefinition[];
  /** The resource types that show rows of the type of a name. */
  typesShowing(name: string): readonly ResourceTypeDefinition[];
}

/** A type's name stands in URLs and in `meta.resourceType`. */
const TYPE_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
/** Names that `meta.resourceType` gives discovery resources, and words of `referenceTypes` (RFC 7643 §5 to §7). */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  "external",
  "resourcetype",
  "schema",
  "serviceproviderconfig",
  "uri",
]);
/** One path segment of RFC 3986 unreserved characters that begins with a letter. */
const ENDPOINT = /^\/[A-Za-z][A-Za-z0-9._~-]{0,127}$/;
/** Addresses that the protocol itself needs (RFC 7644 §3.2). */
const RESERVED_ENDPOINTS: ReadonlySet<string> = new Set([
  "/bulk",
  "/diagnostics",
  "/me",
  "/resourcetypes",
  "/schemas",
  "/serviceproviderconfig",
]);

const OPERATIONS = resolveAttribute({
  name: "operations",
  type: "string",
  multiValued: true,
  canonicalValues: RESOURCE_OPERATIONS,
});

const RESOURCE_TYPE_SHAPE = documentShape(
  [
    ...commonMembers({ idRequired: false }),
    ...RESOURCE_TYPE_SCHEMA.attributes.map((attribute) => resolveAttribute(attribute)),
    OPERATIONS,
    ROWS_OF,
  ],
  { defaults: new Map([["required", false]]), ignored: new Set([...IGNORED_MEMBERS, "annotations"]) },
);

/** What the shape makes of a document. */
interface ReadResourceType extends Omit<ResourceTypeDefinition, "annotations"> {
  readonly schemas?: readonly string[];
  readonly id?: string;
}

/** A resource type as it was read, and what its document would better say. */
export interface ResourceTypeReading {
  readonly definition: ResourceTypeDefinition;
  readonly notices: readonly DocumentIssue[];
}

/**
 * Reads a ResourceType document: a definition, or what a service gives at `/ResourceTypes`. The result is a new object.
 * @throws SchemaDocumentError `invalidResourceType` with the path of each fault
 */
export function readResourceType(document: unknown, known: KnownDefinitions): ResourceTypeReading {
  const issues = new IssueList();
  const read = readObject(document, RESOURCE_TYPE_SHAPE, { path: "", issues });
  refuseIfAny(issues, document);
  // The shape is the schema of resource types, so what passed it is one; only the compiler cannot see that.
  const { schemas, id, ...type } = read as unknown as ReadResourceType;
  checkSchemas(schemas, RESOURCE_TYPE_URN, issues);
  if (id !== undefined && id !== type.name)
    issues.add("id", "must be the name of the resource type, or left out");
  checkName(type, known, issues);
  checkEndpoint(type, known, issues);
  checkOperations(type, issues);
  checkBindings(type, known, issues);
  const rows = rowsOf(type, known, issues);
  const find = (path: string): AttributeAtPath | undefined => findAttribute(type, known, path);
  checkRowsKept({ types: known.typesShowing(type.name), find }, issues);
  const annotations = readAnnotations(annotationsOf(document), { find, issues });
  refuseIfAny(issues, document);
  noteExtensions(type, known, issues);
  const definition = { ...type, ...rows, ...(annotations === undefined ? {} : { annotations }) };
  return { definition, notices: issues.notices };
}

/** What `rowsOf` comes to, where the document has it. */
function rowsOf(
  type: ReadResourceType,
  known: KnownDefinitions,
  issues: IssueList,
): Pick<ResourceTypeDefinition, "rowsOf" | "operations"> {
  if (type.rowsOf === undefined) return {};
  const row = {
    type,
    rowsOf: type.rowsOf,
    attributes: resolved(known.schema(type.schema)),
    typeOf: (name: string) => known.typesNamed(name).find((other) => other.name === name),
    findIn: (owner: ResourceTypeDefinition, path: string) => findAttribute(owner, known, path),
  };
  return readRowsOf(row, issues);
}

function annotationsOf(document: unknown): unknown {
  const entry = isObject(document)
    ? Object.entries(document).find(([name]) => name.toLowerCase() === "annotations")
    : [];
  return entry?.[1];
}

function checkName(type: ReadResourceType, known: KnownDefinitions, issues: IssueList): void {
  if (!TYPE_NAME.test(type.name)) {
    issues.add(
      "name",
      `must be a letter followed by letters, digits, "-" or "_", 64 at most, not ${quote(type.name)}`,
    );
  }
  if (RESERVED_NAMES.has(type.name.toLowerCase()))
    issues.add("name", `${quote(type.name)} is a name of the protocol itself`);
  const like = known.typesNamed(type.name).find((other) => other.name !== type.name);
  if (like !== undefined)
    issues.add("name", `differs from the resource type ${like.name} in letter case only`);
}

function checkEndpoint(type: ReadResourceType, known: KnownDefinitions, issues: IssueList): void {
  const lower = type.endpoint.toLowerCase();
  if (!ENDPOINT.test(type.endpoint)) {
    issues.add("endpoint", `must be one path segment, such as "/Devices", not ${quote(type.endpoint)}`);
  } else if (RESERVED_ENDPOINTS.has(lower)) {
    issues.add("endpoint", `${quote(type.endpoint)} is an address of the protocol itself`);
  }
  const other = known.typesAt(type.endpoint).find(({ name }) => name !== type.name);
  if (other !== undefined) {
    issues.add("endpoint", `${quote(type.endpoint)} is the endpoint of the resource type ${other.name}`);
  }
}

function checkOperations({ operations = [] }: ReadResourceType, issues: IssueList): void {
  for (const [index, operation] of operations.entries()) {
    if (operations.indexOf(operation) < index)
      issues.add(`operations[${index}]`, `${operation} is there twice`);
  }
}

function checkBindings(type: ReadResourceType, known: KnownDefinitions, issues: IssueList): void {
  const base = known.schema(type.schema);
  if (base === undefined)
    issues.add("schema", `names the schema ${quote(type.schema)}, which is not registered`);
  for (const { name } of base === undefined ? [] : commonNamesIn(base))
    issues.add("schema", `names a schema with ${name}, a common attribute (RFC 7643 §3.1)`);
  const bound = [type.schema];
  for (const [index, { schema }] of (type.schemaExtensions ?? []).entries()) {
    const path = `schemaExtensions[${index}].schema`;
    if (known.schema(schema) === undefined)
      issues.add(path, `names the schema ${quote(schema)}, which is not registered`);
    if (bound.some((urn) => isSameUrn(urn, schema))) issues.add(path, `binds ${quote(schema)} a second time`);
    bound.push(schema);
  }
}

/** Notes extensions with an unusual URN, and those that define again what the resource has (RFC 7643 §3.3). */
function noteExtensions(type: ReadResourceType, known: KnownDefinitions, issues: IssueList): void {
  const base = known.schema(type.schema)?.attributes ?? [];
  const isTaken = ({ name }: AttributeDefinition): boolean =>
    attributeAt(COMMON_ATTRIBUTES, name) !== undefined || attributeAt(base, name) !== undefined;
  for (const [index, { schema: urn }] of (type.schemaExtensions ?? []).entries()) {
    const path = `schemaExtensions[${index}].schema`;
    noteForeignExtension({ urn, type: type.name }, path, issues);
    const again = known.schema(urn)?.attributes.filter(isTaken) ?? [];
    for (const { name } of again) {
      issues.note(path, `defines ${name}, which ${type.name} has: name it otherwise (RFC 7643 §3.3)`);
    }
    for (const { name } of known.schema(urn)?.attributes.filter(isInverse) ?? []) {
      issues.note(
        path,
        `defines ${name}, which stays empty: what refers to a resource is computed in attributes of its base schema alone`,
      );
    }
  }
}

/** What a path of a resource type names; the base schema's URN may stand in front of its attributes. */
function findAttribute(
  type: Pick<ResourceTypeDefinition, "schema" | "schemaExtensions">,
  known: KnownDefinitions,
  path: string,
): AttributeAtPath | undefined {
  for (const { schema: urn } of type.schemaExtensions ?? []) {
    const { id = urn, attributes = [] } = known.schema(urn) ?? {};
    const found = attributeBehind({ urn, attributes, prefix: `${id}:` }, path);
    if (found !== undefined) return found;
  }
  const attributes = known.schema(type.schema)?.attributes ?? [];
  return (
    attributeBehind({ urn: type.schema, attributes, prefix: "" }, path) ??
    attributeAt(attributes, path) ??
    attributeAt(COMMON_ATTRIBUTES, path)
  );
}

/** Whether an attribute would be computed of the collections of other types. */
function isInverse(attribute: AttributeDefinition): boolean {
  if (attribute.multiValued !== true || attribute.mutability !== "readOnly") return false;
  return referencedTypes(resolveAttribute(attribute)).length > 0;
}

function resolved(schema: SchemaDefinition | undefined): readonly Attribute[] {
  return schema?.attributes.map(resolveAttribute) ?? [];
}

function refuseIfAny(issues: IssueList, document: unknown): void {
  if (issues.empty) return;
  const name =
    isObject(document) && typeof document["name"] === "string" ? ` ${quote(document["name"])}` : "";
  throw new SchemaDocumentError(
    "invalidResourceType",
    `The resource type${name} cannot be used.`,
    issues.all,
  );
}
