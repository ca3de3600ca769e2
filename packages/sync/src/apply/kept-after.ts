/**
 * Finds out what the target made of what it was sent.
 * @module
 */
import { isScimClientError, type DynamicResource } from "@scim/client";
import type { Desired } from "../plan/desired.ts";
import { keptIn, stillAsked } from "../plan/kept-values.ts";
import type { KeptValue } from "../state/known-resource.ts";
import type { TargetResources } from "../target-resources.ts";

/** What was sent, and answered. */
export interface Sent {
  readonly id: string;
  readonly desired: Desired;
  /** The resource as the target answered with it; null where it did not. */
  readonly answer: DynamicResource | null;
  /** Whether the same values were sent before, and were not there when the target was read. */
  readonly isRepeated: boolean;
  /** What was kept before. */
  readonly known: readonly KeptValue[];
}

/** What the target keeps in another form. */
export async function keptAfter(resources: TargetResources, sent: Sent): Promise<readonly KeptValue[]> {
  const { answer, desired, isRepeated, id } = sent;
  const told = answer === null ? [] : keptIn(answer, desired);
  const there = told.filter(({ kept }) => kept !== "null");
  if (answer !== null && there.length === told.length) return told;
  // What an answer lacks may be missing in it alone: only where the same is sent again and again, it is read.
  const read = isRepeated ? await readAgain(resources, id) : null;
  if (read !== null) return keptIn(read, desired);
  const paths = new Set(there.map(({ path }) => path));
  return [...there, ...stillAsked(sent.known, desired).filter(({ path }) => !paths.has(path))];
}

/** The change was made: where reading fails, what is kept is found out another time. */
async function readAgain(resources: TargetResources, id: string): Promise<DynamicResource | null> {
  try {
    return await resources.get(id, { fresh: true });
  } catch (error) {
    if (isScimClientError(error)) return null;
    throw error;
  }
}
