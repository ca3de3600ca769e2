/**
 * Tenants in turn, for work that ends when it has done enough: the next begins with the tenant that the last one left, and not with the
 * first again, of which there may be thousands before it.
 * @module
 */

/** The next tenants by name behind one; none behind the last. */
export type ReadTenants = (after: string) => Promise<readonly string[]>;

/** Where such work is. */
export class TenantRound {
  /** The last tenant that was done with. */
  #after = "";

  /** Every tenant once, unless whoever asks has enough. */
  async *each(read: ReadTenants): AsyncGenerator<string, void, undefined> {
    const start = this.#after;
    yield* this.#from(read, start);
    this.#after = "";
    if (start !== "") yield* this.#from(read, "", start);
    this.#after = "";
  }

  async *#from(read: ReadTenants, start: string, last?: string): AsyncGenerator<string, void, undefined> {
    let after = start;
    for (;;) {
      const tenants = await read(after);
      if (tenants.length === 0) return;
      for (const tenant of tenants) {
        if (last !== undefined && tenant > last) return;
        yield tenant;
        this.#after = tenant;
        after = tenant;
      }
    }
  }
}
