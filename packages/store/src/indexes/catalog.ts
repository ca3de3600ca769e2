/**
 * The catalog of indexes as a process knows it: in memory, read again when it has changed.
 * @module
 */
import { sql } from "../sql.ts";
import { type Answer, type Executor, numberOf, type Steps, textOf } from "../steps.ts";
import { type DeclaredIndex, readIndexes } from "./declared-index.ts";
import { emptyView, type IndexState, type IndexView } from "./view.ts";

/** Milliseconds after which the catalog is looked at again. */
const MAX_AGE = 1000;

/** What is known of all tenants. Whoever asks gets what is known, and what is new soon after. */
export class CatalogCache {
  readonly #executor: Executor;
  #views: ReadonlyMap<string, IndexView> = new Map();
  readonly #empty = new Map<string, IndexView>();
  readonly #tenants = new Set<string>();
  /** Number and changes of the types that have a revision, as they were read. */
  #state = "";
  #lookedAt = 0;
  #looking: Promise<void> | null = null;

  constructor(executor: Executor) {
    this.#executor = executor;
  }

  /** The tenants that were asked for. */
  get tenants(): ReadonlySet<string> {
    return this.#tenants;
  }

  /** What is known of a type; where that is old, it is looked at again meanwhile. */
  view(tenant: string, type: string): IndexView {
    this.#tenants.add(tenant);
    if (performance.now() - this.#lookedAt > MAX_AGE && this.#looking === null) {
      // Who asks does not wait, and what fails is tried again by who asks next.
      this.#read().catch(() => undefined);
    }
    return this.#views.get(nameOf(tenant, type)) ?? this.#emptyView(type);
  }

  /** Reads the catalog where it has changed: as it is now, and not as it was when somebody else began to read it. */
  async refresh(): Promise<void> {
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
    this.#lookedAt = performance.now();
    const state = await this.#executor.read(readState());
    if (state === this.#state) return;
    const { views, state: read } = await this.#executor.snapshot(readCatalog());
    this.#views = views;
    this.#state = read;
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
