/**
 * Values that the target keeps in another form than they are sent: in lower case, trimmed, with a sign before a number, or
 * not at all. They are told once, and not sent again until the source has another value.
 * @module
 */
import type { DynamicResource } from "@scim/client";
import type { JsonObject } from "@scim/schemas";
import type { BoundRule } from "../mapping/bind.ts";
import type { KeptValue } from "../state/known-resource.ts";
import { valueAt } from "./assign.ts";
import { withValues, type Desired } from "./desired.ts";

/** What is asked for of one resource. */
type Asked = Pick<Desired, "section" | "values">;

/** The resource with what is owned; what the target keeps in its own form stays. */
export function withOpenValues(
  resource: JsonObject,
  { section, values }: Asked,
  kept: readonly KeptValue[],
): JsonObject {
  if (kept.length === 0) return withValues(resource, section.set, values);
  const open = section.set.flatMap((rule, at) => {
    const value = values[at] ?? null;
    return isKept(resource, { rule, asked: JSON.stringify(value) }, kept) ? [] : [{ rule, value }];
  });
  return withValues(
    resource,
    open.map(({ rule }) => rule),
    open.map(({ value }) => value),
  );
}

function isKept(
  resource: JsonObject,
  { rule: { target }, asked }: { readonly rule: BoundRule; readonly asked: string },
  kept: readonly KeptValue[],
): boolean {
  const known = kept.find(({ path }) => path === target.text);
  return known?.asked === asked && known.kept === JSON.stringify(valueAt(resource, target) ?? null);
}

/** What a resource, as the target gives it, holds otherwise than it was asked for. */
export function keptIn(resource: DynamicResource, { section, values }: Asked): readonly KeptValue[] {
  const wanted = withValues(resource, section.set, values);
  if (wanted === resource) return [];
  return section.set.flatMap(({ target }, at) => {
    const kept = JSON.stringify(valueAt(resource, target) ?? null);
    if (kept === JSON.stringify(valueAt(wanted, target) ?? null)) return [];
    return [{ path: target.text, asked: JSON.stringify(values[at] ?? null), kept }];
  });
}

/** Of what was kept, that which is still asked for. */
export function stillAsked(kept: readonly KeptValue[], { section, values }: Asked): readonly KeptValue[] {
  if (kept.length === 0) return kept;
  const asked = new Map(
    section.set.map(({ target }, at) => [target.text, JSON.stringify(values[at] ?? null)]),
  );
  return kept.filter((each) => asked.get(each.path) === each.asked);
}

/** An attribute that the target keeps in another form, over all resources. */
export interface KeptAttribute {
  readonly type: string;
  readonly path: string;
  /** How many resources it was found out of. */
  readonly count: number;
  /** One of them, with what was asked for and what is kept, as JSON text. */
  readonly example: { readonly key: string; readonly asked: string; readonly kept: string };
}

/** Counts what was found out, by type and path. */
export class KeptAttributes {
  readonly #found = new Map<string, KeptAttribute>();

  /** Takes in what is kept of a resource; what was known before is told no more. */
  add(
    { type, key }: { readonly type: string; readonly key: string },
    kept: readonly KeptValue[],
    known: readonly KeptValue[],
  ): void {
    for (const { path, asked, kept: value } of kept) {
      if (known.some((each) => each.path === path && each.asked === asked && each.kept === value)) continue;
      const name = `${type} ${path}`;
      const { count = 0, example = { key, asked, kept: value } } = this.#found.get(name) ?? {};
      this.#found.set(name, { type, path, count: count + 1, example });
    }
  }

  get all(): readonly KeptAttribute[] {
    return [...this.#found.values()];
  }
}
