/**
 * The values by which resources are found, and that items of an import touch: who holds them is known again once these
 * are written.
 * @module
 */
import type { ComparisonKey } from "@scim/filter";
import { keysOf } from "../../plan/entries.ts";
import type { IndexEntry, UniqueEntry, UpdatePlan, WritePlan } from "../../store/write-plan.ts";
import { isName, type ReadItem } from "./read-item.ts";

/** What planned items touch. */
export class TouchedValues {
  readonly #resources = new Set<string>();
  readonly #values = new Set<string>();

  /** Notes what the plan of an item touches. */
  add(item: ReadItem, plan: WritePlan): void {
    if (plan.kind === "update") {
      this.#resources.add(resourceName(plan));
      for (const entry of changedEntries(plan)) this.#values.add(valueName(entry.path, entry.key));
    }
    const isTold = isToldApart(item, plan);
    for (const identity of item.identities) {
      // A value that must be unique no later item of the source has.
      if (identity.unique !== null || (isTold && isName(identity))) continue;
      this.#values.add(valueName(identity.node.path, identity.key));
    }
  }

  /**
   * Whether a planned item bears upon another: on the resource that is taken for its own, on what tells which that is,
   * or on whether its values are free.
   */
  bearsUpon(item: ReadItem, existing: { readonly type: string; readonly id: string } | null): boolean {
    if (existing !== null && this.#resources.has(resourceName(existing))) return true;
    if (this.#values.size === 0) return false;
    return (
      item.identities.some(({ node, key }) => this.#values.has(valueName(node.path, key))) ||
      item.entries.unique.some(({ path, key }) => this.#values.has(valueName(path, key)))
    );
  }
}

/**
 * Whether a plan makes a resource with a value that no later item of the source has: by its name none means it, since a name
 * alone is never that of a record before.
 */
function isToldApart({ identities }: ReadItem, plan: WritePlan): boolean {
  return (
    plan.kind === "create" &&
    identities.some((each) => !isName(each) && keysOf(each.node, plan.body).includes(each.key))
  );
}

function changedEntries({ index, unique }: UpdatePlan): readonly (IndexEntry | UniqueEntry)[] {
  return [...index.add, ...index.remove, ...unique.add, ...unique.remove];
}

function resourceName({ type, id }: { readonly type: string; readonly id: string }): string {
  return JSON.stringify([type, id]);
}

function valueName(path: string, key: ComparisonKey | null): string {
  return JSON.stringify([path, key]);
}
