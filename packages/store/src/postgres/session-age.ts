/**
 * Which connections lead where the address leads now. Behind a failover a name or a proxy leads to another server, while
 * connections that are open go on to the old one: it may take no writes any more, or never answer again.
 * @module
 */

/** Milliseconds within which a new connection is not misled: a server that only reads is not opened anew by each write. */
const FRESH_MS = 1000;

/** The age of connections of a store. */
export class SessionAge {
  #opened = performance.now();
  #current = {};

  /** What connections that are opened now are of. */
  get current(): object {
    return this.#current;
  }

  /** Connections of an age are lent no more, and new ones are opened in their place. */
  end(age: object): void {
    const now = performance.now();
    if (age !== this.#current || now - this.#opened < FRESH_MS) return;
    this.#current = {};
    this.#opened = now;
  }
}
