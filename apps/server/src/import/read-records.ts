/**
 * Makes items of records: resources with their type, or why there is none. What waits to be written is kept as the
 * bytes that it came in, since what is made of them is many times greater.
 * @module
 */
import type { ImportItem, ModelCatalog, RefusedItem, ResourceModel } from "@scim/core";
import {
  isJsonArray,
  isJsonObject,
  isScimError,
  ScimError,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import { columnNames, fieldsOf, requireUtf8, type RawRecord } from "@scim/sync/records";
import { planColumns, resourceOfFields, type ColumnPlan } from "../csv/columns.ts";
import type { CsvMapping } from "../csv/mapping.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import { modelNamed } from "../schemas/named-model.ts";
import type { ImportOptions } from "./import-options.ts";
import { readRecordJson } from "./record-json.ts";
import { memberOf, spelledIn } from "./record-member.ts";
import type { CutPiece, Source } from "./source/open-source.ts";

/** A record, and where it stands in the source. */
export interface SourceRecord {
  /** From 1. */
  readonly record: number;
  readonly line: number;
  readonly bytes: number;
  /** Makes its item, each time anew. */
  item(): ImportItem | RefusedItem;
}

/** A record that was cut out. Thousands of them wait, so that each is small. */
class CutRecord implements SourceRecord {
  readonly record: number;
  readonly #raw: RawRecord;
  readonly #reader: RecordReader;

  constructor(record: number, raw: RawRecord, reader: RecordReader) {
    this.record = record;
    this.#raw = raw;
    this.#reader = reader;
  }

  get line(): number {
    return this.#raw.line;
  }

  get bytes(): number {
    return this.#raw.bytes?.length ?? 0;
  }

  item(): ImportItem | RefusedItem {
    return itemOf(this.#raw, this.record, this.#reader);
  }
}

/** How the records of a source are read. */
export interface ReadOptions extends Omit<ImportOptions, "mapping"> {
  readonly mapping: CsvMapping | null;
}

/**
 * The records of a source, those of a piece at a time.
 * @throws CommandFailure for a header that cannot be used
 */
export async function* readRecords(
  source: Source,
  options: ReadOptions,
  catalog: ModelCatalog,
): AsyncGenerator<readonly SourceRecord[], void, undefined> {
  const reader = options.format === "csv" ? csvReader(options, catalog) : jsonReader(options, catalog);
  let record = 0;
  for await (const piece of source.records(reader.delimiter)) {
    const data = reader.data(piece);
    const before = record;
    record += data.length;
    yield data.map((raw, place) => new CutRecord(before + place + 1, raw, reader));
  }
  reader.end();
}

/** How the records of a form are read. */
interface RecordReader {
  /** Where a mapping says what stands between fields. */
  readonly delimiter: string | null;
  /** The records of a piece, without a header. */
  data(piece: CutPiece): readonly RawRecord[];
  /**
   * The source has ended.
   * @throws CommandFailure where it lacks what has to stand there
   */
  end(): void;
  /** @throws ScimError, or TypeError with a sentence for people */
  read(bytes: Buffer): { readonly type: string; readonly body: JsonValue };
}

function itemOf(raw: RawRecord, record: number, reader: RecordReader): ImportItem | RefusedItem {
  if (raw.bytes === null) return { record, error: new ScimError("invalidSyntax", raw.fault ?? "") };
  try {
    requireUtf8(raw.bytes);
    return { record, ...reader.read(raw.bytes) };
  } catch (error) {
    if (isScimError(error)) return { record, error };
    if (error instanceof TypeError) return { record, error: new ScimError("invalidSyntax", error.message) };
    throw error;
  }
}

function jsonReader({ type }: ReadOptions, catalog: ModelCatalog): RecordReader {
  const fixed = type === null ? null : modelNamed(catalog.models(), type);
  const byUrn = new Map<string, ResourceModel>();
  const byName = new Map<string, ResourceModel>();
  for (const model of catalog.models()) {
    const urn = model.schema.toLowerCase();
    byName.set(model.name.toLowerCase(), model);
    if (model.rows === null && !byUrn.has(urn)) byUrn.set(urn, model);
  }
  return {
    delimiter: null,
    data: ({ records }) => records,
    end: () => undefined,
    read: (bytes) => {
      const body = readRecordJson(bytes);
      const model = fixed ?? toldModel(body, byName, byUrn);
      return { type: model.name, body: withSchema(body, model) };
    },
  };
}

/** A record that names no schemas has that of its type, as it has in CSV. */
function withSchema(body: JsonValue, { schema }: ResourceModel): JsonValue {
  if (!isJsonObject(body)) return body;
  const schemas = memberOf(body, "schemas");
  if (schemas !== null && !(isJsonArray(schemas) && schemas.length === 0)) return body;
  return { ...body, [spelledIn(body, "schemas") ?? "schemas"]: [schema] };
}

/** The type that a resource names in `meta.resourceType`; of one that names none, the type that has its schema. */
function toldModel(
  body: JsonValue,
  byName: ReadonlyMap<string, ResourceModel>,
  byUrn: ReadonlyMap<string, ResourceModel>,
): ResourceModel {
  if (!isJsonObject(body)) throw new TypeError("The record is no JSON object.");
  const named = nameIn(body);
  if (named !== null) {
    const found = typeof named === "string" ? byName.get(named.toLowerCase()) : undefined;
    if (found !== undefined) return found;
    throw new TypeError(
      `There is no resource type ${JSON.stringify(named).slice(0, 60)}, which 'meta.resourceType' names; there are ${[...byName.values()].map(({ name }) => name).join(", ")}. Name the type of all records (--type), or leave it out of the record.`,
    );
  }
  const schemas = memberOf(body, "schemas");
  for (const urn of isJsonArray(schemas) ? schemas : []) {
    const found = typeof urn === "string" ? byUrn.get(urn.toLowerCase()) : undefined;
    if (found !== undefined) return found;
  }
  throw new TypeError(
    "The record does not tell its resource type: neither 'meta.resourceType' nor 'schemas' names one, and --type is not given.",
  );
}

function nameIn(body: JsonObject): JsonValue {
  const meta = memberOf(body, "meta");
  return isJsonObject(meta) ? memberOf(meta, "resourceType") : null;
}

function csvReader(options: ReadOptions, catalog: ModelCatalog): RecordReader {
  const { mapping } = options;
  const type = options.type ?? mapping?.type ?? null;
  if (type === null)
    throw new CommandFailure(EXIT.usage, "CSV needs --type, such as --type User, or 'type' in the mapping.");
  const model = modelNamed(catalog.models(), type);
  let plan: ColumnPlan | null = null;
  let between = ",";
  return {
    delimiter: mapping?.delimiter ?? null,
    data: ({ records, delimiter }) => {
      between = delimiter;
      if (plan !== null) return records;
      const [header, ...others] = records;
      if (header === undefined) return records;
      plan = planOf(header, { delimiter, mapping, model });
      return others;
    },
    end: () => {
      if (plan !== null) return;
      const name = options.path ?? "Standard input";
      throw new CommandFailure(EXIT.failed, `${name} is empty: CSV begins with a header.`);
    },
    read: (bytes) => {
      if (plan === null) throw new TypeError("There is no header.");
      return { type: model.name, body: resourceOfFields(plan, fieldsOf(bytes.toString("utf8"), between)) };
    },
  };
}

interface Header {
  readonly delimiter: string;
  readonly mapping: CsvMapping | null;
  readonly model: ResourceModel;
}

function planOf(header: RawRecord, { delimiter, mapping, model }: Header): ColumnPlan {
  try {
    return planColumns(model, columnNames(header, delimiter), mapping);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new CommandFailure(EXIT.usage, `The header of the CSV cannot be used: ${cause.message}`, cause);
  }
}
