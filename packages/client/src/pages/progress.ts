/**
 * What was given out of a list, and what was met on the way.
 * @module
 */
import { PagingError, type PagingErrorCode } from "../errors/paging-error.ts";
import type { ToleranceEvent } from "../exchange/events.ts";
import type { DynamicResource } from "../resources/shape.ts";
import type { Page } from "./page.ts";
import type { ListReport } from "./resource-list.ts";
import type { PageReader } from "./walk.ts";

export const EMPTY_REPORT: ListReport = {
  resources: 0,
  pages: 0,
  totalResults: null,
  repeated: [],
  rereads: 0,
};

const MOST_TOLD = 100;
/** Pages in a row that may hold nothing new, beside those that are read again. */
const MOST_FRUITLESS = 100;
/** Pages in a row that may hold nothing at all: a service that looks through what it has page by page finds little in some. */
const MOST_EMPTY = 10_000;

/** How a page is taken. */
export interface Taking {
  /** How many resources at its beginning are expected to be known. Infinite where any may be. */
  readonly overlap: number;
}

/** The resources that were given out, by id. */
export class Progress {
  readonly #reader: Pick<PageReader, "request" | "tell">;
  readonly #onReport: (report: ListReport) => void;
  readonly #seen = new Set<string>();
  readonly #repeated = new Set<string>();
  /** Totals that the pages told. */
  readonly #totals = new Set<number | null>();
  #total: number | null = null;
  #pages = 0;
  #rereads = 0;
  /** Pages that brought something new. */
  #fruitful = 0;
  /** Pages since then that did not. */
  #fruitless = 0;
  /** Pages in a row that held nothing at all. */
  #empty = 0;

  constructor(reader: Pick<PageReader, "request" | "tell">, onReport: (report: ListReport) => void) {
    this.#reader = reader;
    this.#onReport = onReport;
    onReport(EMPTY_REPORT);
  }

  /** How many resources were given out. */
  get resources(): number {
    return this.#seen.size;
  }

  /** Whether a resource was given out. */
  has({ id }: DynamicResource): boolean {
    return this.#seen.has(id);
  }

  /** The page with what was not given out before; that counts as given out now. */
  take(page: Page<DynamicResource>, { overlap }: Taking): Page<DynamicResource> {
    const before = this.#seen.size;
    const settled = this.#total === null || page.totalResults === this.#total;
    this.#pages += 1;
    this.#total = page.totalResults;
    this.#totals.add(page.totalResults);
    const resources = page.resources.filter(({ id }, index) => {
      const { size } = this.#seen;
      const isNew = this.#seen.add(id).size > size;
      if (!isNew && index >= overlap && settled) this.#repeated.add(id);
      return isNew;
    });
    this.#report();
    this.#refuseEndlessness(page.resources.length > 0, this.#seen.size > before);
    return { ...page, resources };
  }

  /**
   * @throws PagingError `pagesRepeat` where more pages held nothing new than a list that is read again has, `pagesEndless`
   * where too many in a row held nothing
   */
  #refuseEndlessness(holds: boolean, holdsNew: boolean): void {
    this.#empty = holds ? 0 : this.#empty + 1;
    if (this.#empty > MOST_EMPTY)
      throw this.failure("pagesEndless", `${MOST_EMPTY} pages in a row hold nothing, and lead on`);
    if (holdsNew) {
      this.#fruitful += 1;
      this.#fruitless = 0;
    } else if (holds) this.#fruitless += 1;
    if (this.#fruitless <= MOST_FRUITLESS + 2 * this.#fruitful) return;
    throw this.failure("pagesRepeat", "a page holds what pages before it held");
  }

  /** Counts that pages are read again. */
  reread(what: "movedPages" | "expiredCursor"): void {
    this.#rereads += 1;
    this.#tell(what, []);
  }

  /** The list came to its end. */
  finish(): void {
    if (this.#repeated.size > 0) this.#tell("repeatedResource", this.#told());
    const [total = null] = this.#totals;
    // Where resources come and go, a total is what it was at some moment.
    const wrong = this.#totals.size === 1 && total !== null && total !== this.#seen.size;
    if (wrong) this.#tell("wrongTotal", []);
  }

  /** The error of a list that does not come to its end. */
  failure(code: PagingErrorCode, what: string, cause?: unknown): PagingError {
    return new PagingError(code, what, { request: this.#reader.request, read: this.#seen.size, cause });
  }

  #report(): void {
    this.#onReport({
      resources: this.#seen.size,
      pages: this.#pages,
      totalResults: this.#total,
      repeated: this.#told(),
      rereads: this.#rereads,
    });
  }

  #told(): readonly string[] {
    return [...this.#repeated].slice(0, MOST_TOLD);
  }

  #tell(what: ToleranceEvent["what"], ids: readonly string[]): void {
    this.#reader.tell({ kind: "tolerance", path: this.#reader.request.path, what, ids });
  }
}
