/**
 * Read, change, write; and again, where another was faster: no change is lost (RFC 7644 §3.14).
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { UnknownOutcomeError } from "../errors/connection-error.ts";
import { VersionConflictError } from "../errors/service-error.ts";
import { UsageError } from "../errors/usage-error.ts";
import { idOf, type ResourceTarget } from "../versions/version-memory.ts";
import { diffResources } from "../patch/diff.ts";
import type { CallOptions, ChangeOptions } from "./options.ts";
import { holds } from "./holds.ts";
import type { ResourceParts } from "./parts.ts";
import { read } from "./reading.ts";
import type { DynamicResource } from "./shape.ts";
import { patch, replace } from "./writing.ts";

/** How a resource is updated. */
export interface UpdateOptions extends CallOptions {
  /** How often it is tried: 1 or more. Default 32. */
  readonly attempts?: number | undefined;
  /** Whether to write without a version where the service gives none: a change by another may be lost. Default false. */
  readonly unguarded?: boolean | undefined;
  /**
   * How the change is written: what differs, by PATCH, or the whole resource, by PUT. PATCH leaves alone what the service
   * does not show. Default: PATCH where the service offers it.
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
  const { attempts = 32, unguarded = false, by, ...call } = options;
  const id = idOf(target);
  for (let attempt = 1; ; attempt += 1) {
    const current = await read(parts, id, { ...call, fresh: attempt > 1 });
    const version = parts.memory.tagOf(current);
    // A function may change what it is given.
    const before = JSON.stringify(current);
    const next = await change(current);
    if (next === current && JSON.stringify(next) === before) return current;
    if (version === null && !unguarded) {
      throw new UsageError("missingVersion", "The service gives no version of the resource.");
    }
    try {
      return await write(parts, { id, before, current, next, by, options: { ...call, version } });
    } catch (error) {
      if (error instanceof UnknownOutcomeError) return foundDone(parts, { id, next, call, error });
      if (attempt >= attempts || !(error instanceof VersionConflictError)) throw error;
      await parts.engine.wait(Math.min(attempt, 4), call.signal);
    }
  }
}

interface Write {
  readonly id: string;
  /** JSON of the resource as it was read. */
  readonly before: string;
  readonly current: DynamicResource;
  readonly next: object;
  readonly by: UpdateOptions["by"];
  readonly options: ChangeOptions;
}

async function write(
  parts: ResourceParts,
  { id, before, current, next, by, options }: Write,
): Promise<DynamicResource> {
  const patches =
    by === undefined
      ? (await parts.discovery.capabilities({ signal: options.signal })).patch
      : by === "patch";
  if (!patches) return replace(parts, id, { input: next, options });
  // It was read as a JSON object.
  const operations = diffResources(JSON.parse(before) as JsonObject, next, parts.type);
  if (operations.length === 0) return current;
  const { version: _version, ...call } = options;
  return (await patch(parts, id, { operations, options })) ?? read(parts, id, { ...call, fresh: true });
}

interface Doubt {
  readonly id: string;
  readonly next: object;
  readonly call: CallOptions;
  readonly error: UnknownOutcomeError;
}

/** The resource where it is as it was to be; a change that may have been made is not made again. */
async function foundDone(parts: ResourceParts, { id, next, call, error }: Doubt): Promise<DynamicResource> {
  const current = await read(parts, id, { ...call, fresh: true });
  if (holds(current, parts.writeBody(next))) return current;
  throw error;
}
