/**
 * What another profile would change for a connection: each request of its log is sent to two new services, which
 * differ in their profile alone, and the answers are compared. Nothing is written to the database.
 * @module
 */
import { ALL_CONSTRAINTS, type Profile, type SwitchName } from "@scim/core";
import { type CaseDifference, compareAnswer, type RequestCase, type StoredRequest } from "@scim/events";
import { isScimError } from "@scim/schemas";
import { CommandFailure } from "../failure.ts";
import { replayCase } from "./replay-case.ts";

/** What became of a request. */
export interface ComparedRequest {
  readonly entry: StoredRequest;
  /** Where the answers differ: `expected` is that of the first profile. None where they are alike. */
  readonly differences: readonly CaseDifference[];
  /** Why it could not be sent; null where it was. */
  readonly skipped: string | null;
}

/** Two profiles. */
export interface ProfilePair {
  readonly before: Profile;
  readonly after: Profile;
}

/**
 * The rules of uniqueness that the second profile turns on. They look at resources that a request does not hold, and to turn
 * one on is refused where resources are there that it forbids, so that no comparison of answers tells what they do.
 */
export function incomparable({ before, after }: ProfilePair): readonly SwitchName[] {
  return ALL_CONSTRAINTS.map(({ name }) => name).filter(
    (name) => after.switches.has(name) && !before.switches.has(name),
  );
}

/**
 * Compares the answers to a request under two profiles.
 * @param caseOf the case of an entry under the first
 */
export async function compareProfiles(
  caseOf: (entry: StoredRequest) => Promise<RequestCase>,
  entry: StoredRequest,
  { after }: ProfilePair,
): Promise<ComparedRequest> {
  try {
    const of = await caseOf(entry);
    const first = await replayCase(of);
    const second = await replayCase({
      ...of,
      profile: { name: after.name, switches: [...after.switches] },
    });
    return { entry, differences: compareAnswer(first.answer, second.answer), skipped: null };
  } catch (error) {
    // The log holds too little of it, or what it needs cannot be made under both profiles.
    if (isScimError(error) || error instanceof CommandFailure)
      return { entry, differences: [], skipped: error.message };
    throw error;
  }
}
