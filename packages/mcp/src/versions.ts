/**
 * Versions as tools have them: raw texts, in and out.
 * @module
 */
import { rawVersion } from "@scim/client/fetch";
import { isJsonObject, type JsonObject } from "@scim/schemas";
import { textOf } from "./parameters.ts";
import { invalidParams } from "./tool-error.ts";
import type { ValueSchema } from "./tool.ts";

/** What every parameter for a version says of itself. */
export const EXPECTED_VERSION: ValueSchema = {
  type: "string",
  minLength: 1,
  description:
    'The version on which the change is made: `meta.version` of the resource as it was read. `W/"x"`, `"x"` and `x` are the same. If the resource has changed since, nothing is done, and the error tells the current version. Where the service gives no versions, `*` changes the resource as it is.',
};

/**
 * The raw version that a call names; undefined for none.
 * @throws ToolError `invalidParams` where it is no version
 */
export function expectedVersion(params: JsonObject): string | undefined {
  const text = textOf(params, "expected_version");
  if (text === undefined) return undefined;
  const raw = rawVersion(text);
  // What an entity tag cannot hold (RFC 9110 §8.8.3) would not reach the service as it was meant.
  if (!/^[\u0021\u0023-\u007E\u0080-\u00FF]+$/.test(raw)) {
    throw invalidParams(
      "The parameter 'expected_version' is no version: take 'meta.version' as it was read.",
    );
  }
  return raw;
}

/** A resource whose `meta.version` is raw. */
export function withRawVersion(resource: JsonObject): JsonObject {
  const { meta } = resource;
  if (!isJsonObject(meta) || typeof meta["version"] !== "string") return resource;
  return { ...resource, meta: { ...meta, version: rawVersion(meta["version"]) } };
}
