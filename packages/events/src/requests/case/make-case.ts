/**
 * Makes a case of an entry of the request log.
 * @module
 */
import type { ModelCatalog, OwnRules, Profile, ResourceModel } from "@scim/core";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ScimError } from "@scim/schemas";
import type { LoggedRequest, ShownBody } from "../entry.ts";
import { Redaction } from "../redaction/redaction.ts";
import { redactMembers } from "../redaction/redact-value.ts";
import type { Pseudonyms } from "../redaction/pseudonyms.ts";
import type { EarlierState } from "./earlier-state.ts";
import { fillExtensions, fillRequired } from "./fill-required.ts";
import { targetWithPlaceholders, withPlaceholders } from "./placeholders.ts";
import { replacedMembers } from "./replaced-members.ts";
import { comparable, type GivenResource, type RequestCase } from "./request-case.ts";
import { ownersOf, type RowOwner } from "./row-owners.ts";

/** What a case is made with. */
export interface CaseMaking {
  readonly catalog: ModelCatalog;
  readonly pseudonyms: Pseudonyms;
  /** The profile of the connection. */
  readonly profile: Profile;
  /** Schema and ResourceType documents beside the built-in ones. */
  readonly documents: readonly JsonValue[];
  /** The limits of the tenant that bound requests and answers. Default: those of a new service. */
  readonly limits?: OwnRules["limits"];
}

/**
 * Makes a case.
 * @param states resources that the request is about, as they were before it
 * @throws ScimError `invalidValue` where the log does not hold the whole request
 */
export function makeCase(
  making: CaseMaking,
  entry: LoggedRequest,
  states: readonly EarlierState[],
): RequestCase {
  requireWhole(entry);
  const redaction = new Redaction(entry.tenant, making);
  const own = [
    ...states.map((state) => ({
      model: state.model,
      shown: redaction.name(state.id),
      given: givenOf(making, entry, state),
    })),
    ...answered(making, entry),
  ];
  const rows = own.map(({ model, given: { resource } }) => ({ model, resource }));
  const places: readonly RowOwner[] = [...ownersOf(making.catalog, entry, rows), ...own];
  const named = places.map((each, at) => ({ name: `r${at + 1}`, ...each }));
  const holder = holderOf(making, entry);
  const given: GivenResource[] = [
    ...named.map(({ name, given: { endpoint, resource } }) => ({ name, endpoint, resource })),
    ...(holder === null ? [] : [{ name: "holder", ...holder }]),
  ];
  const place = <Value extends JsonValue>(value: Value): Value => withPlaceholders(value, named);
  const { id, method, target, body, status } = entry;
  return {
    version: 1,
    id,
    profile: { name: making.profile.name, switches: [...making.profile.switches] },
    ...(making.limits === undefined ? {} : { limits: making.limits }),
    documents: making.documents,
    given: given.map((each) => ({ ...each, resource: place(each.resource) })),
    request: {
      method,
      path: targetWithPlaceholders(target, named),
      headers: { ...withoutVersions(entry), ...bareToken(entry) },
      body: body === null ? null : place(body.json),
    },
    expect: { status, ...expectedBody(entry.answer, place) },
  };
}

function requireWhole({ body, errorCode, method }: LoggedRequest): void {
  if (body?.cuts !== undefined || body?.note !== undefined) {
    throw new ScimError(
      "invalidValue",
      "The log does not hold the whole body of this request: it was too long.",
    );
  }
  if (body === null && errorCode === "invalidSyntax" && method !== "GET") {
    throw new ScimError(
      "invalidValue",
      "The body of this request could not be read, so the log does not hold it.",
    );
  }
}

interface PlacedGiven {
  readonly model: ResourceModel;
  /** Its id, as the log shows it. */
  readonly shown: string;
  readonly given: Omit<GivenResource, "name">;
}

function givenOf(
  making: CaseMaking,
  entry: LoggedRequest,
  { model, body, collections: changes }: EarlierState,
): PlacedGiven["given"] {
  const redaction = new Redaction(entry.tenant, making);
  const resource = redactMembers(redaction, { object: body, path: "" }, model.members);
  const collections = model.collections.flatMap(({ node }) => {
    const change = changes.find(({ path }) => path === node.path);
    const [added = [], removed = []] = [change?.added, change?.removed].map((ids) =>
      ids?.map((id) => redaction.name(id)),
    );
    // The answer is redacted already.
    const stayed = answeredValues(entry.answer?.json, node.path).filter((value) => !added.includes(value));
    const values = [...removed, ...stayed].map((value) => ({ value }));
    return values.length === 0 ? [] : [[node.path, values] as const];
  });
  const whole = { ...resource, ...Object.fromEntries(collections) };
  return { endpoint: model.definition.endpoint, resource: stated(model, whole) };
}

function answeredValues(json: JsonValue | undefined, path: string): readonly string[] {
  const list = isJsonObject(json) ? json[path] : undefined;
  if (!isJsonArray(list)) return [];
  return list.flatMap((each) => {
    const value = isJsonObject(each) ? each["value"] : null;
    return typeof value === "string" ? [value] : [];
  });
}

/** A read is given what it answered: redacted already. What it was not asked for is filled where it must be there. */
function answered({ catalog }: CaseMaking, entry: LoggedRequest): readonly PlacedGiven[] {
  const { method, status, answer, route } = entry;
  const isRead = method === "GET" || method === "HEAD" || route.endsWith("/.search");
  if (!isRead || status !== 200 || answer === null) return [];
  return resourcesIn(answer.json).flatMap((resource, at) => {
    const id = resource["id"];
    const model = catalog.models().find(({ schema }) => schemasOf(resource).includes(schema));
    if (model === undefined || typeof id !== "string") return [];
    const text = `answered-${at + 1}`;
    const named = schemasOf(resource);
    const filled = fillExtensions(model, resource, { named, shown: text });
    const whole = fillRequired(model, stated(model, filled), { entry, shown: text });
    // The answer is redacted already, and so is the id.
    return [{ model, shown: id, given: { endpoint: model.definition.endpoint, resource: whole } }];
  });
}

function resourcesIn(json: JsonValue): readonly JsonObject[] {
  if (!isJsonObject(json)) return [];
  const list = json["Resources"];
  return list !== undefined && isJsonArray(list) ? list.filter(isJsonObject) : [json];
}

/** Who holds a value that must be unique is not in the log: one that holds all that was sent does as well. */
function holderOf({ catalog }: CaseMaking, entry: LoggedRequest): Omit<GivenResource, "name"> | null {
  const { errorCode, type, body } = entry;
  if (errorCode !== "uniqueness" || type === null || !isJsonObject(body?.json)) return null;
  const model = catalog.model(type);
  const sent = entry.method === "PATCH" ? replacedMembers(model, body.json) : body.json;
  const holder = fillRequired(model, stated(model, sent), { entry, shown: "holder" });
  return { endpoint: model.definition.endpoint, resource: holder };
}

/** What a client may state of a resource. */
function stated(model: ResourceModel, resource: JsonObject): JsonObject {
  const members = Object.entries(resource).filter(([name]) => {
    const node = model.members.get(name.toLowerCase());
    return node !== undefined && node.attribute.mutability !== "readOnly" && node.storage !== "column";
  });
  return { schemas: [model.schema, ...extensionsOf(model, resource)], ...Object.fromEntries(members) };
}

function extensionsOf(model: ResourceModel, resource: JsonObject): readonly string[] {
  const names = new Set(Object.keys(resource).map((name) => name.toLowerCase()));
  return [...model.extensions.values()].map(({ urn }) => urn).filter((urn) => names.has(urn.toLowerCase()));
}

function schemasOf(resource: JsonObject): readonly JsonValue[] {
  const schemas = resource["schemas"];
  return schemas !== undefined && isJsonArray(schemas) ? schemas : [];
}

/** A version that no service gives. */
const PAST_VERSION = 'W/"past"';

/** Versions are those of another service: where one was named for a change, any will do, or none where it was the wrong one. */
function withoutVersions({ headers, errorCode }: LoggedRequest): Readonly<Record<string, string>> {
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("if-")));
  if (headers["if-match"] === undefined) return kept;
  return { ...kept, "if-match": errorCode === "versionMismatch" ? PAST_VERSION : "*" };
}

/** What stands for a token that was sent without the word Bearer; any other is sent as it has to be. */
function bareToken({ switches }: LoggedRequest): { readonly authorization?: string } {
  return switches.some(({ name }) => name === "bare-token") ? { authorization: "~token" } : {};
}

function expectedBody(
  answer: ShownBody | null,
  place: (value: JsonValue) => JsonValue,
): { readonly body?: JsonValue | null } {
  if (answer === null) return { body: null };
  if (answer.json === null || answer.cuts !== undefined) return {};
  return { body: comparable(place(answer.json)) };
}
