/**
 * Asks for the next page while one is worked on: where a page is awaited, as soon as its text tells which one is next, so
 * that the service has work while the text is read.
 * @module
 */
import type { PageOptions } from "../resources/options.ts";
import type { DynamicResource } from "../resources/shape.ts";
import { placeBehind } from "./next-place.ts";
import type { Page } from "./page.ts";

/** Which page. */
export type Place = Pick<PageOptions<string>, "startIndex" | "count" | "cursor">;

/** Told the text of a page before it is read; what it gives is waited for. */
export type EarlyText = (text: string) => Promise<void> | null;

type Read = (
  place: Place & Pick<PageOptions<string>, "signal">,
  early: EarlyText,
) => Promise<Page<DynamicResource>>;

/** A page that is read. */
interface Coming {
  readonly place: Place;
  readonly page: Promise<Page<DynamicResource>>;
  readonly controller: AbortController;
  /** Whether the walk waits for it: pages further ahead lead to no others. */
  awaited: boolean;
}

/** Reads pages, one ahead. */
export class Ahead {
  readonly #read: Read;
  readonly #prefetch: boolean;
  readonly #signal: AbortSignal | undefined;
  #coming: Coming | null = null;

  constructor(
    read: Read,
    { prefetch, signal }: { readonly prefetch: boolean; readonly signal?: AbortSignal | undefined },
  ) {
    this.#read = read;
    this.#prefetch = prefetch;
    this.#signal = signal;
  }

  /** Reads a page, or gives the one that is coming. */
  page(place: Place): Promise<Page<DynamicResource>> {
    if (this.#coming !== null && !isSame(this.#coming.place, place)) this.stop();
    const coming = this.#coming ?? this.#begin(place);
    this.#coming = null;
    coming.awaited = true;
    return coming.page;
  }

  /** Begins to read the page that is likely to be asked for next. */
  expect(place: Place): void {
    if (!this.#prefetch || (this.#coming !== null && isSame(this.#coming.place, place))) return;
    this.stop();
    this.#coming = this.#begin(place);
    // Whoever asks for the page meets the error.
    this.#coming.page.catch(() => undefined);
  }

  /** Gives up what nobody will ask for. */
  stop(): void {
    this.#coming?.controller.abort(new Error("Nobody goes on with the list."));
    this.#coming = null;
  }

  #begin(place: Place): Coming {
    const controller = new AbortController();
    const own = controller.signal;
    const signal = this.#signal === undefined ? own : AbortSignal.any([this.#signal, own]);
    const page = this.#read({ ...place, signal }, (text) => this.#early(coming, text));
    const coming: Coming = { place, page, controller, awaited: false };
    return coming;
  }

  #early({ place, awaited }: Coming, text: string): Promise<void> | null {
    const next = this.#prefetch && awaited ? placeBehind(place, text) : null;
    if (next === null) return null;
    this.expect(next);
    return aTurn();
  }
}

/** Lets a request that was begun come to the wire: reading a page keeps the thread to itself for milliseconds. */
function aTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

function isSame(left: Place, right: Place): boolean {
  return left.startIndex === right.startIndex && left.count === right.count && left.cursor === right.cursor;
}
