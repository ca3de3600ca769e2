/**
 * Rows that are read one page behind the other, as a long read does: what holds them is gone through once for all pages.
 * @module
 */
import type { ReferenceRow } from "../store/reference-rows.ts";
import type { RowsBehind } from "./handler-rows.ts";

/** Rows in order, of which some are taken at a time. */
type Rows = AsyncGenerator<ReferenceRow, void, undefined>;

/** A page of rows. */
export interface RowPage extends RowsBehind {
  readonly limit: number;
}

/** A walk that may go on. */
interface Begun {
  readonly rows: Rows;
  /** What its next page is asked for by, but for its length. */
  readonly next: string;
}

/** Reads rows page by page. */
export class RowWalk {
  readonly #begin: (rows: RowsBehind) => Rows;
  #begun: Begun | null = null;

  /** @param begin begins behind the place of a page */
  constructor(begin: (rows: RowsBehind) => Rows) {
    this.#begin = begin;
  }

  /** A page: the walk goes on where the page before it ended, and begins anew elsewhere. */
  async page({ limit, ...asked }: RowPage): Promise<readonly ReferenceRow[]> {
    const begun = this.#begun;
    this.#begun = null;
    const goesOn = begun?.next === nameOf(asked);
    if (!goesOn) letGo(begun);
    const rows = begun !== null && goesOn ? begun.rows : this.#begin(asked);
    const page: ReferenceRow[] = [];
    while (page.length < limit) {
      const step = await rows.next();
      if (step.done === true) return page;
      page.push(step.value);
    }
    // One that another page has begun meanwhile is in the way of nobody.
    letGo(this.#begun);
    this.#begun = { rows, next: nameOf({ ...asked, after: page.at(-1) ?? asked.after }) };
    return page;
  }

  /** Ends it. More than once does no harm. */
  end(): void {
    letGo(this.#begun);
    this.#begun = null;
  }
}

function nameOf({ type, path, owner, value, displayKey, after }: RowsBehind): string {
  return JSON.stringify([type, path, owner, value, displayKey, after?.owner, after?.position]);
}

/** Not waited for: a list that does not answer in time does not end in time either. */
function letGo(begun: Begun | null): void {
  void begun?.rows.return().catch(() => undefined);
}
