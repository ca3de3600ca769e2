/**
 * Which tenants a keeper of indexes looks at: those that were asked for, and some of all others each time, so that a look costs the
 * same however many there are.
 * @module
 */
import type { Dialect } from "../dialect.ts";
import { type Sql, sql } from "../sql.ts";
import { type Executor, numberOf, type Steps, textOf } from "../steps.ts";

/** Tenants that are looked at in turn. */
const PAGE = 500;

/** The tenants of a database, some at a time. */
export class TenantsInTurn {
  readonly #executor: Pick<Executor, "read">;
  readonly #dialect: Pick<Dialect, "idList" | "among">;
  #last = "";
  /** Those that were asked for, and that nothing was done for yet. */
  readonly #asked = new Set<string>();
  /** Those that have no row, and no turn: earlier releases served such tenants. */
  readonly #unlisted = new Set<string>();

  constructor(executor: Pick<Executor, "read">, dialect: Pick<Dialect, "idList" | "among">) {
    this.#executor = executor;
    this.#dialect = dialect;
  }

  /** Tenants with the revisions of their documents: those that are asked for, and those whose turn it is. */
  async next(asked: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    for (const tenant of asked) this.#asked.add(tenant);
    const found = new Map<string, number>();
    const list = sql`SELECT l.value FROM ${this.#dialect.idList([...this.#asked])} l`;
    if (this.#asked.size > 0) await this.#read(found, sql`WHERE ${this.#dialect.among(sql`tenant`, list)}`);
    this.#last = (await this.#page(found, this.#last)) ?? "";
    return this.#withUnlisted(found);
  }

  /** The same of all tenants. */
  async all(asked: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    for (const tenant of asked) this.#asked.add(tenant);
    const found = new Map<string, number>();
    for (let last: string | null = ""; last !== null;) last = await this.#page(found, last);
    return this.#withUnlisted(found);
  }

  /** What a tenant was asked for is done. */
  done(tenant: string): void {
    this.#asked.delete(tenant);
  }

  /** One that has no row has no documents either. */
  #withUnlisted(found: Map<string, number>): ReadonlyMap<string, number> {
    for (const tenant of this.#asked) if (!found.has(tenant)) this.#unlisted.add(tenant);
    for (const tenant of this.#unlisted) if (!found.has(tenant)) found.set(tenant, 0);
    return found;
  }

  /** Answers the last tenant of a page; null where no more come behind it. */
  async #page(found: Map<string, number>, after: string): Promise<string | null> {
    const page = await this.#read(found, sql`WHERE tenant > ${after} ORDER BY tenant LIMIT ${PAGE}`);
    return page.length < PAGE ? null : (page.at(-1) ?? null);
  }

  async #read(found: Map<string, number>, which: Sql): Promise<readonly string[]> {
    const rows = await this.#executor.read(readDocuments(which));
    for (const [tenant, documents] of rows) found.set(tenant, documents);
    return rows.map(([tenant]) => tenant);
  }
}

function* readDocuments(which: Sql): Steps<readonly (readonly [tenant: string, documents: number])[]> {
  const { rows } = yield sql`SELECT tenant, documents FROM tenants ${which}`;
  return rows.map((row) => [textOf(row, "tenant"), numberOf(row, "documents")]);
}
