/**
 * Asks for the next page while one is worked on.
 * @module
 */
import type { PageOptions } from "../resources/options.ts";
import type { DynamicResource } from "../resources/shape.ts";
import type { Page } from "./page.ts";

/** Which page. */
export type Place = Pick<PageOptions<string>, "startIndex" | "count" | "cursor">;

type Read = (place: Place & Pick<PageOptions<string>, "signal">) => Promise<Page<DynamicResource>>;

/** Reads pages, one ahead. */
export class Ahead {
  readonly #read: Read;
  readonly #prefetch: boolean;
  readonly #controller = new AbortController();
  readonly #signal: AbortSignal;
  #coming: { readonly place: Place; readonly page: Promise<Page<DynamicResource>> } | null = null;

  constructor(
    read: Read,
    { prefetch, signal }: { readonly prefetch: boolean; readonly signal?: AbortSignal | undefined },
  ) {
    this.#read = read;
    this.#prefetch = prefetch;
    const own = this.#controller.signal;
    this.#signal = signal === undefined ? own : AbortSignal.any([signal, own]);
  }

  /** Reads a page, or gives the one that is coming. */
  page(place: Place): Promise<Page<DynamicResource>> {
    const coming = this.#coming;
    this.#coming = null;
    if (coming !== null && isSame(coming.place, place)) return coming.page;
    return this.#read({ ...place, signal: this.#signal });
  }

  /** Begins to read the page that is likely to be asked for next. */
  expect(place: Place): void {
    if (!this.#prefetch) return;
    const page = this.#read({ ...place, signal: this.#signal });
    // Whoever asks for the page meets the error.
    page.catch(() => undefined);
    this.#coming = { place, page };
  }

  /** Gives up what nobody will ask for. */
  stop(): void {
    if (this.#coming !== null) this.#controller.abort(new Error("Nobody goes on with the list."));
  }
}

function isSame(left: Place, right: Place): boolean {
  return left.startIndex === right.startIndex && left.count === right.count && left.cursor === right.cursor;
}
