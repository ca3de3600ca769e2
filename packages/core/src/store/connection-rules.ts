/**
 * Uniqueness rules of connections, as a store holds them for all who write: whatever a writer's profile says.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { UniqueEntry } from "./write-plan.ts";

/** A rule: of the resources of a type that one connection created, no two have one value of an attribute. */
export interface ConnectionRule extends Pick<UniqueEntry, "path" | "scope"> {
  readonly tenant: string;
  readonly connection: string;
  readonly type: string;
}

/** How far the store holds a rule. */
export interface RuleState {
  /** Names whoever began. */
  readonly token: string;
  /** Whether the values of all resources are taken. */
  readonly complete: boolean;
}

/** A resource whose value another one holds. */
export interface HeldTwice {
  readonly id: string;
  readonly body: JsonObject;
  /** The other. */
  readonly holder: string;
}

/** What a step through the resources came to. */
export interface FilledPage {
  /** Where the next step begins; null behind the last resource. */
  readonly next: string | null;
  /** Resources of the rule that were looked at. */
  readonly seen: number;
  /** Resources whose value another holds: no value was taken for them. */
  readonly refused: number;
  /** The first of them. */
  readonly first: readonly HeldTwice[];
}

/** Most resources that {@link FilledPage} names. */
export const MOST_NAMED = 20;

/**
 * Holds rules of connections. Where one is begun, every write takes the values that it names in `whereHeld`, and is
 * refused as a duplicate where another resource holds one.
 */
export interface ConnectionRules {
  /** Null where the store does not hold the rule: nobody began, or it was ended. */
  state(rule: ConnectionRule): Promise<RuleState | null>;
  /**
   * Begins to hold a rule, and takes it over from whoever began before: what begins to write behind this takes its value.
   * @param token a text that nobody else names
   */
  begin(rule: ConnectionRule, token: string): Promise<void>;
  /**
   * Resolves when every write of a tenant is over that was under way at the call: what of them is to be seen, is seen.
   * @throws ScimError `unavailable` where one is not over in time
   */
  earlierWritesOver(tenant: string): Promise<void>;
  /**
   * Takes the values of the next resources that lack one, a few at a time, each as it is at that moment. It needs no rule that is
   * begun: what was taken before is of use to nobody, and in nobody's way.
   * @param after the place that the step before came to; null for the beginning
   * @param entryOf the value of a resource; null where it has none
   */
  fill(
    rule: ConnectionRule,
    after: string | null,
    entryOf: (body: JsonObject) => UniqueEntry | null,
  ): Promise<FilledPage>;
  /** Notes that the values of all resources are taken. Resolves to false where another has begun since, or it was ended. */
  complete(rule: ConnectionRule, token: string): Promise<boolean>;
  /** Ends what was begun under a token; what another began since stays. Values that are taken stay so. */
  end(rule: ConnectionRule, token: string): Promise<void>;
}
