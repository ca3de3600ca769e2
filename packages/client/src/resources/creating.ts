/**
 * Creates resources, once: where nobody knows whether one was created, it is looked up (RFC 7644 §3.3).
 * @module
 */
import { eq } from "@scim/filter/ast";
import type { AttributeDefinition, JsonObject } from "@scim/schemas";
import { compare } from "../comparison/compare.ts";
import { resourceAttribute } from "../comparison/resource-attribute.ts";
import { UnknownOutcomeError } from "../errors/connection-error.ts";
import { ServiceError } from "../errors/service-error.ts";
import { bodyText } from "../exchange/body-text.ts";
import type { Answer } from "../exchange/answer.ts";
import { memberNamed } from "../patch/json-equality.ts";
import { readPage } from "../pages/page.ts";
import { queryOf } from "../pages/query.ts";
import { idAt } from "./location.ts";
import type { CallOptions } from "./options.ts";
import { checkedResource, isResource, resourceOf, type ResourceParts } from "./parts.ts";
import { read } from "./reading.ts";
import type { DynamicResource } from "./shape.ts";

/** An attribute and the value by which a resource is found again. */
interface Identification {
  readonly path: string;
  readonly value: string;
}

/** A resource that was created. */
export interface Created {
  readonly resource: DynamicResource;
  /** HTTP status of the creation; 201 where the resource was found by a look-up. */
  readonly status: number;
}

/** Creates a resource. */
export async function create(
  parts: ResourceParts,
  input: object,
  options: CallOptions = {},
): Promise<DynamicResource> {
  const { resource } = await createOnce(parts, parts.writeBody(input), options);
  return resource;
}

/**
 * Creates a resource of a body; where nobody knows whether it was created, it is looked up: first of all, where there is
 * a doubt from before.
 * @throws {@link UnknownOutcomeError} where the look-up does not tell either
 */
export async function createOnce(
  parts: ResourceParts,
  body: JsonObject,
  { doubt: before, ...options }: CallOptions & { readonly doubt?: UnknownOutcomeError | undefined },
): Promise<Created> {
  const identifications = identificationsOf(parts, body);
  let doubt: UnknownOutcomeError | null = before ?? null;
  if (doubt !== null) {
    if (identifications.length === 0) throw unidentified(parts, doubt);
    const made = await lookUp(parts, { identifications, body, doubt, options });
    if (made !== null) return { resource: made, status: 201 };
  }
  for (let attempt = 1; ; attempt += 1) {
    let answer: Answer;
    try {
      answer = await post(parts, bodyText(body), options);
    } catch (error) {
      if (error instanceof UnknownOutcomeError) doubt = error;
      // What is there already may be what an attempt before has made.
      else if (doubt === null || !isConflict(error)) throw error;
      if (identifications.length === 0) throw error;
      const made = await lookUp(parts, { identifications, body, doubt, options });
      if (made !== null) return { resource: made, status: 201 };
      if (!(error instanceof UnknownOutcomeError) || attempt >= parts.engine.attempts) throw error;
      await waitFor(parts, { attempt, doubt, options });
      continue;
    }
    return { resource: await madeBy(parts, answer, options), status: answer.status };
  }
}

function unidentified({ type }: ResourceParts, doubt: UnknownOutcomeError): UnknownOutcomeError {
  const request = doubt.request ?? { method: "POST", path: type.endpoint, requestId: null, attempts: 1 };
  const what = "nobody knows whether it was created: nothing identifies it";
  return new UnknownOutcomeError(what, { request, cause: doubt });
}

function post({ engine, type }: ResourceParts, body: string, options: CallOptions): Promise<Answer> {
  return engine.send({
    method: "POST",
    path: type.endpoint,
    body,
    headers: options.headers ?? {},
    repetition: "more",
    signal: options.signal,
    timeout: options.timeout,
  });
}

/**
 * What was created; a service need not answer with it (RFC 7644 §3.3), but with where it is.
 * @throws {@link UnknownOutcomeError} where it was created, and cannot be read
 */
async function madeBy(parts: ResourceParts, answer: Answer, options: CallOptions): Promise<DynamicResource> {
  const { request, status, headers, body } = answer;
  const id = status === 201 && !isResource(body) ? idAt(headers["location"]) : null;
  if (id === null) return resourceOf(parts, answer, null);
  return read(parts, id, { ...options, fresh: true }).catch((cause: unknown) => {
    throw new UnknownOutcomeError("it was created, and reading it failed", {
      request,
      candidates: [id],
      cause,
    });
  });
}

interface Wait {
  readonly attempt: number;
  readonly doubt: UnknownOutcomeError;
  readonly options: CallOptions;
}

/** @throws {@link UnknownOutcomeError} the doubt, where the caller gives up meanwhile */
async function waitFor({ engine }: ResourceParts, { attempt, doubt, options }: Wait): Promise<void> {
  try {
    await engine.wait(attempt, options.signal);
  } catch {
    throw doubt;
  }
}

/** Some services refuse what is there already as a wrong request, with the keyword of a conflict. */
function isConflict(error: unknown): boolean {
  return error instanceof ServiceError && (error.status === 409 || error.code === "uniqueness");
}

/** `externalId`, which the client chose, and what is unique and has a value. */
function identificationsOf({ type }: ResourceParts, body: JsonObject): readonly Identification[] {
  const unique = type.schema.attributes.filter(isUnique).map(({ name }) => name);
  return ["externalId", ...unique].flatMap((path) => {
    const value = body[path];
    return typeof value === "string" && value !== "" ? [{ path, value }] : [];
  });
}

function isUnique({ uniqueness, multiValued, type }: AttributeDefinition): boolean {
  return uniqueness !== undefined && uniqueness !== "none" && multiValued !== true && type === "string";
}

interface LookUp {
  /** At least one. */
  readonly identifications: readonly Identification[];
  readonly body: JsonObject;
  readonly doubt: UnknownOutcomeError;
  readonly options: CallOptions;
}

/**
 * What was created, or null where nothing was.
 * @throws {@link UnknownOutcomeError} where several resources have the value, or one that holds something else, or where the
 * service does not obey the filter
 */
async function lookUp(
  parts: ResourceParts,
  { identifications, body, doubt, options }: LookUp,
): Promise<DynamicResource | null> {
  const { answer, path, value } = await foundBy(parts, { identifications, doubt, options });
  const listed = readPage(answer).resources.map((resource) => checkedResource(resource, answer));
  const found = listed.filter((resource) => mayHold(resource, { path, value }));
  const [only] = found;
  if (only === undefined && listed.length === 0) return null;
  if (only !== undefined && found.length === 1) {
    // What it was found by is told by that, also where the service does not return it.
    const shown = { [path]: value, ...only };
    const finding = compare(resourceAttribute(parts.type), shown, { value: body, before: [] });
    if (finding !== "other") {
      parts.memory.remember(only, undefined);
      return only;
    }
  }
  const what =
    only === undefined
      ? `looked up by its ${path}, the service lists others`
      : found.length === 1
        ? `a resource with this ${path} exists, and holds something else`
        : `${found.length} resources have this ${path}`;
  throw new UnknownOutcomeError(`nobody knows whether it was created: ${what}`, {
    request: doubt.request ?? answer.request,
    candidates: found.map(({ id }) => id),
    cause: doubt,
  });
}

/** Whether a resource has the value that it was looked up by, as far as that is shown: some services ignore filters, and list everybody. */
function mayHold(resource: DynamicResource, { path, value }: Identification): boolean {
  const held = memberNamed(resource, path);
  // Services compare by rules of their own: look-alikes count as the same.
  const folded = (text: string): string => text.normalize("NFKC").toLowerCase();
  return typeof held !== "string" || folded(held) === folded(value);
}

/** The answer to the first look-up that the service takes: some can filter by names alone. */
async function foundBy(
  { engine, type }: ResourceParts,
  { identifications, doubt, options }: Omit<LookUp, "body">,
): Promise<Identification & { readonly answer: Answer }> {
  const { headers, signal, timeout } = options;
  let cause: unknown = null;
  for (const { path, value } of identifications) {
    const query = queryOf({ filter: eq(path, value) });
    const call = { method: "GET", path: type.endpoint, query, repetition: "safe" } as const;
    try {
      return { path, value, answer: await engine.send({ ...call, headers, signal, timeout }) };
    } catch (error) {
      cause = error;
      if (!(error instanceof ServiceError && UNFILTERABLE.has(error.status))) break;
    }
  }
  throw new UnknownOutcomeError("nobody knows whether it was created: looking it up failed", {
    request: doubt.request ?? { method: "POST", path: type.endpoint, requestId: null, attempts: 1 },
    cause,
  });
}

/** Statuses by which a service says that it cannot filter so. */
const UNFILTERABLE: ReadonlySet<number> = new Set([400, 501]);
