/**
 * Puts the methods of a resource type together.
 * @module
 */
import { listOf } from "../pages/list.ts";
import type { Page } from "../pages/page.ts";
import { diffResources } from "../patch/diff.ts";
import { operationsOf } from "../patch/patch-builder.ts";
import { fieldsOf } from "../filter/fields.ts";
import { builtQuery } from "./built-query.ts";
import { create } from "./creating.ts";
import { createDryRuns } from "./dry-runs.ts";
import type { ListOptions } from "./list-options.ts";
import type { PageOptions } from "./options.ts";
import { pageOf } from "./paging.ts";
import type { ResourceParts } from "./parts.ts";
import { exists, read } from "./reading.ts";
import type { ResourceClient } from "./resource-client.ts";
import type { DynamicResource, DynamicShape, ResourceShape } from "./shape.ts";
import { update } from "./update.ts";
import { patch, remove, replace } from "./writing.ts";

/** Makes the methods of a resource type. */
export function createResourceClient<Shape extends ResourceShape>(
  parts: ResourceParts,
): ResourceClient<Shape> {
  // A shape is a matter of types alone: what the methods give is what the service answered with.
  return methodsOf(parts) as unknown as ResourceClient<Shape>;
}

function methodsOf(parts: ResourceParts): ResourceClient<DynamicShape> {
  const { type, memory, discovery, engine } = parts;
  const request = { method: "GET", path: type.endpoint, requestId: null, attempts: 0 };
  const page = (options: PageOptions<string>): Promise<Page<DynamicResource>> => pageOf(parts, options);
  const list = (options: ListOptions<string>, post: boolean) =>
    listOf(
      {
        read: (each, early) => pageOf(parts, { ...each, post }, early),
        tell: (event) => engine.tell(event),
        capabilities: () => discovery.capabilities({ signal: options.signal }),
        request: post ? { ...request, method: "POST", path: `${type.endpoint}/.search` } : request,
      },
      options,
    );
  let made: object | null = null;
  const fields = (): object => (made ??= fieldsOf(type));
  return {
    type,
    create: (input, options) => create(parts, input, options),
    get: (id: string, options?: object) => read(parts, id, options),
    exists: (id, options) => exists(parts, id, options),
    replace: (target, input, options) => replace(parts, target, { input, options }),
    // What a function of the program throws, the promise rejects with.
    patch: async (target, input, options) =>
      patch(parts, target, { operations: operationsOf(input, fields), options }),
    delete: (target, options) => remove(parts, target, options),
    update: (target, change, options = {}) => update(parts, { target, change, options }),
    diff: (before, after) => diffResources(before, after, type),
    list: (options?: ListOptions<string, object>) => list(builtQuery(options, fields), false),
    search: (options?: ListOptions<string, object>) => list(builtQuery(options, fields), true),
    page: async (options) => page(builtQuery(options, fields)),
    dryRun: createDryRuns(parts, fields),
    versionOf: (resource) => memory.versionOf(resource),
  };
}
