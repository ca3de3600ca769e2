/**
 * Places of clients whose answers wait for something to happen. Whoever has one token could otherwise hold all connections of the
 * server, and have it look for events on behalf of each.
 * @module
 */

/** When a request that found no place is sent again, in seconds, as `Retry-After` has it. */
export const AGAIN_SECONDS = "30";

/** Ends the place of a request. */
export type LeavePlace = () => void;

/** Counts who waits. */
export interface Places {
  /** Takes a place for somebody; null where all of theirs are taken. */
  enter(whose: string): LeavePlace | null;
}

/**
 * Makes places in this process.
 * @param most how many each may take at the same time
 */
export function createPlaces(most: number): Places {
  const taken = new Map<string, number>();
  return {
    enter: (whose) => {
      const count = taken.get(whose) ?? 0;
      if (count >= most) return null;
      taken.set(whose, count + 1);
      return () => {
        const left = (taken.get(whose) ?? 1) - 1;
        if (left === 0) taken.delete(whose);
        else taken.set(whose, left);
      };
    },
  };
}
