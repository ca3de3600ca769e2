/**
 * Changes as server-sent events: a live stream whose client decides how fast it goes.
 * @module
 */
import { Readable } from "node:stream";
import type { EventFeed } from "@scim/core";
import { followChanges, PositionAhead, PositionGone, readChanges, type ChangesPage } from "@scim/events";
import { pause } from "../pause.ts";
import type { ReadingTurn } from "./reading-turns.ts";

/** How a stream follows. */
export interface StreamOptions {
  readonly since: number | null;
  /** Events that are read at once. */
  readonly limit: number;
  /** Milliseconds between two looks for what is new. */
  readonly interval: number;
  /** Ends the stream: the client went away, or the server stops. */
  readonly signal: AbortSignal;
  /** Held while events are read and made into text, and by nobody who waits for some. */
  readonly turn: ReadingTurn;
}

/** Milliseconds after which a client hears that the stream is alive, where nothing happens (15 seconds). */
const HEARTBEAT_MS = 15_000;
/**
 * Bytes of the events that are read at once, about, and characters from which on a text is sent. A client that is slow gets the rest as
 * it is kept when it takes it, and not what an erasure took meanwhile.
 */
const TEXT_LENGTH = 65_536;
/** Events that are read at once, at most: few of them come to so much. */
const READ_AT_ONCE = 100;
const HEARTBEAT = ": nothing new\n\n";

/**
 * Opens a stream: each event with its position as `id` and its JSON as `data`. It looks for more only when the client has
 * taken what was sent. Where what the client has not seen is removed meanwhile, or a backup is restored that never gave the
 * position which the client has, it is sent an event `gone`, and the stream ends.
 * @throws PositionGone, PositionAhead where it cannot begin
 */
export async function openEventStream(
  events: Pick<EventFeed, "read" | "head">,
  tenant: string,
  options: StreamOptions,
): Promise<Readable> {
  const pages = pagesOf(events, tenant, options);
  const first = await pages.next();
  const pagesOfHeartbeat = Math.max(1, Math.round(HEARTBEAT_MS / options.interval));

  async function* texts(): AsyncGenerator<string, void, undefined> {
    // A proxy that waits for the first byte passes the headers on.
    if (first.done === true || first.value.length === 0) yield HEARTBEAT;
    else yield* first.value;
    let silent = 0;
    try {
      for await (const page of pages) {
        silent = page.length === 0 ? silent + 1 : 0;
        if (silent === 0) yield* page;
        else if (silent % pagesOfHeartbeat === 0) yield HEARTBEAT;
      }
    } catch (error) {
      const oldestPosition = oldestAt(error);
      if (oldestPosition === null) throw error;
      const detail = error instanceof Error ? error.message : String(error);
      yield `event: gone\ndata: ${JSON.stringify({ detail, oldestPosition })}\n\n`;
    }
  }
  return Readable.from(texts(), { objectMode: false });
}

/**
 * The texts of each page of a stream. A client that takes all that it is sent would otherwise have the thread for itself up to the last
 * event, and a hundred of them for longer than others wait.
 */
async function* pagesOf(
  events: Pick<EventFeed, "read" | "head">,
  tenant: string,
  { since, limit, interval, signal, turn }: StreamOptions,
): AsyncGenerator<readonly string[], void, undefined> {
  let head = 0;
  const inTurn: Pick<EventFeed, "read" | "head"> = {
    head: async (of) => {
      head = await events.head(of);
      return head;
    },
    // Where there is nothing, to see that takes no time.
    read: async (of, page) => {
      if (page.after < head) await turn.take();
      return events.read(of, page);
    },
  };
  try {
    const pages = followChanges(inTurn, tenant, {
      since,
      limit: Math.min(limit, READ_AT_ONCE),
      bytes: TEXT_LENGTH,
      signal,
      pause: () => pause(interval, signal),
    });
    for await (const page of pages) {
      const texts = [...textsOf(page)];
      turn.end();
      // A stop has looked already whether the client is behind: it would wait for what comes now.
      if (signal.aborted) return;
      yield texts;
    }
  } catch (error) {
    // Its end has come while it waited for its turn.
    if (!signal.aborted) throw error;
  } finally {
    turn.end();
  }
}

/** The position to go on from where a stream can go on no more; null where something else ends it. */
function oldestAt(error: unknown): number | null {
  if (error instanceof PositionGone) return error.oldest;
  return error instanceof PositionAhead ? error.last + 1 : null;
}

/** How long changes are waited for. */
export interface AwaitedOptions extends StreamOptions {
  /** Milliseconds; 0 for not at all. */
  readonly wait: number;
}

/**
 * A page of changes; where there is none yet, as soon as there is one, or the wait is over.
 * @throws PositionGone, PositionAhead
 */
export async function awaitedChanges(
  events: Pick<EventFeed, "read" | "head">,
  tenant: string,
  { since, limit, interval, signal, wait, turn }: AwaitedOptions,
): Promise<ChangesPage> {
  const end = performance.now() + wait;
  const read = (most: number): Promise<ChangesPage> => readChanges(events, tenant, { since, limit: most });
  const present = await read(limit);
  if (present.events.length > 0 || wait === 0) return present;
  turn.end();
  for (;;) {
    await pause(interval, signal);
    const look = await read(1);
    if (look.events.length === 0 && performance.now() < end && !signal.aborted) continue;
    if (look.events.length === 0) return look;
    await turn.take();
    return read(limit);
  }
}

/** The events of a page as text, some at once: a client that is slow holds no more of it than that. */
function* textsOf({ events }: ChangesPage): Generator<string, void, undefined> {
  let text = "";
  for (const event of events) {
    text += `id: ${event.position}\nevent: change\ndata: ${JSON.stringify(event)}\n\n`;
    if (text.length < TEXT_LENGTH) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}
