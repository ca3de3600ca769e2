/**
 * Polls that wait for an event, counted stream by stream. Whoever has the token of one stream could otherwise hold all connections of
 * the server, and have it look for events on behalf of each.
 * @module
 */
import type { ReceiverName } from "@scim/events";

/** Polls of one stream that may wait at the same time, in each process: some for each machine of a receiver. */
export const MOST_WAITING = 20;

/** Ends the place of a poll among those that wait. */
export type LeavePlace = () => void;

/** Counts polls that wait. */
export interface WaitingPolls {
  /** Takes a place; null where those of the stream are taken. */
  enter(stream: ReceiverName): LeavePlace | null;
}

/** Makes what counts the polls of a process. */
export function createWaitingPolls(): WaitingPolls {
  const waiting = new Map<string, number>();
  return {
    enter: ({ tenant, id }) => {
      const stream = `${tenant} ${id}`;
      const count = waiting.get(stream) ?? 0;
      if (count >= MOST_WAITING) return null;
      waiting.set(stream, count + 1);
      return () => {
        const left = (waiting.get(stream) ?? 1) - 1;
        if (left === 0) waiting.delete(stream);
        else waiting.set(stream, left);
      };
    },
  };
}
