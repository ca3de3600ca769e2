/**
 * The references of an operation to what other operations of its job make.
 * @module
 */
import { isJsonObject, type JsonValue } from "@scim/schemas";
import type { Environment } from "../../environment.ts";
import type { Profile } from "../../profiles/profile.ts";
import type { Task } from "./operation.ts";
import { rewritePatch } from "./patch-references.ts";
import { readReference } from "./reference-text.ts";
import { mentionsReference, rewriteMembers, type Resolve } from "./references.ts";

/** The data of an operation with its references rewritten. */
export interface RewrittenData {
  readonly data: JsonValue;
  /** Path of a required attribute that has no value without the references that were taken out; null where none. */
  readonly lost: string | null;
}

/** Rewrites the references in the data of an operation. */
export type RewriteData = (task: Task, resolve: Resolve) => RewrittenData;

/** Makes the function that rewrites data as a profile reads it. */
export function dataRewriter(environment: Environment, profile: Profile): RewriteData {
  // What is tolerated is told when the operation is done.
  const quiet = { profile, onSwitch: () => undefined };
  const parse = (path: string): ReturnType<typeof environment.parser.patchPath> =>
    environment.parser.patchPath(path, quiet);
  return (task, resolve) => {
    const { data, model } = task;
    let lost: string | null = null;
    const onLost = (path: string): void => {
      lost ??= path;
    };
    if (!isJsonObject(data) || !mentionsReference(data)) return { data, lost };
    const rewritten =
      task.operation === "patch"
        ? rewritePatch(data, { resolve, onLost, model, parse })
        : rewriteMembers(data, model.members, { resolve, onLost });
    return { data: rewritten, lost };
  };
}

/** The names of the operations that an operation refers to, in its data and its path. */
export function referencedBulkIds(task: Task, rewrite: RewriteData): ReadonlySet<string> {
  const names = new Set<string>();
  const target = task.operation === "create" ? null : readReference(task.id);
  if (target !== null) names.add(target.bulkId);
  rewrite(task, (bulkId) => {
    names.add(bulkId);
    return undefined;
  });
  return names;
}
