/**
 * Who of this process holds the lock of writers on a connection beside that of the queue: threads that take over a long
 * collection, write an import or empty the log.
 * @module
 */

/** Knows whether one of them has it; else it is another process that keeps it from those who ask. */
export class LockHolders {
  #count = 0;

  /** Whether one of this process holds it. */
  get isHeld(): boolean {
    return this.#count > 0;
  }

  /** Notes that somebody holds it, until what is returned is called. */
  hold(): () => void {
    this.#count += 1;
    let holds = true;
    return () => {
      this.#count -= holds ? 1 : 0;
      holds = false;
    };
  }
}
