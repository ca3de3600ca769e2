/**
 * Events that this process wrote a moment ago and that have no position yet. The audit log is made of them as they were
 * told: to read them again, and their JSON, would cost a good part of what entries cost.
 * @module
 */
import type { FeedEvent } from "@scim/core";
import type { EventToLink } from "@scim/events";

/** An event before it has a position. */
export type UnplacedEvent = Omit<EventToLink, "position">;

/** An event of a tenant. */
export interface FreshEvent {
  readonly tenant: string;
  readonly event: UnplacedEvent;
  /** Characters of the JSON that it holds. */
  readonly size: number;
}

/** What an event tells, wherever it stands. */
export type FreshContent = Pick<FreshEvent, "event" | "size">;

/** What the row of an event says where it has been given a position. */
export interface PlacedRow extends Pick<FeedEvent, "position" | "type" | "id" | "version"> {
  readonly tenant: string;
  /** Whether an erasure took its content. */
  readonly isEmptied: boolean;
}

/** Events that are kept at most, and their characters: what is too much is read from the database. */
const MOST_EVENTS = 1024;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** The events that were committed last, until they are taken. */
export class FreshEvents {
  /** By version: one event leads to it, and no version comes twice. */
  readonly #events = new Map<string, FreshEvent>();
  #characters = 0;

  /** Whether there is none. */
  get isEmpty(): boolean {
    return this.#events.size === 0;
  }

  /** Adds an event whose transaction was committed. */
  add(event: FreshEvent): void {
    const { version } = event.event;
    this.#drop(version);
    this.#events.set(version, event);
    this.#characters += event.size;
    while (this.#events.size > MOST_EVENTS || this.#characters > MOST_CHARACTERS) this.#dropOldest();
  }

  /** Takes the event of a row; null where it is not here, or where the row does not hold its content any more. */
  take(row: PlacedRow): EventToLink | null {
    const found = this.#events.get(row.version);
    if (found === undefined || !isOf(found, row)) return null;
    this.#drop(row.version);
    return row.isEmptied ? null : { position: row.position, ...found.event };
  }

  #dropOldest(): void {
    const [oldest] = this.#events.keys();
    if (oldest !== undefined) this.#drop(oldest);
  }

  #drop(version: string): void {
    this.#characters -= this.#events.get(version)?.size ?? 0;
    this.#events.delete(version);
  }
}

/** Two resources may have come to equal versions by chance: then the one that came first is read. */
function isOf({ tenant, event }: FreshEvent, row: PlacedRow): boolean {
  return event.id === row.id && event.type === row.type && tenant === row.tenant;
}
