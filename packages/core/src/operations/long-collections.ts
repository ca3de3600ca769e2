/**
 * Answers with collections that are too long to be held in memory: the store gives them in batches, on one state of
 * the resources that the whole answer is made of.
 * @module
 */
import { isScimError, type JsonValue } from "@scim/schemas";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { ReferenceCollection } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { isWhole } from "../projection/bounded-selection.ts";
import { shownReferences } from "../projection/represent.ts";
import type { Selection } from "../projection/selection.ts";
import type { AnswerStream, ResourceAnswer, StreamedCollection } from "../answers.ts";
import type { ReadSelection } from "../store/port.ts";
import type { ReferenceValue, StoredResource } from "../store/stored-resource.ts";
import type { ResourceSnapshot } from "../store/resource-snapshot.ts";
import { scopeOf } from "../store/scope.ts";
import { answerWith } from "./answer.ts";

/** A resource that is answered, and how. */
export interface LongResource {
  readonly model: ResourceModel;
  readonly selection: Selection;
  readonly select: ReadSelection;
  readonly id: string;
}

/** Resources that are answered with their long collections. */
export interface LongAnswer {
  readonly answers: readonly ResourceAnswer[];
  readonly stream: AnswerStream;
}

/** Answers resources of one state; those that are not there in it are left out. */
export async function answerLong(
  environment: Environment,
  context: RequestContext,
  resources: readonly LongResource[],
): Promise<LongAnswer> {
  const snapshot = await environment.store.snapshot(scopeOf(context));
  try {
    const found = await readLong(snapshot, resources);
    return {
      answers: found.map((each) => answerWith(environment, each, context)),
      stream: {
        collections: found.map((each) => streamedCollections(snapshot, each, context)),
        close: () => snapshot.close(),
      },
    };
  } catch (error) {
    await snapshot.close();
    throw error;
  }
}

/**
 * Answers a resource that was changed, as it is now; null where it is not there any more.
 * @param instead what is answered where it cannot be read now: see {@link readAfterChange}
 */
export function answerPresent<Instead>(
  environment: Environment,
  context: RequestContext,
  { instead, ...resource }: LongResource & { readonly instead: Instead },
): Promise<ResourceAnswer | Instead | null> {
  return readAfterChange(instead, async () => {
    const { model, selection, select, id } = resource;
    const stored = await environment.store.read(scopeOf(context), { type: model.name, id }, select);
    if (stored === null) return null;
    if (isWhole(stored, select)) return answerWith(environment, { model, stored, selection }, context);
    const partial = { ...answerWith(environment, { model, stored, selection }, context), isPartial: true };
    return readAfterChange(partial, () => answerOneLong(environment, context, resource));
  });
}

/**
 * Reads what answers a change that is done. What cannot be read now is no failure of the change, which whoever sent it must
 * not take for undone: they get something else instead.
 */
export async function readAfterChange<Read, Instead>(
  instead: Instead,
  read: () => Promise<Read>,
): Promise<Read | Instead> {
  try {
    return await read();
  } catch (error) {
    if (!isScimError(error) || error.code !== "unavailable") throw error;
    return instead;
  }
}

/** Answers one resource; null where it is not there any more. */
export async function answerOneLong(
  environment: Environment,
  context: RequestContext,
  resource: LongResource,
): Promise<ResourceAnswer | null> {
  const { answers, stream } = await answerLong(environment, context, [resource]);
  const [answer] = answers;
  if (answer !== undefined) return { ...answer, stream };
  await stream.close();
  return null;
}

interface FoundLong extends LongResource {
  readonly stored: StoredResource;
}

/** One call a type, so that a page costs few. */
async function readLong(
  snapshot: ResourceSnapshot,
  resources: readonly LongResource[],
): Promise<readonly FoundLong[]> {
  const found = new Map<LongResource, StoredResource>();
  for (const [model, same] of Map.groupBy(resources, (each) => each.model)) {
    const [first] = same;
    if (first === undefined) continue;
    const ids = same.map(({ id }) => id);
    const stored = await snapshot.readMany({ type: model.name, ids }, first.select);
    const byId = new Map(stored.map((each) => [each.id, each]));
    for (const each of same) {
      const resource = byId.get(each.id);
      if (resource !== undefined) found.set(each, resource);
    }
  }
  return resources.flatMap((resource) => {
    const stored = found.get(resource);
    return stored === undefined ? [] : [{ ...resource, stored }];
  });
}

function streamedCollections(
  snapshot: ResourceSnapshot,
  { model, selection, select, stored }: FoundLong,
  { baseUrl }: RequestContext,
): readonly StreamedCollection[] {
  const isMissing = ({ node }: ReferenceCollection): boolean =>
    select.collections.includes(node.path) && !stored.collections.has(node.path);
  return model.collections.filter(isMissing).map((collection) => {
    const owner = { type: stored.type, id: stored.id, path: collection.node.path };
    const show: ShowBatch = (values) => shownReferences(collection, values, { model, selection, baseUrl });
    return { keys: collection.node.keys, batches: shownBatches(snapshot.references(owner), show) };
  });
}

type ShowBatch = (values: readonly ReferenceValue[]) => readonly JsonValue[];

async function* shownBatches(
  batches: AsyncIterable<readonly ReferenceValue[]>,
  show: ShowBatch,
): AsyncGenerator<readonly JsonValue[], void, undefined> {
  for await (const values of batches) yield show(values);
}
