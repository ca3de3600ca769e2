/**
 * Takes the resources of a handler's list one by one, each within the time of a call.
 * @module
 */
import { compareKeys } from "@scim/filter";
import { pause } from "../pause.ts";
import type { StoreScope } from "../store/port.ts";
import { handledState, type HandledState } from "./handled-state.ts";
import { callHandler, type HandlerType } from "./handler-type.ts";
import type { HandledResource, HandlerList, HandlerQuery } from "./resource-handler.ts";

/** Resources in one batch of candidates. */
const BATCH = 200;

/** Resources of a list which are read before other requests have their turn: it may be there at once. */
const BETWEEN_TURNS = 1000;

/** A list, and what tells its handler that nobody waits for the rest of it. */
export interface AskedList {
  readonly list: HandlerList;
  readonly abort: (reason: unknown) => void;
}

/**
 * Asks a handler for the resources of a query. The signal that it is given holds for as long as they are read.
 * @throws TypeError where it answers no list
 */
export async function askList(type: HandlerType, scope: StoreScope, query: HandlerQuery): Promise<AskedList> {
  const ended = new AbortController();
  const abort = (reason: unknown): void => ended.abort(reason);
  const list = await callHandler(type, scope, (context) => {
    const { signal } = context;
    signal.addEventListener("abort", () => abort(signal.reason), { once: true });
    return type.handler.list({ ...context, signal: ended.signal }, query);
  });
  const { resources, total = 0 }: Partial<HandlerList> = list ?? {};
  if (!isIterable(resources))
    throw new TypeError(`The handler of ${type.model.name} gave no list, whose 'resources' can be iterated`);
  if (!Number.isSafeInteger(total) || total < 0)
    throw new TypeError(`The handler of ${type.model.name} gave a total that is no number of resources`);
  return { list, abort };
}

function isIterable(resources: unknown): boolean {
  if (typeof resources !== "object" || resources === null) return false;
  return Symbol.iterator in resources || Symbol.asyncIterator in resources;
}

/** The resources of a list, as they come. */
export async function* listed(
  type: HandlerType,
  scope: StoreScope,
  { list, abort }: AskedList,
): AsyncGenerator<HandledState, void, undefined> {
  try {
    yield* statesOf(type, scope, list);
  } catch (error) {
    abort(error);
    throw error;
  }
}

async function* statesOf(
  type: HandlerType,
  scope: StoreScope,
  { resources }: HandlerList,
): AsyncGenerator<HandledState, void, undefined> {
  let read = 0;
  if (!(Symbol.asyncIterator in resources)) {
    for (const handled of resources) {
      yield handledState(type, handled);
      read += 1;
      if (read % BETWEEN_TURNS === 0) await pause(scope);
    }
    return;
  }
  const iterator = resources[Symbol.asyncIterator]();
  let open = true;
  try {
    for (;;) {
      const step = await callHandler(type, scope, () => iterator.next());
      if (step.done === true) {
        open = false;
        return;
      }
      yield handledState(type, step.value);
      read += 1;
      if (read % BETWEEN_TURNS === 0) await pause(scope);
    }
  } finally {
    if (open) endEarly(iterator);
  }
}

/**
 * Not waited for: a list that does not answer in time does not end in time either. Whether it ends well changes nothing of
 * what was read.
 */
function endEarly(iterator: AsyncIterator<HandledResource>): void {
  const end = async (): Promise<unknown> => iterator.return?.();
  void end().catch(() => undefined);
}

/** The resources of a list in ascending order of id, in batches. */
export async function* inOrderOfId(
  type: HandlerType,
  scope: StoreScope,
  asked: AskedList,
): AsyncGenerator<readonly HandledState[], void, undefined> {
  const states = asked.list.order === "id" ? listed(type, scope, asked) : await sorted(type, scope, asked);
  let batch: HandledState[] = [];
  let last: string | null = null;
  for await (const state of states) {
    if (last !== null && compareKeys(state.id, last) <= 0) throw outOfOrder(type, state.id === last);
    last = state.id;
    batch.push(state);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function sorted(
  type: HandlerType,
  scope: StoreScope,
  asked: AskedList,
): Promise<readonly HandledState[]> {
  const all: HandledState[] = [];
  for await (const state of listed(type, scope, asked)) all.push(state);
  return all.toSorted((left, right) => compareKeys(left.id, right.id));
}

/** The error for a list that is not what its handler says. */
export function outOfOrder({ model }: HandlerType, isSame: boolean): TypeError {
  return new TypeError(
    isSame
      ? `The handler of ${model.name} listed a resource twice`
      : `The handler of ${model.name} listed resources that are not in ascending order of id`,
  );
}
