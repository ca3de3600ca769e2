/**
 * The events of one tenant in memory.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { Deletion } from "../store/deleted-resources.ts";
import { collectionChangesOf, type FeedEvent, type FeedPage, versionBefore } from "../store/event-feed.ts";
import type { WritePlan } from "../store/write-plan.ts";

/** What happened to the resources of a tenant, in order: those that have a position come first, the oldest may go. */
export class MemoryEvents {
  readonly #events: Omit<FeedEvent, "position">[] = [];
  #head = 0;
  #removed = 0;

  get head(): number {
    return this.#head;
  }

  /** Tells a plan on behalf of a connection. */
  tell(plan: WritePlan, { body, connection, version }: Telling): void {
    const { kind, subject, origin = null, changed } = plan.event;
    const hasNoBefore =
      plan.kind === "create" || plan.kind === "restore" || (plan.kind === "update" && plan.body === null);
    this.#events.push({
      at: plan.at,
      connection,
      subject,
      origin,
      kind,
      type: plan.type,
      id: plan.id,
      version,
      versionBefore: versionBefore(plan),
      changed,
      before: hasNoBefore ? null : body,
      after: plan.kind === "delete" ? null : plan.body,
      collections: collectionChangesOf(plan),
    });
  }

  /** Who deleted a resource last; null where that is not told any more. */
  deletionOf(type: string, id: string): Deletion | null {
    const last = this.#events.findLast((event) => event.type === type && event.id === id);
    if (last?.kind !== "deleted") return null;
    const { connection, subject, origin } = last;
    return { connection, subject, origin };
  }

  read({ after, limit, bytes = Number.POSITIVE_INFINITY }: FeedPage): readonly FeedEvent[] {
    const first = Math.max(after, this.#removed);
    let told = 0;
    const page = this.#events.slice(
      first - this.#removed,
      Math.min(first + limit, this.#head) - this.#removed,
    );
    const end = page.findIndex(({ before, after: state, collections }) => {
      told += JSON.stringify([before, state, collections]).length;
      return told >= bytes;
    });
    const events = end === -1 ? page : page.slice(0, end + 1);
    return events.map((event, index) => ({ ...event, position: first + index + 1 }));
  }

  assign(limit: number): number {
    const given = Math.min(limit, this.#removed + this.#events.length - this.#head);
    this.#head += given;
    return given;
  }

  purge(before: string, limit: number, present?: string): number {
    const placed = this.#events.slice(0, this.#head - this.#removed);
    const kept = placed.findIndex(({ at }) => at >= before && (present === undefined || at <= present));
    const going = kept === -1 ? placed : placed.slice(0, kept);
    const count = Math.min(limit, going.findLastIndex(({ at }) => at < before) + 1);
    this.#events.splice(0, count);
    this.#removed += count;
    return count;
  }
}

/** What an event tells beside the plan. */
interface Telling {
  /** Of the resource before the plan; null for a new one. */
  readonly body: JsonObject | null;
  readonly connection: string;
  readonly version: string;
}
