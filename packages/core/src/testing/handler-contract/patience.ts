/**
 * A handler of which no call is waited for without end: a method that does not answer once is not called again, so that the
 * contract ends soon also over a database that does not answer at all.
 * @module
 */
import type { HandledResource, HandlerList, ResourceHandler } from "../../handlers/resource-handler.ts";
import { withinTime } from "../../time-limit.ts";
import { interposed } from "../interposed.ts";

/** What is called on a handler. */
type Method = Exclude<keyof ResourceHandler, "comparesVersions" | "previews" | "ids">;

/** Does work within the time of a call. */
type WithinTime = <Result>(work: () => Promise<Result> | Result) => Promise<Result>;

/** Waits for the methods of a handler, over all rules of a contract. */
export class Patience {
  readonly #milliseconds: number;
  /** Methods that did not answer in time. */
  readonly #silent = new Set<string>();

  /** @param milliseconds most of one call, and of the next resource of a list */
  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** The handler with calls that end. */
  with(handler: ResourceHandler): ResourceHandler {
    const listing = this.#of("list");
    const calls: Pick<ResourceHandler, Method> = {
      get: (context, id) => this.#of("get")(() => handler.get(context, id)),
      list: async (context, query) => {
        const list = await listing(() => handler.list(context, query));
        return isSlow(list) ? interposed(list, { resources: timed(list.resources, listing) }) : list;
      },
      create: (context, resource) => this.#of("create")(() => handler.create(context, resource)),
      replace: (context, change) => this.#of("replace")(() => handler.replace(context, change)),
      delete: (context, deletion) => this.#of("delete")(() => handler.delete(context, deletion)),
      getMany: (context, ids) => this.#of("getMany")(() => handler.getMany?.(context, ids) ?? []),
      references: (context, wanted) =>
        this.#of("references")(() => handler.references?.(context, wanted) ?? []),
      referrers: (context, wanted) => this.#of("referrers")(() => handler.referrers?.(context, wanted) ?? []),
    };
    const own = Object.entries(calls).filter(([name]) => typeof Reflect.get(handler, name) === "function");
    return interposed<ResourceHandler>(handler, Object.fromEntries(own));
  }

  /** Waits for a method. */
  #of(method: Method): WithinTime {
    return async (work) => {
      if (this.#silent.has(method)) throw this.#silence(method);
      const late = (): Error => {
        this.#silent.add(method);
        return this.#silence(method);
      };
      return withinTime({ milliseconds: this.#milliseconds, signal: undefined, late }, work);
    };
  }

  #silence(method: string): Error {
    return new Error(`'${method}' did not answer within ${this.#milliseconds} ms, and is not called again`);
  }
}

/** A list whose resources come one by one. */
interface SlowList extends HandlerList {
  readonly resources: AsyncIterable<HandledResource>;
}

/** What is no list the service finds out itself. */
function isSlow(list: Partial<HandlerList> | null | undefined): list is SlowList {
  const resources = list?.resources;
  return typeof resources === "object" && resources !== null && Symbol.asyncIterator in resources;
}

function timed(
  resources: AsyncIterable<HandledResource>,
  within: WithinTime,
): AsyncIterable<HandledResource> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = resources[Symbol.asyncIterator]();
      return interposed(iterator, { next: () => within(() => iterator.next()) });
    },
  };
}
