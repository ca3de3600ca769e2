/**
 * When answers are sent: together with those that become ready in the same turn of the event loop. To send an answer wakes
 * the client; the system does that at once for each, which can take longer than to make the answer.
 * @module
 */

/** Answers that wait for each other at most: the first waits while the others are made. */
const MOST_TOGETHER = 32;

interface Turn {
  readonly come: Promise<void>;
  readonly begin: () => void;
  waiting: number;
}

let next: Turn | null = null;

/**
 * Resolves when answers are sent next: at the end of this turn of the event loop, or as soon as 32 wait for it. Where nothing
 * else is to be done, that is at once.
 */
export function sendingTurn(): Promise<void> {
  const turn = (next ??= newTurn());
  turn.waiting += 1;
  if (turn.waiting === MOST_TOGETHER) turn.begin();
  return turn.come;
}

function newTurn(): Turn {
  const { promise, resolve } = Promise.withResolvers<void>();
  const turn: Turn = {
    come: promise,
    begin: () => {
      if (next === turn) next = null;
      resolve();
    },
    waiting: 0,
  };
  setImmediate(turn.begin);
  return turn;
}
