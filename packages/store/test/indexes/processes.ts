/**
 * Processes that know more or less of the indexes of one database, and write, declare, build and drop in turns.
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import {
  createPlan,
  deletePlan,
  filterOf,
  indexPage,
  NOTHING,
  SAMPLE_INDEXES,
  sortOf,
  updatePlan,
} from "@scim/core/testing";
import type { CreatePlan, IndexEntry, StoredResource, StoreQuery, StoreScope, UpdatePlan } from "@scim/core";
import type { JsonObject } from "@scim/schemas";
import { advanceIndex, type BuildSetting } from "../../src/indexes/build.ts";
import { viewOf } from "../../src/indexes/catalog.ts";
import { declareIndex, dropIndex, readIndexes } from "../../src/indexes/declared-index.ts";
import { settleBatch } from "../../src/indexes/settle.ts";
import type { IndexView } from "../../src/indexes/view.ts";
import { answerBeside } from "../../src/query/answer.ts";
import { sqliteDialect } from "../../src/sqlite/dialect.ts";
import type { RowSource } from "../../src/resources/read.ts";
import type { Sql } from "../../src/sql.ts";
import { type Answer, answerAtOnce, NO_ANSWER, type Outcome, type Steps } from "../../src/steps.ts";
import type { Store } from "../../src/sqlite/index.ts";

const TYPE = "Badge";
/** Attributes that are declared. */
export const PATHS = ["label", "level", "owner.name", "tags"] as const;
/** What a process does next. `knows`: the view of the present, an old one, or none at all, as the first program. */
export type Step =
  | { readonly kind: "write"; readonly id: string; readonly body: JsonObject; readonly knows: Knowledge }
  | { readonly kind: "delete"; readonly id: string }
  | { readonly kind: "declare" | "drop" | "advance"; readonly path: string }
  | { readonly kind: "settle" | "look" };

export type Knowledge = "present" | "past" | "schema" | "nothing";

/** What an index answered, and what it should. */
export interface IndexAnswer {
  readonly question: string;
  readonly found: readonly string[];
  readonly right: readonly string[];
}

/** Processes on one database, one step at a time. */
export class Processes {
  readonly #store: Store;
  readonly #database: DatabaseSync;
  readonly #setting: BuildSetting = {
    dialect: sqliteDialect,
    holder: { name: "builder", now: () => 0 },
    source: SAMPLE_INDEXES,
    grace: 0,
  };
  readonly #scope: StoreScope;
  readonly #of: RowSource;
  #past: IndexView;

  constructor(store: Store, database: DatabaseSync, tenant: string) {
    this.#scope = { tenant, connection: "first" };
    this.#of = { tenant, type: TYPE };
    this.#store = store;
    this.#database = database;
    this.#past = this.#present();
  }

  async step(step: Step): Promise<void> {
    const catalog = { dialect: sqliteDialect, now: () => new Date(0).toISOString() };
    switch (step.kind) {
      case "write":
        return this.#write(step);
      case "delete": {
        const stored = await this.#read(step.id);
        if (stored !== null) await this.#store.resources.write(this.#scope, deletePlan(stored));
        return;
      }
      case "declare":
        return this.#transact(declareIndex(catalog, { ...this.#of, path: step.path }, "operator"));
      case "drop":
        return this.#transact(dropIndex(catalog, { ...this.#of, path: step.path }));
      case "advance": {
        const index = this.#run(readIndexes(this.#scope.tenant)).find(({ path }) => path === step.path);
        if (index !== undefined) this.#transact(advanceIndex(this.#setting, index));
        return;
      }
      case "settle":
        return this.#transact(settleBatch(this.#setting, this.#of));
      case "look":
        this.#past = this.#present();
    }
  }

  /** Asks all that an index knows, by what a process knows now, or knew. Answers what it says, and what is right. */
  answers(): readonly IndexAnswer[] {
    return [this.#present(), this.#past].flatMap((view) =>
      PATHS.flatMap((path) => [
        ...this.#equal(view, path),
        ...(path === "tags" ? [] : this.#ordered(view, path)),
      ]),
    );
  }

  #equal(indexes: IndexView, path: string): readonly IndexAnswer[] {
    const literals = path === "level" ? ["0", "1"] : ['"a"', '"b"', '""'];
    return literals.flatMap((literal) => {
      const question = `${path} eq ${literal}`;
      const found = this.#query(indexes, { filter: filterOf(TYPE, question), sort: null });
      if (found === null) return [];
      const wanted = path === "level" ? Number(literal) : literal.slice(1, -1);
      const right = this.#live().filter(({ body }) => keysOf(path, body).includes(wanted));
      return [{ question, found, right: right.map(({ id }) => id) }];
    });
  }

  #ordered(indexes: IndexView, path: string): readonly IndexAnswer[] {
    const found = this.#query(indexes, { filter: null, sort: sortOf(TYPE, path) });
    if (found === null) return [];
    const keyed = this.#live().map(({ id, body }) => ({ id, key: keysOf(path, body)[0] }));
    const valued = keyed
      .filter(({ key }) => key !== undefined)
      .toSorted((a, b) => (a.key === b.key ? 0 : String(a.key) < String(b.key) ? -1 : 1));
    const lacking = keyed.filter(({ key }) => key === undefined);
    return [{ question: `sorted by ${path}`, found, right: [...valued, ...lacking].map(({ id }) => id) }];
  }

  /** The ids that a query finds by index; null where it has to go through the resources. */
  #query(indexes: IndexView, query: Pick<StoreQuery, "filter" | "sort">): readonly string[] | null {
    const page = { type: TYPE, select: NOTHING, page: indexPage(0, 10), ...query };
    const answer = this.#run(
      answerBeside({ scope: this.#scope, dialect: sqliteDialect, indexes, query: page }),
    );
    if (answer.kind !== "page") return null;
    return answer.resources.map(({ id }) => id);
  }

  async #write({ id, body, knows }: Extract<Step, { kind: "write" }>): Promise<void> {
    const stored = await this.#read(id);
    const plan = stored === null ? createPlan({ type: TYPE, id, body }) : updatePlan(stored, { body });
    await this.#store.resources.write(this.#scope, this.#known(plan, stored, knows));
  }

  /** A plan as a process makes it that knows so much. */
  #known(
    plan: CreatePlan | UpdatePlan,
    stored: StoredResource | null,
    knows: Knowledge,
  ): CreatePlan | UpdatePlan {
    if (knows === "schema") return plan;
    const view = knows === "past" ? this.#past : this.#present();
    const paths = knows === "nothing" ? [] : view.declared;
    const revision = knows === "nothing" ? null : view.revision;
    const after = SAMPLE_INDEXES.entries(TYPE, plan.body ?? {}, paths) ?? [];
    if (plan.kind === "create") return { ...plan, index: after, indexRevision: revision };
    const before = SAMPLE_INDEXES.entries(TYPE, stored?.body ?? {}, paths) ?? [];
    return {
      ...plan,
      index: { add: without(after, before), remove: without(before, after) },
      indexRevision: revision,
    };
  }

  #read(id: string): Promise<StoredResource | null> {
    return this.#store.resources.read(this.#scope, { type: TYPE, id }, NOTHING);
  }

  #live(): readonly { readonly id: string; readonly body: JsonObject }[] {
    const rows = this.#database
      .prepare("SELECT id, body FROM resources WHERE tenant = ? AND type = ? AND deleted IS NULL ORDER BY id")
      .all(this.#scope.tenant, TYPE);
    // What was written is JSON.
    return rows.map(({ id, body }) => ({ id: String(id), body: JSON.parse(String(body)) as JsonObject }));
  }

  #present(): IndexView {
    const row = this.#database
      .prepare("SELECT revision FROM index_revisions WHERE tenant = ? AND type = ?")
      .get(this.#scope.tenant, TYPE);
    return viewOf(TYPE, Number(row?.["revision"] ?? 0), this.#run(readIndexes(this.#scope.tenant)));
  }

  #transact(steps: Steps<Outcome<unknown>>): void {
    this.#database.exec("BEGIN IMMEDIATE");
    const { keep } = this.#run(steps);
    this.#database.exec(keep ? "COMMIT" : "ROLLBACK");
  }

  #run<Result>(generator: Steps<Result>): Result {
    const ask = ({ text, params }: Sql): Answer => {
      const statement = this.#database.prepare(text);
      return statement.columns().length > 0
        ? { rows: statement.all(...params), changes: 0 }
        : { rows: [], changes: Number(statement.run(...params).changes) };
    };
    let next = generator.next(NO_ANSWER);
    while (next.done !== true) {
      next = generator.next(answerAtOnce(next.value, ask));
    }
    return next.value;
  }
}

function keysOf(path: string, body: JsonObject): readonly unknown[] {
  const entries = SAMPLE_INDEXES.entries(TYPE, body, [path]) ?? [];
  return entries.map(({ key }) => key).filter((key) => key !== null);
}

function without(entries: readonly IndexEntry[], others: readonly IndexEntry[]): readonly IndexEntry[] {
  const known = new Set(others.map((entry) => JSON.stringify(entry)));
  return entries.filter((entry) => !known.has(JSON.stringify(entry)));
}
