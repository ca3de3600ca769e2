/**
 * What administration refuses, as errors of the service.
 * @module
 */
import { PositionAhead, SubjectOfSeveralTypes } from "@scim/events";
import { ScimError, type ErrorCode, type JsonObject } from "@scim/schemas";
import { DuplicateValues, TenancyError, type TenancyErrorCode } from "@scim/tenancy";
import { ErasureListUnwritten } from "../erasure/erasure-file.ts";
import { etagOf } from "./revision.ts";

const CODES: Readonly<Record<TenancyErrorCode, ErrorCode>> = {
  invalid: "invalidValue",
  notFound: "notFound",
  exists: "uniqueness",
  changed: "versionMismatch",
  refused: "conflict",
};

/** Where the list is stands in the log alone. */
const UNWRITTEN =
  "The list of erasures cannot be written: nothing was erased. The log of the server says why; erase the subject again.";

/**
 * A refusal of administration, of a position that was never given, or of an id that several types have, and a list of erasures that
 * cannot be written, as a `ScimError`; whatever else was thrown as it is.
 */
export function tenancyProblem(thrown: unknown): unknown {
  if (thrown instanceof PositionAhead)
    return new ScimError("invalidValue", thrown.message, { cause: thrown });
  if (thrown instanceof SubjectOfSeveralTypes)
    return new ScimError("conflict", `${thrown.message}.`, {
      cause: thrown,
      members: { types: [...thrown.types] },
    });
  if (thrown instanceof ErasureListUnwritten)
    return new ScimError("unavailable", UNWRITTEN, { cause: thrown, headers: { "retry-after": "5" } });
  if (!(thrown instanceof TenancyError)) return thrown;
  const { code, message, revision } = thrown;
  const current =
    revision === null
      ? duplicatesOf(thrown)
      : { headers: { etag: etagOf(revision) }, members: { currentVersion: String(revision) } };
  return new ScimError(CODES[code], message, { cause: thrown, ...current });
}

/** The resources that a refusal names, for programs. */
function duplicatesOf(refusal: TenancyError): { readonly members?: JsonObject } {
  if (!(refusal instanceof DuplicateValues)) return {};
  const { rule, count, duplicates } = refusal;
  const named = duplicates.map(({ value, ids }) => ({ value, ids: [...ids] }));
  return { members: { switch: rule, duplicateCount: count, duplicates: named } };
}
