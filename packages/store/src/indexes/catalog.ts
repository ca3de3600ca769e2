/**
 * The catalog of indexes as a process knows it: in memory, read again when it has changed.
 * @module
 */
import { sql } from "../sql.ts";
import { type Answer, type Executor, numberOf, type Steps, textOf } from "../steps.ts";
import { catalogChanges, type DeclaredIndex, readIndexes } from "./declared-index.ts";
import { emptyView, type IndexState, type IndexView } from "./view.ts";

/** Milliseconds after which the catalog is looked at again. */
const MAX_AGE = 1000;

/** Milliseconds after which all of its revisions are: a program of an earlier release may have changed it, which notes it nowhere else. */
const WHOLE_AGE = 60_000;

/** What is known of all tenants. Whoever asks gets what is known, and what is new soon after. */
export class CatalogCache {
  readonly #executor: Executor;
  #views: ReadonlyMap<string, IndexView> = new Map();
  readonly #empty = new Map<string, IndexView>();
  #asked = new Set<string>();
  /** Changes that programs had noted when it was read. */
  #changes = -1;
  /** Number and changes of the types that have a revision, as they were read. */
  #state = "";
  #lookedAt = 0;
  #wholeAt = 0;
  #looking: Promise<void> | null = null;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  /** The tenants that were asked for since this was called last. */
  takeAsked(): ReadonlySet<string> {
    const asked = this.#asked;
    this.#asked = new Set();
    return asked;
  }

  /** What is known of a type; where that is old, it is looked at again meanwhile. */
  view(tenant: string, type: string): IndexView {
    this.#asked.add(tenant);
    if (performance.now() - this.#lookedAt > MAX_AGE && this.#looking === null) {
      // Who asks does not wait, and what fails is tried again by who asks next.
      this.#read().catch(() => undefined);
    }
    return this.#views.get(nameOf(tenant, type)) ?? this.#emptyView(type);
  }

  /** Reads the catalog where it has changed: as it is now, and not as it was when somebody else began to read it. */
  async refresh(): Promise<void> {
    await this.idle();
    this.#wholeAt = Number.NEGATIVE_INFINITY;
    await this.#read();
  }

  /** The same where programs have noted a change: that is one row, however many tenants there are. */
  async look(): Promise<void> {
    await this.idle();
    await this.#read();
  }

  /** Resolves when nothing is being read. */
  async idle(): Promise<void> {
    await this.#looking?.catch(() => undefined);
  }

  #read(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const now = performance.now();
    this.#lookedAt = now;
    const changes = await this.#executor.read(catalogChanges());
    if (changes === this.#changes && now - this.#wholeAt < WHOLE_AGE) return;
    const state = await this.#executor.read(readState());
    if (state !== this.#state) {
      const { views, state: read } = await this.#executor.snapshot(readCatalog());
      this.#views = views;
      this.#state = read;
    }
    // Read before: what was changed since is read again.
    this.#changes = changes;
    this.#wholeAt = now;
  }

  #emptyView(type: string): IndexView {
    const known = this.#empty.get(type);
    if (known !== undefined) return known;
    const view = emptyView(type);
    this.#empty.set(type, view);
    return view;
  }
}

function nameOf(tenant: string, type: string): string {
  return `${tenant}\n${type}`;
}

function* readState(): Steps<string> {
  const { rows }: Answer =
    yield sql`SELECT count(*) AS n, coalesce(sum(changes), 0) AS changes FROM index_revisions`;
  const [row] = rows;
  return row === undefined ? "" : `${String(numberOf(row, "n"))}/${String(numberOf(row, "changes"))}`;
}

function* readCatalog(): Steps<{ readonly views: ReadonlyMap<string, IndexView>; readonly state: string }> {
  const state = yield* readState();
  const { rows } = yield sql`SELECT v.tenant, v.type, v.revision FROM index_revisions v`;
  const byType = new Map<string, DeclaredIndex[]>();
  for (const index of yield* readIndexes(null)) {
    const name = nameOf(index.tenant, index.type);
    byType.set(name, [...(byType.get(name) ?? []), index]);
  }
  const views = rows.map((row): [string, IndexView] => {
    const name = nameOf(textOf(row, "tenant"), textOf(row, "type"));
    return [name, viewOf(textOf(row, "type"), numberOf(row, "revision"), byType.get(name) ?? [])];
  });
  return { views: new Map(views), state };
}

/** What the rows of a type say. */
export function viewOf(type: string, revision: number, indexes: readonly DeclaredIndex[]): IndexView {
  const written = indexes.filter(({ state }) => state !== "dropping").map(({ path }) => path);
  const states = new Map<string, IndexState>(indexes.map(({ path, state }) => [path, state]));
  return { ...emptyView(type), revision, declared: written, states };
}
