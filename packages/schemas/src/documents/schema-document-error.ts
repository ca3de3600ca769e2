/**
 * The error of a schema or resource type document that cannot be used.
 * @module
 */

/** What is wrong at one place of a document. */
export interface DocumentIssue {
  /** The document, such as a file name, where several were read at once. */
  readonly source?: string;
  /** Where, such as `attributes[3].subAttributes[0].type`; empty for the document as a whole. */
  readonly path: string;
  /** What is wrong there, and what would be right. */
  readonly message: string;
}

/**
 * Why a document was refused: `invalidSchema` and `invalidResourceType` for what it says, `schemaConflict` and
 * `resourceTypeConflict` where it changes what is registered in a way that breaks clients or stored values,
 * `invalidDocument` where it is neither a Schema nor a ResourceType, or where two documents define the same thing.
 */
export type SchemaDocumentErrorCode =
  | "invalidSchema"
  | "invalidResourceType"
  | "schemaConflict"
  | "resourceTypeConflict"
  | "invalidDocument";

/** Issues that a message shows; `issues` holds all of them. */
const ISSUES_IN_MESSAGE = 10;

/**
 * A schema or resource type document was refused. `message` is readable as it stands, one line for each issue;
 * match on `code`.
 *
 * @example
 * registry.addSchema({ id: "urn:example:Device", attributes: [{ name: "1st", type: "string" }] });
 * // SchemaDocumentError: The schema urn:example:Device cannot be used.
 * //   attributes[0].name: must be a letter followed by letters, digits, "$", "-" or "_"
 */
export class SchemaDocumentError extends Error {
  override readonly name = "SchemaDocumentError";
  readonly code: SchemaDocumentErrorCode;
  readonly issues: readonly DocumentIssue[];

  constructor(code: SchemaDocumentErrorCode, summary: string, issues: readonly DocumentIssue[]) {
    super([summary, ...linesOf(issues)].join("\n"));
    this.code = code;
    this.issues = issues;
  }
}

function linesOf(issues: readonly DocumentIssue[]): readonly string[] {
  const lines = issues.slice(0, ISSUES_IN_MESSAGE).map(lineOf);
  const more = issues.length - lines.length;
  return more > 0 ? [...lines, `  and ${more} more`] : lines;
}

function lineOf({ source, path, message }: DocumentIssue): string {
  const place = path === "" ? "document" : path;
  return `  ${source === undefined ? "" : `${source}: `}${place}: ${message}`;
}
