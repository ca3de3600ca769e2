/**
 * What administration refuses, as errors of the service.
 * @module
 */
import { ScimError, type ErrorCode } from "@scim/schemas";
import { TenancyError, type TenancyErrorCode } from "@scim/tenancy";
import { etagOf } from "./revision.ts";

const CODES: Readonly<Record<TenancyErrorCode, ErrorCode>> = {
  invalid: "invalidValue",
  notFound: "notFound",
  exists: "uniqueness",
  changed: "versionMismatch",
  refused: "conflict",
};

/** A refusal of administration as a `ScimError`; whatever else was thrown as it is. */
export function tenancyProblem(thrown: unknown): unknown {
  if (!(thrown instanceof TenancyError)) return thrown;
  const { code, message, revision } = thrown;
  const current =
    revision === null
      ? {}
      : { headers: { etag: etagOf(revision) }, members: { currentVersion: String(revision) } };
  return new ScimError(CODES[code], message, { cause: thrown, ...current });
}
