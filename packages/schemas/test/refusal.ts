import { SchemaDocumentError } from "@scim/schemas";

/** The error with which a document is refused; fails where it is not. */
export function refusalOf(run: () => unknown): SchemaDocumentError {
  try {
    run();
  } catch (error) {
    if (error instanceof SchemaDocumentError) return error;
    throw error;
  }
  throw new TypeError("The document was not refused.");
}
