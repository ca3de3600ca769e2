/**
 * What the name of a file says of the form that its records have.
 * @module
 */

/** Forms of a file: a resource a line, CSV with a header, or a ListResponse (or an array) of resources. */
export type FileFormat = "jsonl" | "csv" | "json";

/** The form by the ending of a name; JSON lines where it says nothing of it, and for standard input and output. */
export function formatByName(path: string | null): FileFormat {
  const [, ending = ""] = /\.([a-z]+)$/i.exec(path ?? "") ?? [];
  switch (ending.toLowerCase()) {
    case "csv":
    case "tsv":
      return "csv";
    case "json":
      return "json";
    default:
      return "jsonl";
  }
}
