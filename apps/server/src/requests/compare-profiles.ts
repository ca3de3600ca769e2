/**
 * What another profile would change for a connection: each request of its log is sent to two new services, which
 * differ in their profile alone, and the answers are compared. Nothing is written to the database.
 * @module
 */
import { ALL_CONSTRAINTS, type Profile, type SwitchName } from "@scim/core";
import { type CaseDifference, compareServices, type RequestCase, type StoredRequest } from "@scim/events";
import { isScimError } from "@scim/schemas";
import { CommandFailure } from "../failure.ts";
import { replayCase } from "./replay-case.ts";
import { isRefusedAsLogged } from "./logged-outcome.ts";

/** What became of a request. */
export interface ComparedRequest {
  readonly entry: StoredRequest;
  /** Where the answers differ: `expected` is that of the first profile. None where they are alike. */
  readonly differences: readonly CaseDifference[];
  /** Why it could not be sent, or its answers say nothing; null where they do. */
  readonly skipped: string | null;
}

/** Two profiles. */
export interface ProfilePair {
  readonly before: Profile;
  readonly after: Profile;
}

/** Makes the cases of entries. */
export interface ProfileCases {
  /** Under the first profile. */
  before(entry: StoredRequest): Promise<RequestCase>;
  /** Under that of the connection. */
  own(entry: StoredRequest): Promise<RequestCase>;
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

/** Compares the answers to a request under two profiles. */
export async function compareProfiles(
  cases: ProfileCases,
  entry: StoredRequest,
  { after }: ProfilePair,
): Promise<ComparedRequest> {
  try {
    const of = await cases.before(entry);
    const { placed: first } = await replayCase(of);
    const { placed: second } = await replayCase({
      ...of,
      profile: { name: after.name, switches: [...after.switches] },
    });
    const differences = compareServices(first, second);
    const saysSomething =
      differences.length > 0 || isRefusedAsLogged(of, first) || (await isRefusedByOwn(cases, entry));
    return { entry, differences, skipped: saysSomething ? null : BEYOND_LOG };
  } catch (error) {
    // The log holds too little of it, or what it needs cannot be made under both profiles.
    if (isScimError(error) || error instanceof CommandFailure)
      return { entry, differences: [], skipped: error.message };
    throw error;
  }
}

const BEYOND_LOG =
  "A new service refuses what the log has otherwise: it depends on more than the log holds, such as who asked, or what was there.";

/** Whether a new service with the profile of the connection refuses what the log has: neither of the two profiles need be that. */
async function isRefusedByOwn(cases: ProfileCases, entry: StoredRequest): Promise<boolean> {
  const of = await cases.own(entry);
  return isRefusedAsLogged(of, (await replayCase(of)).answer);
}
