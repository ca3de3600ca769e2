/**
 * The form of what an export writes: the one that an import reads the file in.
 * @module
 */
import { formatByName } from "@scim/sync/records";
import { CommandFailure, EXIT } from "../failure.ts";
import { wordFlag } from "../value-flags.ts";

/**
 * What `--format` says, or else the name of the file.
 * @throws CommandFailure for another word, and for a name by which it would be read otherwise
 */
export function exportFormat(target: string, named: string | undefined): "jsonl" | "csv" {
  if (named !== undefined) return wordFlag("format", named, ["jsonl", "csv"]);
  const format = formatByName(target);
  if (format === "jsonl" || format === "csv") return format;
  throw new CommandFailure(
    EXIT.usage,
    `By its name ${target} would be read as ${format === "ldif" ? "LDIF" : "one document of JSON, such as a ListResponse"}, and an export is JSON lines: name a file that ends in .jsonl, or give --format jsonl.`,
  );
}
