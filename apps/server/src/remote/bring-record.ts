/**
 * Brings one record into a running service: it is created, or what is there already is updated where it differs.
 * @module
 */
import {
  ConnectionError,
  isScimClientError,
  ServiceError,
  UnknownOutcomeError,
  type ClientResourceType,
  type DynamicResource,
  type DynamicShape,
  type ResourceClient,
  type ScimClient,
  type ScimClientError,
} from "@scim/client";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { followed, idsNamed, referencesOf, withoutReferences } from "./followed-references.ts";
import type { FoundResources } from "./found-resources.ts";
import type { Match } from "./matched-resource.ts";
import { mergedRecord } from "./merged-record.ts";
import type { ReadRecord } from "./read-record.ts";
import { sentencesOf } from "./remote-failure.ts";
import { wholeResource } from "./whole-resources.ts";

/** What is needed to bring records in. */
export interface BringingOptions {
  readonly client: ScimClient;
  /** `create`: what is there already is refused by the service, and not looked for. */
  readonly mode: "upsert" | "create";
}

/** What is known of the service and of the records before. */
export interface Bringing extends BringingOptions {
  /** Ids of the service by those of the file. */
  readonly ids: Map<string, string>;
  readonly found: FoundResources;
  /** Told of a record that refers to what may stand behind it. */
  readonly onLate: (late: LateReferences) => void;
  /** Told where the service cannot be reached, or takes the token no more: it will be the same with all that follow. */
  readonly onGone: () => void;
}

/** What became of a record; why, where it was not taken. */
export type RecordOutcome = Brought["outcome"] | { readonly reason: string };

/** References of a record that was brought in, to be looked at again when all records were. */
export interface LateReferences extends Brought {
  /** Where the record stands. */
  readonly place: string;
  readonly type: ClientResourceType;
  /** The references alone, with the ids of the file. */
  readonly fields: JsonObject;
  /** The ids among them that nothing had yet. */
  readonly unknown: readonly string[];
}

/** Brings a record in; tells why where it was not taken. */
export async function bring(record: ReadRecord, bringing: Bringing): Promise<RecordOutcome> {
  const { ids, client, mode, found } = bringing;
  const { type, place } = record;
  return outcomeOf(bringing, async () => {
    const unknown = idsNamed(record.fields, type).filter((id) => !ids.has(id));
    const fields = followed(record.fields, type, ids);
    // What is there keeps its references until it is known what those of the record name.
    const kept = unknown.length === 0 ? fields : withoutReferences(fields, type);
    // What is under way when the run is stopped comes to its end, so that nobody need wonder what became of it.
    const made = await brought(client.resource(type), { ...record, fields }, { mode, kept, found });
    if (typeof fields["id"] === "string") ids.set(fields["id"], made.id);
    if (unknown.length > 0)
      bringing.onLate({ ...made, place, type, fields: referencesOf(record.fields, type), unknown });
    return made.outcome;
  });
}

/** Has the references of a record follow to what stood behind it; tells why where that was not taken. */
export async function follow(late: LateReferences, bringing: Bringing): Promise<RecordOutcome> {
  const { ids, client } = bringing;
  const { id, type, outcome, unknown } = late;
  // What was created has them as the file names them.
  if (outcome === "created" && !unknown.some((each) => ids.has(each))) return outcome;
  return outcomeOf(bringing, async () => {
    const resources = client.resource(type);
    const followedNow = followed(late.fields, type, ids);
    const made = await updated(resources, await wholeResource(resources, id), followedNow);
    return outcome === "unchanged" ? made.outcome : outcome;
  });
}

async function outcomeOf(
  { onGone }: Bringing,
  work: () => Promise<Brought["outcome"]>,
): Promise<RecordOutcome> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof Untold) return { reason: cause.message };
    if (!isScimClientError(cause)) throw cause;
    if (isGone(cause)) onGone();
    return { reason: sentencesOf(cause) };
  }
}

/** Whether no other record will be taken either; a change that may have been made before is told by its cause. */
function isGone(error: ScimClientError): boolean {
  const last = error instanceof UnknownOutcomeError ? error.cause : error;
  if (last instanceof ServiceError) return last.status === 401;
  return last instanceof ConnectionError && last.code === "connectionFailed";
}

interface Brought {
  readonly outcome: "created" | "updated" | "unchanged";
  readonly id: string;
}

/** Which resource a record means cannot be told; the message says why. */
class Untold extends Error {}

interface Ways extends Pick<Bringing, "mode" | "found"> {
  /** What of the record counts for a resource that is there. */
  readonly kept: JsonObject;
}

async function brought(
  resources: ResourceClient<DynamicShape>,
  record: ReadRecord,
  { mode, kept, found }: Ways,
): Promise<Brought> {
  const { fields, refusal } = record;
  const matches = mode === "create" ? [] : record.matches;
  for (const match of matches.filter(({ waits }) => !waits)) {
    const there = only(await found.with(resources, match), match);
    if (there !== null) return updated(resources, there, kept);
  }
  if (refusal !== null) throw new Untold(refusal);
  try {
    const { id } = await resources.create(fields);
    return { outcome: "created", id };
  } catch (cause) {
    if (!(cause instanceof ServiceError) || cause.status !== 409) throw cause;
    // The service says itself that it is there: looked for now, so that a first import asks for nothing.
    for (const match of matches.filter(({ waits }) => waits)) {
      const there = only(await found.with(resources, match), match);
      if (there !== null && !isOfAnother(there, fields)) return updated(resources, there, kept);
    }
    throw cause;
  }
}

/** Whether a resource belongs to another `externalId` than a record: what else they have in common is no reason to take it. */
function isOfAnother({ externalId: held }: DynamicResource, { externalId: named }: JsonObject): boolean {
  return typeof held === "string" && typeof named === "string" && held !== named;
}

function only([first, second]: readonly DynamicResource[], { path, value }: Match): DynamicResource | null {
  if (second === undefined) return first ?? null;
  throw new Untold(`Several resources have '${value}' as ${path}: which one is meant cannot be told.`);
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
