/**
 * The error that a request is refused with.
 * @module
 */
import { ScimError, type JsonObject } from "@scim/schemas";

/** What a client sees of an error. */
export interface Refusal {
  /** Status and scimType: `400 invalidValue`, `404`. */
  readonly answer: string;
  readonly detail: string;
  readonly members: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
}

/** The refusal that a request ends in; fails where it is answered. */
export async function refusal(request: Promise<unknown>): Promise<Refusal> {
  const { answer, error } = await settle(request);
  if (error === null) throw new TypeError(`Expected a refusal, not ${JSON.stringify(answer)}`);
  const { status, scimType, detail, members, headers } = error;
  return {
    answer: scimType === undefined ? String(status) : `${String(status)} ${scimType}`,
    detail,
    members,
    headers,
  };
}

async function settle(
  request: Promise<unknown>,
): Promise<{ readonly answer: unknown; readonly error: ScimError | null }> {
  try {
    return { answer: await request, error: null };
  } catch (error) {
    if (error instanceof ScimError) return { answer: null, error };
    throw error;
  }
}
