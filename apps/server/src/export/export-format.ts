/**
 * The form of what an export writes: the one that an import reads the file in.
 * @module
 */
import { CommandFailure, EXIT } from "../failure.ts";
import { formatByName } from "../file-format.ts";
import { wordFlag } from "../value-flags.ts";

/**
 * What `--format` says, or else the name of the file.
 * @throws CommandFailure for another word, and for a name by which an import would look for one document
 */
export function exportFormat(target: string, named: string | undefined): "jsonl" | "csv" {
  if (named !== undefined) return wordFlag("format", named, ["jsonl", "csv"]);
  const format = formatByName(target);
  if (format !== "json") return format;
  throw new CommandFailure(
    EXIT.usage,
    `An import would read ${target} as one document, such as a ListResponse, and an export is JSON lines: name a file that ends in .jsonl, or give --format jsonl.`,
  );
}
