/**
 * Read, change, write; and again, where another was faster: no change is lost (RFC 7644 §3.14).
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { UNKNOWN_CAPABILITIES } from "../discovery/capabilities.ts";
import { ConnectionError, UnknownOutcomeError } from "../errors/connection-error.ts";
import { ServiceError, VersionConflictError } from "../errors/service-error.ts";
import { UsageError } from "../errors/usage-error.ts";
import { requireNumbers } from "../exchange/body-text.ts";
import { isSameWrite } from "../versions/entity-tag.ts";
import { idOf, metaVersion, type ResourceTarget } from "../versions/version-memory.ts";
import { diffResources } from "../patch/diff.ts";
import type { CallOptions, ChangeOptions, Projection, ReadOptions } from "./options.ts";
import { outcomeOf } from "./lost-update.ts";
import type { ResourceParts } from "./parts.ts";
import { read } from "./reading.ts";
import { requireAttributes } from "./request-body.ts";
import type { DynamicResource } from "./shape.ts";
import { wholeAttributes, withMissing } from "./whole.ts";
import { patch, replace } from "./writing.ts";

/** How a resource is updated. */
export interface UpdateOptions extends CallOptions {
  /** How often it is tried: 1 or more. Default 32. */
  readonly attempts?: number | undefined;
  /** Whether to write without a version where the service gives none: a change by another may be lost. Default false. */
  readonly unguarded?: boolean | undefined;
  /**
   * How the change is written: what differs, by PATCH, or the whole resource, by PUT. PATCH leaves alone what the service
   * does not show. For PUT the resource is read with what is shown on request alone; what is never shown, a service may
   * clear (RFC 7644 §3.5.1). Default: PATCH, unless the service denies it.
   */
  readonly by?: "patch" | "replace" | undefined;
}

/** A change to a resource. */
export interface Update {
  readonly target: ResourceTarget;
  readonly change: (current: DynamicResource) => object | Promise<object>;
  readonly options: UpdateOptions;
}

/** Updates a resource. */
export async function update(
  parts: ResourceParts,
  { target, change, options }: Update,
): Promise<DynamicResource> {
  const { attempts = 32, unguarded = false, by: wanted, ...call } = options;
  if (!(attempts >= 1)) throw new UsageError("invalidOption", "'attempts' is a number from 1.");
  requireFunction(change);
  const id = idOf(target);
  const attributes = await attributesFor(wanted, parts, call);
  for (let attempt = 1; ; attempt += 1) {
    const current = await readFor(parts, id, { ...call, attributes, fresh: attempt > 1 });
    const version = await guardOf(parts, current, call);
    // A function may change what it is given.
    const text = JSON.stringify(current);
    const next = await change(current);
    requireAttributes(next);
    requireNumbers(next);
    if (next === current && JSON.stringify(next) === text) return current;
    if (version === null && !unguarded) {
      throw new UsageError("missingVersion", "The service gives no version of the resource.");
    }
    // It was read as a JSON object.
    const before = JSON.parse(text) as JsonObject;
    const by = wanted ?? (await defaultWay(parts, call));
    try {
      return await write(parts, { id, before, current, next, by, options: { ...call, version } });
    } catch (error) {
      if (error instanceof UnknownOutcomeError) {
        const made = await lookUp(parts, { id, before, next, version, by, call, attributes, error });
        if (made !== null) return made;
      } else if (!(error instanceof VersionConflictError)) throw error;
      if (attempt >= attempts) throw error;
      await waitAfter(error, parts, { attempt, signal: call.signal });
    }
  }
}

/** Refuses what is no function, such as the resource as it should be: programs without types may give it. */
function requireFunction(change: unknown): void {
  if (typeof change !== "function")
    throw new UsageError(
      "invalidInput",
      "'update' takes a function that is given the resource, and gives it back as it should be.",
    );
}

/**
 * The entity tag that keeps a change from the changes of others; null where there is none. A service that says that it has no
 * versions, and gives none in the resource, does not look at the tag that its web server puts on each answer.
 */
async function guardOf(
  { memory, discovery }: ResourceParts,
  current: DynamicResource,
  { signal }: CallOptions,
): Promise<string | null> {
  const tag = memory.tagOf(current);
  if (tag === null || metaVersion(current) !== undefined) return tag;
  const capabilities = await discovery.capabilities({ signal });
  return capabilities.versions || capabilities === UNKNOWN_CAPABILITIES ? tag : null;
}

/** @throws {@link ConnectionError} `aborted` where the caller gives up meanwhile: nothing was changed then */
async function waitAfter(
  failed: VersionConflictError | UnknownOutcomeError,
  { engine }: ResourceParts,
  { attempt, signal }: { readonly attempt: number; readonly signal: AbortSignal | undefined },
): Promise<void> {
  try {
    await engine.wait(Math.min(attempt, 4), signal);
  } catch (cause) {
    const { request } = failed;
    throw request === null
      ? failed
      : new ConnectionError("aborted", "the request was given up", { request, cause });
  }
}

/**
 * The resource with what it shows on request alone, where that is asked for; what a service leaves out of such an answer, though
 * it shows it unasked, is there too. Its version is that of the first of both answers: a change between them is noticed.
 */
async function readFor(
  parts: ResourceParts,
  id: string,
  options: ReadOptions & Projection<string>,
): Promise<DynamicResource> {
  const { attributes, ...unasked } = options;
  const whole = await read(parts, id, options);
  return attributes === undefined ? whole : withMissing(whole, await read(parts, id, unasked));
}

/** What to read so that PUT takes nothing away; undefined for what is shown without being asked for. */
async function attributesFor(
  wanted: UpdateOptions["by"],
  parts: ResourceParts,
  call: CallOptions,
): Promise<readonly string[] | undefined> {
  const attributes = wholeAttributes(parts.type);
  if (attributes === undefined) return undefined;
  return (wanted ?? (await defaultWay(parts, call))) === "replace" ? attributes : undefined;
}

async function defaultWay(
  { discovery }: ResourceParts,
  { signal }: CallOptions,
): Promise<"patch" | "replace"> {
  return (await discovery.capabilities({ signal })).patch ? "patch" : "replace";
}

interface Write {
  readonly id: string;
  /** The resource as it was read. */
  readonly before: JsonObject;
  readonly current: DynamicResource;
  readonly next: object;
  readonly by: "patch" | "replace";
  readonly options: ChangeOptions;
}

async function write(
  parts: ResourceParts,
  { id, before, current, next, by, options }: Write,
): Promise<DynamicResource> {
  if (by === "replace") return replace(parts, id, { input: next, options });
  const operations = diffResources(before, next, parts.type);
  if (operations.length === 0) return current;
  const { version: _version, ...call } = options;
  return (await patch(parts, id, { operations, options })) ?? read(parts, id, { ...call, fresh: true });
}

interface Doubt {
  readonly id: string;
  readonly before: JsonObject;
  readonly next: object;
  /** Version that the change was made on; null for any. */
  readonly version: string | null;
  readonly by: "patch" | "replace";
  readonly call: CallOptions;
  /** What was read. */
  readonly attributes: readonly string[] | undefined;
  readonly error: UnknownOutcomeError;
}

/**
 * The resource where it is as it was to be; null where somebody else has changed it, and the change was not made. A change
 * that may have been made is not made again.
 * @throws {@link UnknownOutcomeError} where the resource does not tell
 */
async function lookUp(
  parts: ResourceParts,
  { id, before, next, version, by, call, attributes, error }: Doubt,
): Promise<DynamicResource | null> {
  const found = await readFor(parts, id, { ...call, attributes, fresh: true }).catch((cause: unknown) => {
    // What is not there was not changed: that is an answer.
    if (error.request === null || (cause instanceof ServiceError && cause.code === "notFound")) throw cause;
    const what = "nobody knows whether it was done: reading the resource failed";
    throw new UnknownOutcomeError(what, { request: error.request, candidates: [id], cause });
  });
  const outcome = outcomeOf(parts.type, { before, next: parts.writeBody(next), found, by });
  if (outcome === "made") return found;
  const tag = parts.memory.tagOf(found);
  const isMoved = version !== null && tag !== null && !isSameWrite(version, tag);
  // On a version that is gone, the request cannot arrive late either.
  if (outcome === "unmade" && isMoved) return null;
  throw error;
}
