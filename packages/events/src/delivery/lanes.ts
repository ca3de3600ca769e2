/**
 * Work in lanes: some at once, and what belongs together one after another.
 * @module
 */

/** Lanes of one receiver: requests under way to it at once. */
const LANES = 8;

/**
 * Works on items. Those of one key are worked on in their order, and the rest of a key is left where the work says so;
 * different keys at most eight at once. Where work rejects, nothing more is begun, and what is under way is waited for:
 * whoever takes the items up again is the only one who works on them.
 * @param work resolves to whether the next item of the key may follow
 */
export async function inLanes<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  work: (item: Item) => Promise<boolean>,
): Promise<void> {
  const queues = [...Map.groupBy(items, keyOf).values()];
  let taken = 0;
  let hasFailed = false;
  const done = async (item: Item): Promise<boolean> => {
    try {
      return !hasFailed && (await work(item));
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  async function lane(): Promise<void> {
    for (let queue = queues[taken++]; queue !== undefined; queue = queues[taken++]) {
      for (const item of queue) if (!(await done(item))) break;
    }
  }
  const lanes = Array.from({ length: Math.min(LANES, queues.length) }, lane);
  await Promise.allSettled(lanes);
  await Promise.all(lanes);
}
