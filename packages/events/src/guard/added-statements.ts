/**
 * What a guard adds to the transactions of changes that it lets pass.
 * @module
 */
import type { HookContext, HookedChange, Statement } from "@scim/core";

/** Whose change it is. */
type Owner = Pick<HookContext, "tenant" | "connection">;
type Changed = Pick<HookedChange, "type" | "id">;

/** Changes that wait for their statements. */
const MOST_CHANGES = 10_000;

/** Statements by the resource: its changes are looked at and written one after the other. */
export class AddedStatements {
  readonly #added = new Map<string, readonly Statement[]>();

  /** The statements of the present change of a resource. */
  of(owner: Owner, change: Changed): readonly Statement[] {
    return this.#added.get(keyOf(owner, change)) ?? [];
  }

  set(owner: Owner, change: Changed, statements: readonly Statement[]): void {
    this.#added.set(keyOf(owner, change), statements);
    if (this.#added.size <= MOST_CHANGES) return;
    const [oldest] = this.#added.keys();
    if (oldest !== undefined) this.#added.delete(oldest);
  }

  /** Forgets those of a change that may not have been written. */
  forget(owner: Owner, change: Changed): void {
    this.#added.delete(keyOf(owner, change));
  }
}

function keyOf({ tenant, connection }: Owner, { type, id }: Changed): string {
  return `${tenant}\n${connection}\n${type}\n${id}`;
}
