/**
 * What the writes of one transaction share: its number in each tenant's outbox, and the places in it.
 * @module
 */
import type { FreshContent, FreshEvent, FreshEvents } from "../events/fresh-events.ts";
import { type CountChange, countStatement, schemasProof } from "../resources/counters.ts";
import { type Sql, sql } from "../sql.ts";
import { type BatchStatement, numberOf, type Steps, type WriteTransaction } from "../steps.ts";
import { sqliteDialect } from "./dialect.ts";

/** A transaction that several writes share, each of which may be taken back alone. */
export class SharedTransaction implements WriteTransaction {
  readonly #numbers = new Map<string, number>();
  #drawnBy: string[] = [];
  #sequence = 0;
  #hasChanged = false;
  readonly #counts = new Map<string, CountChange>();
  /** What the write that runs has counted. */
  #counting: CountChange[] = [];
  /** Of which types, and by which schemas, new resources may come: a write that stays has proved it, and none since changed it. */
  readonly #proved = new Set<string>();
  readonly #freshEvents: FreshEvents | null;
  readonly #told: FreshEvent[] = [];
  /** What the write that runs has told. */
  #telling: FreshEvent[] = [];

  /** @param freshEvents what remembers the events of a transaction that was committed; null for nothing */
  constructor(freshEvents: FreshEvents | null) {
    this.#freshEvents = freshEvents;
  }

  /** Whether the write that runs has changed anything so far. */
  get hasChanged(): boolean {
    return this.#hasChanged || this.#drawnBy.length > 0;
  }

  /** The write that runs has changed something. */
  changed(): void {
    this.#hasChanged = true;
  }

  *number(tenant: string): Steps<Sql> {
    const known = this.#numbers.get(tenant);
    if (known !== undefined) return sql`${known}`;
    const { rows } = yield sql`INSERT INTO outbox_heads (tenant, transaction_number) VALUES (${tenant}, 1)
      ON CONFLICT (tenant) DO UPDATE SET transaction_number = outbox_heads.transaction_number + 1
      RETURNING transaction_number`;
    const [row] = rows;
    if (row === undefined) throw new TypeError("The outbox gave no transaction number");
    const number = numberOf(row, "transaction_number");
    this.#numbers.set(tenant, number);
    this.#drawnBy.push(tenant);
    return sql`${number}`;
  }

  nextSequence(): number {
    return this.#sequence++;
  }

  keepFresh(tenant: string, tell: () => FreshContent | null): void {
    if (this.#freshEvents === null) return;
    const fresh = tell();
    if (fresh !== null) this.#telling.push({ ...fresh, tenant });
  }

  /** The transaction was committed. */
  committed(): void {
    for (const event of this.#told) this.#freshEvents?.add(event);
  }

  count(change: CountChange): readonly BatchStatement[] {
    this.#counting.push(change);
    if (this.#proved.has(provedName(change))) return [];
    const proof = schemasProof(change, sqliteDialect.counterShard());
    return proof === null ? [] : [{ statement: proof, proof }];
  }

  /** The statements that count what the writes that stay have counted: one for all writes of a type. */
  counts(): readonly Sql[] {
    return [...this.#counts.values()].map((change) => countStatement(change, sqliteDialect.counterShard()));
  }

  /** The write that ran last stays. */
  kept(): void {
    this.#told.push(...this.#telling);
    // What counts nothing may be a change of the schemas, or of the tenant.
    if (this.#counting.length === 0) this.#proved.clear();
    for (const counted of this.#counting) {
      const { tenant, type, change } = counted;
      this.#proved.add(provedName(counted));
      const name = `${tenant}\n${type}`;
      this.#counts.set(name, { tenant, type, change: change + (this.#counts.get(name)?.change ?? 0) });
    }
    this.#begin();
  }

  /** The write that ran last was taken back, and with it the numbers that it drew. */
  takenBack(): void {
    for (const tenant of this.#drawnBy) this.#numbers.delete(tenant);
    this.#begin();
  }

  #begin(): void {
    this.#drawnBy = [];
    this.#counting = [];
    this.#telling = [];
    this.#hasChanged = false;
  }
}

function provedName({ tenant, type, schemas }: CountChange): string {
  return `${tenant}\n${type}\n${String(schemas)}`;
}
