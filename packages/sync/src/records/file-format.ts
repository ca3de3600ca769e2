/**
 * What the name of a file says of the form that its records have.
 * @module
 */

/** Forms of a file: CSV with a header, a record a line, a list of JSON such as a ListResponse, LDIF. */
export type FileFormat = "csv" | "jsonl" | "json" | "ldif";

/**
 * The form by the ending of a name; JSON lines where it says nothing of it.
 *
 * @example
 * formatByName("people.tsv"); // "csv"
 */
export function formatByName(path: string): FileFormat {
  const [, ending = ""] = /\.([a-z]+)$/i.exec(path) ?? [];
  switch (ending.toLowerCase()) {
    case "csv":
    case "tsv":
      return "csv";
    case "json":
      return "json";
    case "ldif":
    case "ldf":
      return "ldif";
    default:
      return "jsonl";
  }
}
