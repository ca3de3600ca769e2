/**
 * Reads a Schema document (RFC 7643 §7): first by the schema of schemas, then by the rules that
 * characteristics cannot state.
 * @module
 */
import { resolveAttribute, type Attribute } from "../attribute.ts";
import { SCHEMA_SCHEMA } from "../definitions/schema.ts";
import type { SchemaDefinition } from "../schema.ts";
import { isSameUrn, SCHEMA_URN } from "../urns.ts";
import { compareSchemas } from "../comparison/compare-schemas.ts";
import { checkAttributes } from "./attribute-rules.ts";
import { checkSchemas, commonMembers, IGNORED_MEMBERS } from "./discovery-document.ts";
import { documentShape, isObject, readObject, type ShapeOptions } from "./document-reader.ts";
import { IssueList, quote } from "./issue-list.ts";
import { noteExtensionForm } from "./extension-urn.ts";
import { noteMissing, noteUnkept } from "./schema-notes.ts";
import { SchemaDocumentError, type DocumentIssue } from "./schema-document-error.ts";
import { PUBLISHED_FORMS } from "./tolerated-forms.ts";
import { spellUsual } from "./usual-names.ts";

/** What the schema of schemas requires and a document may leave out: RFC 7643 §2.2; an extension may define nothing. */
const DEFAULTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["type", "string"],
  ["multiValued", false],
  ["attributes", []],
]);
/** An absolute URI (RFC 3986 §4.3), as far as one can stand in front of `:attribute` in a path: see {@link noteUnnamed} for the rest. */
const ABSOLUTE_URI = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?@!$&'()*+,;=%-]*[A-Za-z0-9._~-]$/;
const MAX_URI_LENGTH = 512;
/** URNs of messages (RFC 7644 §8.2), which are never schemas of resources. */
const MESSAGE_URN = /^urn:ietf:params:scim:api:/i;
/** Greatest number of attributes of a schema, and of sub-attributes of one of them. */
const MAX_VALUES: ReadonlyMap<string, number> = new Map([
  ["attributes", 1000],
  ["subAttributes", 100],
]);

const META_ATTRIBUTES = SCHEMA_SCHEMA.attributes.map((attribute) => resolveAttribute(attribute));

const SHAPE_OPTIONS: ShapeOptions = {
  defaults: DEFAULTS,
  ignored: IGNORED_MEMBERS,
  maxValues: MAX_VALUES,
  tolerated: PUBLISHED_FORMS,
};

const SCHEMA_SHAPE = documentShape(
  [...commonMembers({ idRequired: true }), ...META_ATTRIBUTES],
  SHAPE_OPTIONS,
);

/** The schema of schemas holds a complex sub-attribute, which no other may (RFC 7643 §2.3.8). */
const SCHEMA_OF_SCHEMAS_SHAPE = documentShape(
  [...commonMembers({ idRequired: true }), ...META_ATTRIBUTES.map(withNesting)],
  SHAPE_OPTIONS,
);

function withNesting(attribute: Attribute): Attribute {
  const nested = attribute.subAttributes;
  const subAttributes = nested.map((sub) =>
    sub.type === "complex" ? { ...sub, subAttributes: nested } : sub,
  );
  return { ...attribute, subAttributes };
}

/** What the shapes make of a document. */
interface ReadSchema extends SchemaDefinition {
  readonly schemas?: readonly string[];
}

/** A schema as it was read, and what its document would better say. */
export interface SchemaReading {
  readonly definition: SchemaDefinition;
  readonly notices: readonly DocumentIssue[];
}

/**
 * Reads a Schema document: a definition, or what a service gives at `/Schemas`. The result is a new object.
 * @throws SchemaDocumentError `invalidSchema` with the path of each fault
 */
export function readSchema(document: unknown): SchemaReading {
  const issues = new IssueList();
  const isMeta = isSchemaOfSchemas(document);
  const read = readObject(document, isMeta ? SCHEMA_OF_SCHEMAS_SHAPE : SCHEMA_SHAPE, { path: "", issues });
  refuseIfAny(issues, document);
  // The shape is the schema of schemas, so what passes it and the rules below is a schema; only the compiler cannot see.
  const { schemas, ...given } = read as unknown as ReadSchema;
  checkSchemas(schemas, SCHEMA_URN, issues);
  checkUri(given.id, issues);
  checkAttributes(given.attributes, issues);
  refuseIfAny(issues, document);
  const definition: SchemaDefinition = { ...given, attributes: spellUsual(given.attributes, issues) };
  if (isMeta) refuseOtherSchemaOfSchemas(definition);
  noteExtensionForm(definition.id, "id", issues);
  noteUnnamed(definition.id, issues);
  noteMissing(definition, issues);
  noteUnkept(definition, issues);
  return { definition, notices: issues.notices };
}

/** What a filter and a path take for the end of a name, or for no URI. */
const UNNAMED = /[()]|^[^:]*::/;

/** Notes an id that stands in front of no attribute. */
function noteUnnamed(id: string, issues: IssueList): void {
  if (UNNAMED.test(id))
    issues.note(
      "id",
      "holds parentheses, or two colons at its beginning: no filter and no path can name its attributes",
    );
}

function isSchemaOfSchemas(document: unknown): boolean {
  return isObject(document) && typeof document["id"] === "string" && isSameUrn(document["id"], SCHEMA_URN);
}

function checkUri(id: string, issues: IssueList): void {
  if (id.length > MAX_URI_LENGTH || !ABSOLUTE_URI.test(id)) {
    issues.add(
      "id",
      "must be an absolute URI, such as urn:example:params:scim:schemas:extension:acme:1.0:User",
    );
  } else if (MESSAGE_URN.test(id)) {
    issues.add("id", `${quote(id)} stands for a message (RFC 7644 §8.2), not for a schema of resources`);
  }
}

function refuseOtherSchemaOfSchemas(definition: SchemaDefinition): void {
  const issues = compareSchemas(SCHEMA_SCHEMA, definition)
    .filter(({ kind }) => kind !== "name" && kind !== "description")
    .map(({ path, message }) => ({ path, message }));
  if (issues.length === 0) return;
  throw new SchemaDocumentError("schemaConflict", "The schema of schemas is given by RFC 7643 §7.", issues);
}

function refuseIfAny(issues: IssueList, document: unknown): void {
  if (issues.empty) return;
  const id = isObject(document) && typeof document["id"] === "string" ? ` ${quote(document["id"])}` : "";
  throw new SchemaDocumentError("invalidSchema", `The schema${id} cannot be used.`, issues.all);
}
