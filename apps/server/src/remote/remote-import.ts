/**
 * Makes the resources of a file in a running service, each once, with references that follow to the ids that it gives.
 * @module
 */
import { isScimClientError, type ClientResourceType, type ScimClient } from "@scim/client";
import {
  isJsonArray,
  isJsonObject,
  referencedTypes,
  resolveAttribute,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import type { Source, SourceItem } from "@scim/sync";

/** A record that was not taken. */
export interface RejectedRecord {
  /** Where it stands: `line 12`. */
  readonly place: string;
  readonly reason: string;
}

/** What came of a file. */
export interface RemoteImport {
  created: number;
  readonly rejected: RejectedRecord[];
}

/** What is needed on the way. */
export interface RemoteImportOptions {
  readonly client: ScimClient;
  readonly source: Source;
  /** Name of the type of all records; null where each names its own. */
  readonly type: string | null;
  readonly signal: AbortSignal;
  readonly onRecord: (summary: RemoteImport) => void;
}

/** Requests under way at once. */
const WINDOW = 16;

/** Creates record by record; what others refer to stands before them, as an export has it. */
export async function importInto(options: RemoteImportOptions): Promise<RemoteImport> {
  const { client, source, signal, onRecord } = options;
  const types = await client.discovery.resourceTypes({ signal });
  const ids = new Map<string, string>();
  const summary: RemoteImport = { created: 0, rejected: [] };
  const take = async (item: SourceItem): Promise<void> => {
    const reason = await made(item, { ...options, types, ids });
    if (reason === null) summary.created += 1;
    else summary.rejected.push({ place: item.place, reason });
    onRecord(summary);
  };
  const waiting: SourceItem[] = [];
  const flush = async (): Promise<void> => {
    await Promise.all(waiting.splice(0).map(take));
  };
  const { items } = await source.open(null);
  for await (const item of items) {
    if (signal.aborted) break;
    // What may refer to the one before it waits for its id.
    if (waiting.length === WINDOW || refersToAny(item, waiting)) await flush();
    waiting.push(item);
  }
  await flush();
  return summary;
}

/** Whether a record names the id of one that is not made yet. */
function refersToAny(item: SourceItem, waiting: readonly SourceItem[]): boolean {
  if (item.kind !== "record") return false;
  const text = JSON.stringify(item.fields);
  return waiting.some((other) => {
    const id = other.kind === "record" ? other.fields["id"] : null;
    return typeof id === "string" && text.includes(JSON.stringify(id));
  });
}

interface Making extends RemoteImportOptions {
  readonly types: readonly ClientResourceType[];
  /** Ids of the service by those of the file. */
  readonly ids: Map<string, string>;
}

/** Makes a record; tells why where it was not made. */
async function made(item: SourceItem, { client, types, ids, type }: Making): Promise<string | null> {
  if (item.kind === "unreadable") return item.fault;
  const { fields } = item;
  const found = typeOf(fields, types, type);
  if (found === undefined) return "The service has no resource type that the record names.";
  try {
    // What is under way when the run is stopped comes to its end, so that nobody need wonder what became of it.
    const resource = await client.resource(found).create(followed(fields, found, ids));
    const { id } = fields;
    if (typeof id === "string") ids.set(id, resource.id);
    return null;
  } catch (cause) {
    if (!isScimClientError(cause)) throw cause;
    return `${cause.message} ${cause.remedy}`;
  }
}

function typeOf(
  { schemas, meta }: JsonObject,
  types: readonly ClientResourceType[],
  wanted: string | null,
): ClientResourceType | undefined {
  const named = wanted ?? (isJsonObject(meta) ? meta["resourceType"] : null);
  if (typeof named === "string") return types.find(({ name }) => name.toLowerCase() === named.toLowerCase());
  const urns = isJsonArray(schemas) ? schemas : [];
  return types.find(({ schema }) => urns.includes(schema.id));
}

/** A record whose references name the ids of the service, as far as what they name was made. */
function followed(
  fields: JsonObject,
  { schema, extensions }: ClientResourceType,
  ids: Making["ids"],
): JsonObject {
  const within = (object: JsonObject, { attributes }: ClientResourceType["schema"]): JsonObject => {
    const next = new Map(Object.entries(object));
    for (const attribute of attributes) {
      const value = object[attribute.name];
      if (value === undefined || referencedTypes(resolveAttribute(attribute)).length === 0) continue;
      next.set(
        attribute.name,
        isJsonArray(value) ? value.map((each) => follow(each, ids)) : follow(value, ids),
      );
    }
    return Object.fromEntries(next);
  };
  const whole = new Map(Object.entries(within(fields, schema)));
  for (const extension of extensions) {
    const own = whole.get(extension.id);
    if (own !== undefined && isJsonObject(own)) whole.set(extension.id, within(own, extension));
  }
  return Object.fromEntries(whole);
}

function follow(reference: JsonValue, ids: Making["ids"]): JsonValue {
  if (!isJsonObject(reference)) return reference;
  // The address is that of the service where the file comes from.
  const { $ref: _address, ...others } = reference;
  const { value } = others;
  const id = typeof value === "string" ? ids.get(value) : undefined;
  return id === undefined ? others : { ...others, value: id };
}
