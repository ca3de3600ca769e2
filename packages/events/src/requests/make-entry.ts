/**
 * Makes the entry of an exchange: redacted, and no longer than the log keeps it.
 * @module
 */
import type { ModelCatalog, SwitchName } from "@scim/core";
import { ERROR_CODES, type ErrorCode, type JsonValue, ScimError } from "@scim/schemas";
import type { LoggedRequest, ShownBody } from "./entry.ts";
import type { Pseudonyms } from "./redaction/pseudonyms.ts";
import { redactHeaders } from "./redaction/redact-headers.ts";
import { redactAnswer, redactRequest } from "./redaction/redact-message.ts";
import { shownName } from "./redaction/redact-value.ts";
import { modelAt, redactTarget, type ReadTarget } from "./redaction/redact-target.ts";
import { Redaction } from "./redaction/redaction.ts";

/** A request and its answer, as `@scim/http` tells them. Holds personal values. */
export interface LoggableExchange {
  readonly record: {
    readonly requestId: string;
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly durationMs: number;
    readonly tenant: string | null;
    readonly connection: string | null;
    readonly credential: string | null;
    readonly switches: readonly { readonly name: SwitchName; readonly path: string }[];
    readonly failedOperations: LoggedRequest["failedOperations"];
    readonly errorCode: string | null;
  };
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly value: JsonValue; readonly bytes: number; readonly isPart: boolean } | null;
  readonly answer: string | null;
  readonly location: string | null;
}

/** What entries are made with. */
export interface EntryMaking {
  readonly catalog: ModelCatalog;
  readonly pseudonyms: Pseudonyms;
  /** A new UUIDv7 of an instant, in milliseconds since 1970. */
  readonly newId: (now: number) => string;
}

/** The models of a tenant whose schemas cannot be read: no value is known to tell nothing of a person. */
export const NO_MODELS: ModelCatalog = {
  model: (type) => {
    throw new ScimError("notFound", `There is no resource type ${type}.`);
  },
  models: () => [],
  definitions: () => [],
};

/** Characters of an answer that is taken apart; longer ones are not kept. */
const LONGEST_ANSWER = 65_536;

/** A tenant's exchange, and when it was answered. */
export interface TimedExchange {
  readonly exchange: LoggableExchange;
  readonly tenant: string;
  readonly connection: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Makes an entry. */
export function makeEntry(
  making: EntryMaking,
  { exchange, tenant, connection, at }: TimedExchange,
): LoggedRequest {
  const { record, headers } = exchange;
  const redaction = (): Redaction => new Redaction(tenant, making);
  const target = readTarget(redaction(), exchange, making.catalog);
  const reading = { catalog: making.catalog, model: target.model };
  return {
    id: making.newId(at),
    at: new Date(at).toISOString(),
    tenant,
    connection,
    requestId: record.requestId,
    credential: record.credential,
    method: record.method,
    route: record.route,
    target: target.text,
    headers: redactHeaders(redaction(), headers),
    body: shownRequest(exchange, redaction(), (each, value) =>
      redactRequest({ ...reading, redaction: each }, record.method, value),
    ),
    status: record.status,
    answer: shownAnswer(exchange, redaction(), (each, value) =>
      redactAnswer({ ...reading, redaction: each }, value),
    ),
    durationMs: Math.round(record.durationMs * 1000) / 1000,
    switches: record.switches.map(({ name, path }) => ({ name, path: shownName(redaction(), path) })),
    errorCode: isErrorCode(record.errorCode) ? record.errorCode : null,
    failedOperations: record.failedOperations.map(({ index, method, errorCode }) => ({
      index,
      method,
      errorCode,
    })),
    type: target.model?.name ?? null,
    resource: resourceOf(target, exchange, redaction()),
  };
}

/** What an address names. That of `/Me` names nothing, and its answer the permanent address (RFC 7644 §3.11). */
function readTarget(
  redaction: Redaction,
  { target, location }: Pick<LoggableExchange, "target" | "location">,
  catalog: ModelCatalog,
): ReadTarget {
  const read = redactTarget(redaction, target, catalog);
  if (read.model !== null || location === null) return read;
  const endpoint = `/${location.split("/").at(-2) ?? ""}`;
  return { ...read, model: modelAt(catalog, (each) => each === endpoint) };
}

type Redact = (redaction: Redaction, value: JsonValue) => JsonValue;

function shownRequest({ body }: LoggableExchange, redaction: Redaction, redact: Redact): ShownBody | null {
  if (body === null) return null;
  const json = redact(redaction, body.value);
  const note = body.isPart ? "Long collections were taken to the store unread, and are not shown." : null;
  return shown(json, redaction, note);
}

function shownAnswer(
  { answer, record }: LoggableExchange,
  redaction: Redaction,
  redact: Redact,
): ShownBody | null {
  if (answer === null || answer === "") return null;
  if (isDiscovery(record.route))
    return { json: null, note: "Discovery tells what the tenant is offered, and is not kept." };
  if (answer.length > LONGEST_ANSWER) {
    return { json: null, note: `The answer has ${answer.length} characters, and is not kept.` };
  }
  // The service wrote it: it is JSON.
  return shown(redact(redaction, JSON.parse(answer) as JsonValue), redaction, null);
}

function isDiscovery(route: string): boolean {
  return /^\/(?:Schemas|ResourceTypes|ServiceProviderConfig)/.test(route);
}

function shown(json: JsonValue, { cuts }: Redaction, note: string | null): ShownBody {
  return { json, ...(cuts.length === 0 ? {} : { cuts }), ...(note === null ? {} : { note }) };
}

/** The id of a resource that is there; whatever else a client writes in its place is shown as any text is. */
function resourceOf(
  { model, id }: ReadTarget,
  { record, location }: LoggableExchange,
  redaction: Redaction,
): string | null {
  if (id !== null) return record.status < 400 ? id : redaction.name(id);
  if (model === null || location === null) return null;
  // The address of a new resource, and that which the answer at `/Me` tells, end in the id.
  return decodeURIComponent(location.slice(location.lastIndexOf("/") + 1));
}

function isErrorCode(code: string | null): code is ErrorCode {
  return code !== null && Object.hasOwn(ERROR_CODES, code);
}
