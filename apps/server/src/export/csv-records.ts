/**
 * Resources as CSV by a mapping.
 * @module
 */
import type { ExportedResource, ModelCatalog } from "@scim/core";
import { fieldsOfResource, planColumns, recordOf, type Column } from "../csv/columns.ts";
import { readMapping } from "../csv/mapping.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import { modelNamed } from "../schemas/named-model.ts";
import { wholeResource } from "./json-lines.ts";

/** How resources become records. */
export interface CsvForm {
  /** Name of the resource type. */
  readonly type: string;
  /** The header, with its line end. */
  readonly header: string;
  record(exported: ExportedResource): Promise<string>;
}

/**
 * The records that a mapping describes, its columns in their order.
 * @throws CommandFailure for a mapping that cannot be used
 */
export function csvForm(path: string, type: string | null, catalog: ModelCatalog): CsvForm {
  const mapping = readMapping(path);
  const name = type ?? mapping.type;
  if (name === null)
    throw new CommandFailure(
      EXIT.usage,
      "CSV holds one resource type: name it by --type, or in the mapping.",
    );
  const model = modelNamed(catalog.models(), name);
  const delimiter = mapping.delimiter ?? ",";
  try {
    const planned = planColumns(model, [...mapping.columns.keys()], mapping);
    const columns = planned.columns.filter((column): column is Column => column !== null);
    const paths = new Set(columns.map(({ target }) => target.top.keys.join("\n")));
    return {
      type: model.name,
      header: recordOf(
        columns.map(({ header }) => header),
        delimiter,
      ),
      record: async ({ resource, collections }) => {
        const wanted = collections.filter(({ keys }) => paths.has(keys.join("\n")));
        const whole = await wholeResource({ resource, collections: wanted });
        return recordOf(fieldsOfResource(columns, whole), delimiter);
      },
    };
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new CommandFailure(EXIT.usage, `The mapping ${path} cannot be used: ${cause.message}`, cause);
  }
}
