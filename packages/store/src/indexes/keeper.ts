/**
 * Keeps the indexes of a database: declares what schemas want, builds, drops, and settles, in the background.
 * @module
 */
import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { IndexCatalog, IndexSource, IndexSourceOf } from "@scim/core";
import type { AdminDecision } from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { LeftOut } from "../left-out.ts";
import type { RowSource } from "../resources/read.ts";
import type { Executor } from "../steps.ts";
import { advanceIndex, type BuildSetting, type Progress } from "./build.ts";
import { CatalogCache } from "./catalog.ts";
import { type DeclaredIndex, type IndexName, readIndexes, unreadyIndexes } from "./declared-index.ts";
import type { Holder } from "./lease.ts";
import { nextUnsettled, settleBatch } from "./settle.ts";
import { TenantsApart } from "./tenants-apart.ts";
import { TenantsInTurn } from "./tenants-in-turn.ts";
import { declareByOperator, dropByOperator } from "./told-index.ts";
import type { IndexState, IndexView } from "./view.ts";
import { declareWanted, wantedOf } from "./wanted.ts";

/** Between two looks for work, in milliseconds. */
const INTERVAL = 1000;

/** Milliseconds for which a tenant that failed in the background is left out (one minute). */
const LEFT_OUT_MS = 60_000;

/** Longer than the catalog of a process is old, in milliseconds. */
const GRACE = 2000;

/** How indexes are kept. */
export interface IndexKeeping {
  /** Milliseconds between a declaration and building. Default 2000 (two seconds). */
  readonly grace?: number | undefined;
  /** Milliseconds between two looks for work. Default 1000 (one second). */
  readonly interval?: number | undefined;
  /** The present instant, in milliseconds since 1970. Default: the clock. */
  readonly now?: (() => number) | undefined;
}

/** What a keeper works with. */
export interface KeeperOptions extends IndexKeeping {
  readonly executor: Executor;
  readonly dialect: Dialect;
}

/** The indexes of an open store. */
export interface StoreIndexes extends IndexCatalog {
  of(tenant: string, type: string): IndexView;
  /** Names who is told what went wrong in the background, where it is tried again. Before: nobody. */
  onError(listener: (error: unknown) => void): void;
  /** Reads what other processes changed. */
  refresh(): Promise<void>;
  /** The indexes that were declared for a tenant. */
  list(tenant: string): Promise<readonly DeclaredIndex[]>;
  /**
   * Declares an index on behalf of an operator. Resolves to its state before; null where it is new.
   * @param decision told in the trail of administration, in the same transaction
   */
  declare(name: IndexName, decision?: AdminDecision): Promise<IndexState | null>;
  /**
   * Begins to drop an index. Resolves to whether there is one.
   * @param decision told in the trail of administration, in the same transaction
   */
  drop(name: IndexName, decision?: AdminDecision): Promise<boolean>;
  /** Does what is to do for a source now, and resolves when nothing is left that needs no waiting. */
  work(source: IndexSource | IndexSourceOf): Promise<void>;
}

/** Keeps the indexes of one open store. */
export class IndexKeeper implements StoreIndexes {
  readonly #options: KeeperOptions;
  readonly #cache: CatalogCache;
  readonly #tenants: TenantsInTurn;
  readonly #holder: Holder;
  readonly #leftOut = new LeftOut(LEFT_OUT_MS);
  /** Tenants whose wanted indexes are declared, and what was wanted. */
  readonly #declared = new Map<string, string>();
  #source: IndexSource | IndexSourceOf | null = null;
  #onError: (error: unknown) => void = () => undefined;
  #isBusy = false;
  #timer: NodeJS.Timeout | null = null;
  #working: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#holder = { name: randomUUID(), now: options.now ?? Date.now };
    this.#cache = new CatalogCache(options.executor);
    this.#tenants = new TenantsInTurn(options.executor, options.dialect);
  }

  refresh(): Promise<void> {
    return this.#cache.refresh();
  }

  of(tenant: string, type: string): IndexView {
    return this.#cache.view(tenant, type);
  }

  onError(listener: (error: unknown) => void): void {
    this.#onError = listener;
  }

  maintain(source: IndexSource | IndexSourceOf): void {
    this.#source = source;
    if (this.#timer !== null || this.#stopped) return;
    this.#timer = setInterval(() => this.#tick(), this.#options.interval ?? INTERVAL);
    // The timer must not hold up the end of the process.
    this.#timer.unref();
    this.#tick();
  }

  list(tenant: string): Promise<readonly DeclaredIndex[]> {
    return this.#options.executor.read(readIndexes(tenant));
  }

  async declare(name: IndexName, decision?: AdminDecision): Promise<IndexState | null> {
    const setting = this.#catalog();
    const before = await this.#options.executor.write((transaction) =>
      declareByOperator({ transaction, setting, decision }, name),
    );
    await this.#cache.refresh();
    return before;
  }

  async drop(name: IndexName, decision?: AdminDecision): Promise<boolean> {
    const setting = this.#catalog();
    const found = await this.#options.executor.write((transaction) =>
      dropByOperator({ transaction, setting, decision }, name),
    );
    await this.#cache.refresh();
    return found;
  }

  work(source: IndexSource | IndexSourceOf): Promise<void> {
    return this.#turn(async () => {
      await this.#cache.refresh();
      await this.#work(source, await this.#tenants.all(this.#cache.takeAsked()), new TenantsApart());
    });
  }

  /** Ends the work, and resolves when the step that is under way is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#working;
    await this.#cache.idle();
  }

  #tick(): void {
    const source = this.#source;
    if (source === null || this.#isBusy) return;
    this.#isBusy = true;
    const apart = new TenantsApart(this.#leftOut);
    this.#turn(async () => this.#work(source, await this.#tenants.next(this.#cache.takeAsked()), apart))
      .catch((error: unknown) => {
        if (!this.#stopped) this.#onError(error);
      })
      .finally(() => {
        this.#isBusy = false;
      });
  }

  /** Works when what was begun before is done. */
  #turn(work: () => Promise<void>): Promise<void> {
    const turn = this.#working.then(work);
    this.#working = turn.catch(() => undefined);
    return turn;
  }

  #catalog(): { readonly dialect: Dialect; readonly now: () => string } {
    return { dialect: this.#options.dialect, now: () => new Date(this.#holder.now()).toISOString() };
  }

  /** @param tenants whose documents are looked at, with the revisions of these */
  async #work(
    source: IndexSource | IndexSourceOf,
    tenants: ReadonlyMap<string, number>,
    apart: TenantsApart,
  ): Promise<void> {
    await this.#declareWanted(source, { tenants, apart });
    const { dialect, grace = GRACE } = this.#options;
    const settingOf = async (tenant: string): Promise<BuildSetting> => {
      const own = typeof source === "function" ? await source(tenant) : source;
      return { dialect, holder: this.#holder, source: own, grace };
    };
    await this.#cache.look();
    for (const index of await this.#options.executor.read(unreadyIndexes())) {
      await apart.attempt(index.tenant, async () => {
        const setting = await settingOf(index.tenant);
        await this.#repeat(() => advanceIndex(setting, index));
      });
    }
    await this.#settle(settingOf, apart);
    await this.#cache.look();
    apart.settle();
  }

  /** Repeats a step until there is nothing to do, or nothing now. */
  async #repeat(step: () => ReturnType<typeof advanceIndex>): Promise<void> {
    let progress: Progress = "done";
    while (progress === "done" && !this.#stopped) {
      progress = await this.#options.executor.write(step);
      await nextTurn();
    }
  }

  async #settle(settingOf: (tenant: string) => Promise<BuildSetting>, apart: TenantsApart): Promise<void> {
    let of: RowSource | null = null;
    while (!this.#stopped) {
      const after: RowSource | null = of;
      const next: RowSource | null = await this.#options.executor.read(nextUnsettled(after));
      if (next === null) return;
      await apart.attempt(next.tenant, async () => {
        const setting = await settingOf(next.tenant);
        await this.#repeat(() => settleBatch(setting, next));
      });
      of = next;
    }
  }

  /** Declares what schemas want, once for each tenant, and again when they want something else. */
  async #declareWanted(
    source: IndexSource | IndexSourceOf,
    { tenants, apart }: { readonly tenants: ReadonlyMap<string, number>; readonly apart: TenantsApart },
  ): Promise<void> {
    const shared = typeof source === "function" ? null : wantedOf(source);
    for (const [tenant, documents] of tenants) {
      if (this.#stopped) return;
      // Who may have schemas of its own is asked when its documents have changed, and not each second.
      const stamp = shared?.names ?? String(documents);
      if (this.#declared.get(tenant) === stamp) {
        this.#tenants.done(tenant);
        continue;
      }
      await apart.attempt(tenant, async () => {
        const { wanted } = shared ?? wantedOf(typeof source === "function" ? await source(tenant) : source);
        const { executor } = this.#options;
        if (await declareWanted({ executor, ...this.#catalog() }, tenant, wanted))
          this.#declared.set(tenant, stamp);
      });
      // What the schemas of a tenant want is found in all of its types: others have their turn before the next.
      await nextTurn();
    }
  }
}
