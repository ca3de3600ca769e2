/**
 * Goes through the values of a collection, however many there are, and lets others have their turn meanwhile.
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import { pause } from "../pause.ts";
import type { ReferenceRow, RowPlace } from "../store/reference-rows.ts";
import { referencesAtOnce } from "../store/capabilities.ts";
import { scopeOf } from "../store/scope.ts";

/** A collection of a resource. */
export interface CollectionPlace {
  readonly type: string;
  readonly id: string;
  readonly path: string;
}

/** Values of one window. */
const WINDOW = 500;

/** Windows before others have their turn. */
const BETWEEN_TURNS = 4;

/**
 * The values of a collection, in windows. They may change meanwhile: so does the version of their resource then, which
 * the store compares as it writes.
 */
export async function* referenceWindows(
  { store }: Environment,
  context: RequestContext,
  { type, id, path }: CollectionPlace,
): AsyncGenerator<readonly ReferenceRow[], void, undefined> {
  const scope = scopeOf(context);
  const query = { type, path, owner: id, value: null, displayKey: null, descending: false, offset: 0 };
  const limit = referencesAtOnce(store, type, WINDOW);
  let after: RowPlace | null = null;
  let step = 0;
  for (;;) {
    const page = { ...query, after, limit };
    const rows: Awaited<ReturnType<typeof store.referenceRows>> = await store.referenceRows(scope, page);
    for (let start = 0; start < rows.length; start += WINDOW) {
      yield rows.slice(start, start + WINDOW);
      step += 1;
      if (step % BETWEEN_TURNS === 0) await pause(context);
    }
    after = rows.at(-1) ?? null;
    if (rows.length < limit || after === null) return;
  }
}
