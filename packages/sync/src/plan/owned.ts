/**
 * What a mapping owns in a resource of the target, and what of it changes.
 * @module
 */
import type { DynamicResource } from "@scim/client";
import { isJsonArray, isJsonObject, type JsonValue } from "@scim/schemas";
import { targetPath, type TargetPath } from "../mapping/target-path.ts";
import type { KeptValue } from "../state/known-resource.ts";
import { assign, valueAt } from "./assign.ts";
import { withOpenValues } from "./kept-values.ts";
import type { AttributeChange, UpdateStep } from "./plan.ts";

/** A resource with what is owned; active again where it had left and is back. What the target keeps otherwise stays. */
export function ownedIn(
  before: DynamicResource,
  { desired, isBack }: Pick<UpdateStep, "desired" | "isBack">,
  kept: readonly KeptValue[],
): DynamicResource {
  const { type } = desired.section;
  const active = isBack ? assign(before, targetPath(type, "active"), true) : before;
  // Owned places are never the id.
  return withOpenValues(active, desired, kept) as DynamicResource;
}

/** What changes at the places that are owned. */
export function changesBetween({
  before,
  after,
  paths,
}: {
  readonly before: DynamicResource;
  readonly after: DynamicResource;
  readonly paths: readonly TargetPath[];
}): AttributeChange[] {
  return paths.flatMap((path) => {
    const [from, to] = [valueAt(before, path) ?? null, valueAt(after, path) ?? null];
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ path: path.text, from, to }];
  });
}

/** The ids that a list of references holds. */
export function idsAt(resource: DynamicResource, target: TargetPath): ReadonlySet<string> {
  const held: JsonValue = valueAt(resource, target) ?? [];
  const values = isJsonArray(held) ? held : [held];
  return new Set(
    values.flatMap((each) => {
      const value = isJsonObject(each) ? each["value"] : undefined;
      return typeof value === "string" ? [value] : [];
    }),
  );
}
