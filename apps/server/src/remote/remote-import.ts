/**
 * Brings the resources of a file into a running service, each once, with references that follow to the ids that it gives:
 * what is there already is updated where it differs.
 * @module
 */
import {
  ConnectionError,
  isScimClientError,
  ServiceError,
  type ClientResourceType,
  type DynamicResource,
  type DynamicShape,
  type ResourceClient,
  type ScimClient,
} from "@scim/client";
import {
  isJsonArray,
  isJsonObject,
  referencedTypes,
  resolveAttribute,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import type { Source, SourceItem } from "@scim/sync";
import { matchesOf, resourcesWith, type Match } from "./matched-resource.ts";
import { mergedRecord } from "./merged-record.ts";
import { sentencesOf } from "./remote-failure.ts";

/** A record that was not taken. */
export interface RejectedRecord {
  /** Where it stands: `line 12`. */
  readonly place: string;
  readonly reason: string;
}

/** What came of a file. */
export interface RemoteImport {
  created: number;
  updated: number;
  /** Resources that are as their records already. */
  unchanged: number;
  readonly rejected: RejectedRecord[];
  /** Whether records are left: the run was interrupted, or the service is gone. */
  stopped: boolean;
}

/** What is needed on the way. */
export interface RemoteImportOptions {
  readonly client: ScimClient;
  readonly source: Source;
  /** Name of the type of all records; null where each names its own. */
  readonly type: string | null;
  /** `create`: what is there already is refused by the service, and not looked for. */
  readonly mode: "upsert" | "create";
  readonly signal: AbortSignal;
  readonly onRecord: (summary: RemoteImport) => void;
}

/** Requests under way at once. */
const WINDOW = 16;

/**
 * Goes record by record; what others refer to stands before them, as an export has it. Where no connection comes about any
 * more, the rest is left.
 */
export async function importInto(options: RemoteImportOptions): Promise<RemoteImport> {
  const { client, source, signal, onRecord } = options;
  const types = await client.discovery.resourceTypes({ signal });
  const ids = new Map<string, string>();
  const { filter } = await client.discovery.capabilities({ signal });
  // A service without filters finds nothing: what is there already is refused by it, or made again.
  const mode = filter ? options.mode : "create";
  const summary: RemoteImport = { created: 0, updated: 0, unchanged: 0, rejected: [], stopped: false };
  const take = async (item: SourceItem): Promise<void> => {
    const onGone = (): void => void (summary.stopped = true);
    const outcome = await taken(item, { ...options, mode, types, ids, onGone });
    if (typeof outcome === "string") summary[outcome] += 1;
    else summary.rejected.push({ place: item.place, ...outcome });
    onRecord(summary);
  };
  const waiting: SourceItem[] = [];
  const flush = async (): Promise<void> => {
    await Promise.all(waiting.splice(0).map(take));
  };
  const { items } = await source.open(null);
  for await (const item of items) {
    // What may refer to the one before it waits for its id.
    if (waiting.length === WINDOW || refersToAny(item, waiting)) await flush();
    summary.stopped ||= signal.aborted;
    if (summary.stopped) break;
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
  /** Told where the service cannot be reached. */
  readonly onGone: () => void;
}

type Outcome = "created" | "updated" | "unchanged" | Pick<RejectedRecord, "reason">;

/** Brings a record in; tells why where it was not taken. */
async function taken(item: SourceItem, making: Making): Promise<Outcome> {
  if (item.kind === "unreadable") return { reason: item.fault };
  const { types, type, ids, client } = making;
  const { fields } = item;
  const found = typeOf(fields, types, type);
  if (found === undefined) return { reason: "The service has no resource type that the record names." };
  try {
    const resources = client.resource(found);
    // What is under way when the run is stopped comes to its end, so that nobody need wonder what became of it.
    const { outcome, id } = await brought(resources, followed(fields, found, ids), making.mode);
    if (typeof fields["id"] === "string") ids.set(fields["id"], id);
    return outcome;
  } catch (cause) {
    if (cause instanceof Ambiguous) return { reason: cause.message };
    if (!isScimClientError(cause)) throw cause;
    if (cause instanceof ConnectionError && cause.code === "connectionFailed") making.onGone();
    return { reason: sentencesOf(cause) };
  }
}

interface Brought {
  readonly outcome: "created" | "updated" | "unchanged";
  readonly id: string;
}

/** Several resources have what a record is known by. */
class Ambiguous extends Error {
  constructor({ path, value }: Match) {
    super(`Several resources have '${value}' as ${path}: which one is meant cannot be told.`);
  }
}

async function brought(
  resources: ResourceClient<DynamicShape>,
  record: JsonObject,
  mode: Making["mode"],
): Promise<Brought> {
  const matches = mode === "create" ? [] : matchesOf(record, resources.type);
  for (const match of matches.filter(({ waits }) => !waits)) {
    const there = await only(resources, match);
    if (there !== null) return updated(resources, there, record);
  }
  try {
    const { id } = await resources.create(record);
    return { outcome: "created", id };
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.status !== 409) throw cause;
    // The service says itself that it is there: looked for now, so that a first import asks for nothing.
    for (const match of matches.filter(({ waits }) => waits)) {
      const there = await only(resources, match);
      if (there !== null) return updated(resources, there, record);
    }
    throw cause;
  }
}

async function only(resources: ResourceClient<DynamicShape>, match: Match): Promise<DynamicResource | null> {
  const [first = null, second] = await resourcesWith(resources, match);
  if (second !== undefined) throw new Ambiguous(match);
  return first;
}

async function updated(
  resources: ResourceClient<DynamicShape>,
  there: DynamicResource,
  record: JsonObject,
): Promise<Brought> {
  const { id } = there;
  const shown = shownOf(record, resources.type);
  const wanted = (current: DynamicResource): JsonObject => mergedRecord(current, shown);
  if (resources.diff(there, wanted(there)).length === 0) return { outcome: "unchanged", id };
  await resources.update(id, wanted, { unguarded: true });
  return { outcome: "updated", id };
}

/** What of a record can be compared: what a service never shows, such as a password, is set by a creation alone. */
function shownOf(record: JsonObject, { schema, extensions }: ClientResourceType): JsonObject {
  const within = (object: JsonObject, { attributes }: ClientResourceType["schema"]): JsonObject => {
    const hidden = new Set(attributes.filter(({ returned }) => returned === "never").map(({ name }) => name));
    return Object.fromEntries(Object.entries(object).filter(([name]) => !hidden.has(name)));
  };
  const { id: _id, meta: _meta, schemas: _schemas, ...own } = within(record, schema);
  const shown: Record<string, JsonValue> = { ...own };
  for (const extension of extensions) {
    const value = own[extension.id];
    if (value !== undefined && isJsonObject(value)) shown[extension.id] = within(value, extension);
  }
  return shown;
}

function typeOf(
  { schemas, meta }: JsonObject,
  types: readonly ClientResourceType[],
  wanted: string | null,
): ClientResourceType | undefined {
  const named = wanted ?? (isJsonObject(meta) ? meta["resourceType"] : null);
  if (typeof named === "string") return types.find(({ name }) => name.toLowerCase() === named.toLowerCase());
  if (named !== null && named !== undefined) return undefined;
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
        isJsonArray(value) ? eachOnce(value.map((each) => follow(each, ids))) : follow(value, ids),
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

/** References that name the same are one, which has what each of them has: so does a service take them (RFC 7643 §2.4). */
function eachOnce(references: readonly JsonValue[]): readonly JsonValue[] {
  const known = new Map<JsonValue, JsonValue>();
  for (const reference of references) {
    const named = isJsonObject(reference) ? (reference["value"] ?? reference) : reference;
    const first = known.get(named);
    known.set(
      named,
      isJsonObject(reference) && isJsonObject(first) ? { ...reference, ...first } : (first ?? reference),
    );
  }
  return [...known.values()];
}

function follow(reference: JsonValue, ids: Making["ids"]): JsonValue {
  if (!isJsonObject(reference)) return reference;
  // The address is that of the service where the file comes from.
  const { $ref: _address, ...others } = reference;
  const { value } = others;
  const id = typeof value === "string" ? ids.get(value) : undefined;
  return id === undefined ? others : { ...others, value: id };
}
