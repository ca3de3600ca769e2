/**
 * A range of new resources that are gathered until they are written together. Their ids are reserved when it begins: ranges
 * that are written in the order in which they began bring ids that grow, which trees that are sorted by id take at their
 * end.
 * @module
 */
import type { Sources } from "../../environment.ts";
import type { NewResources } from "../../store/import-store.ts";
import type { CreatePlan } from "../../store/write-plan.ts";
import type { NewState } from "../creation-plan.ts";
import { instantText } from "../write-instant.ts";
import type { ImportRun } from "./import-run.ts";

/** What is made of a resource before it is planned. */
type Made = NonNullable<NewState["made"]>;

/** Resources of one range. */
export class OpenRange {
  readonly #gathered: NewResources;
  #plans: CreatePlan[] = [];
  #records: number[] = [];
  /** Null before it begins. */
  #begun: { readonly at: string; readonly newId: () => string } | null = null;

  constructor(gathered: NewResources) {
    this.#gathered = gathered;
  }

  /** An id and instant for the next resource. The first one begins the range, which reserves ids for `most`. */
  next({ newId, reserveIds, now }: Pick<Sources, "newId" | "reserveIds" | "now">, most: number): Made {
    const begun = (this.#begun ??= { at: instantText(now()), newId: reserveIds?.(most) ?? newId });
    return { id: begun.newId(), at: begun.at };
  }

  /** Plans a resource. */
  plan(plan: CreatePlan, record: number): void {
    this.#plans.push(plan);
    this.#records.push(record);
  }

  /** Hands over what is planned. */
  gather(free: readonly string[]): void {
    if (this.#plans.length > 0) this.#gathered.add(this.#plans, free);
    this.#plans = [];
  }

  /** Writes what was handed over, and begins anew. */
  async write(run: ImportRun | null): Promise<boolean> {
    const done = this.#records.map((record) => ({ record, kind: "created" }) as const);
    this.#records = [];
    this.#begun = null;
    const step = run?.step(done) ?? null;
    const isWritten = await this.#gathered.write(step);
    if (isWritten && step !== null) run?.took(step, done);
    return isWritten;
  }

  settled(): Promise<void> {
    return this.#gathered.settled();
  }
}
