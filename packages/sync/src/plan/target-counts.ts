/**
 * How many resources the target has: where there are fewer the next time, some were deleted, and no list tells which.
 * @module
 */
import { ServiceError, type ScimClient } from "@scim/client";
import { instantOf } from "../service-clock.ts";
import type { TargetResources } from "../target-resources.ts";
import type { TypePlan } from "./type-plan.ts";

/** What was counted before the target was read, so that whoever is deleted from then on is missing the next time. */
export class TargetCounts {
  /** Instant of the target's clock, in milliseconds since 1970, before it was counted; null where it tells none. */
  readonly at: number | null;
  readonly #totals: Map<string, number>;

  constructor(at: number | null, totals: Map<string, number>) {
    this.at = at;
    this.#totals = totals;
  }

  /** How many of a type there were, and what the sync made and deleted of them since; null where the target does not tell. */
  of(type: string): number | null {
    return this.#totals.get(type) ?? null;
  }

  /** Takes in that the sync made a resource. */
  made(type: string): void {
    this.#add(type, 1);
  }

  /** Takes in that the sync deleted a resource. */
  deleted(type: string): void {
    this.#add(type, -1);
  }

  /** All of them by type. */
  get totals(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#totals);
  }

  #add(type: string, count: number): void {
    const total = this.#totals.get(type);
    if (total !== undefined) this.#totals.set(type, total + count);
  }
}

/** Counts the resources of a target. */
export async function countTarget(
  client: ScimClient,
  types: readonly TypePlan[],
  signal?: AbortSignal,
): Promise<TargetCounts> {
  const at = await instantOf(client, signal);
  const totals = new Map<string, number>();
  for (const { type, sections } of types) {
    const [section] = sections;
    const total = section === undefined ? null : await totalOf(client.resource(section.type), signal);
    if (total !== null) totals.set(type, total);
  }
  return new TargetCounts(at, totals);
}

/** How many resources there are; null where the target does not tell, or takes no query for that. */
async function totalOf(resources: TargetResources, signal?: AbortSignal): Promise<number | null> {
  try {
    return (await resources.page({ count: 0, signal })).totalResults;
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
