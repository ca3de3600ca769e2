/**
 * What is made on first use, such as code that is loaded then.
 * @module
 */

/**
 * Makes something once. What could not be made, as where the system has no file descriptor left to load it by, is made anew
 * for whoever asks next: else a moment's want would last as long as the process.
 */
export class OnFirstUse<Made> {
  readonly #make: () => Promise<Made>;
  #made: Promise<Made> | null = null;

  constructor(make: () => Promise<Made>) {
    this.#make = make;
  }

  /** @throws what making it throws */
  get(): Promise<Made> {
    return (this.#made ??= this.#make().catch((error: unknown) => {
      this.#made = null;
      throw error;
    }));
  }

  /** What was made; null where nobody has asked for it, or it could not be made. */
  async found(): Promise<Made | null> {
    return (await this.#made?.catch(() => null)) ?? null;
  }
}
