/**
 * Lets the changes of one resource take turns within this process. The store would refuse all but one of those
 * that were planned on the same version; in turn, each is planned once. Other processes are not waited for: the
 * version check of the store stays what guards the resource.
 * @module
 */

/** Runs a task when those before it of the same name are done. */
export type TakeTurn = <Result>(name: string, task: () => Promise<Result>) => Promise<Result>;

/** Makes a place where tasks wait for each other by name. */
export function createTurns(): TakeTurn {
  const last = new Map<string, Promise<void>>();
  return async (name, task) => {
    const before = last.get(name);
    const { promise: done, resolve: end } = Promise.withResolvers<void>();
    last.set(name, done);
    try {
      await before;
      return await task();
    } finally {
      end();
      if (last.get(name) === done) last.delete(name);
    }
  };
}
