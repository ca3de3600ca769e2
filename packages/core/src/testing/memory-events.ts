/**
 * The events of one tenant in memory.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { collectionChangesOf, type FeedEvent, type FeedPage } from "../store/event-feed.ts";
import type { WritePlan } from "../store/port.ts";

/** What happened to the resources of a tenant, in order: those that have a position come first. */
export class MemoryEvents {
  readonly #events: Omit<FeedEvent, "position">[] = [];
  #head = 0;

  get head(): number {
    return this.#head;
  }

  /** Tells a plan on behalf of a connection. */
  tell(plan: WritePlan, { body, connection, version }: Telling): void {
    const { kind, subject, changed } = plan.event;
    const sameBody = plan.kind === "create" || (plan.kind === "update" && plan.body === null);
    this.#events.push({
      at: plan.at,
      connection,
      subject,
      kind,
      type: plan.type,
      id: plan.id,
      version,
      changed,
      before: sameBody ? null : body,
      after: plan.kind === "delete" ? null : plan.body,
      collections: collectionChangesOf(plan),
    });
  }

  read({ after, limit }: FeedPage): readonly FeedEvent[] {
    return this.#events
      .slice(after, Math.min(after + limit, this.#head))
      .map((event, index) => ({ ...event, position: after + index + 1 }));
  }

  assign(limit: number): number {
    const given = Math.min(limit, this.#events.length - this.#head);
    this.#head += given;
    return given;
  }
}

/** What an event tells beside the plan. */
interface Telling {
  /** Of the resource before the plan; null for a new one. */
  readonly body: JsonObject | null;
  readonly connection: string;
  readonly version: string;
}
