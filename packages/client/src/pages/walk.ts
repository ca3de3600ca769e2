/**
 * Goes through the pages of a list, by cursor or by index.
 * @module
 */
import type { Capabilities } from "../discovery/capabilities.ts";
import type { FailedRequest } from "../errors/client-error.ts";
import type { ToleranceEvent } from "../exchange/events.ts";
import type { ListOptions } from "../resources/list-options.ts";
import type { PageOptions } from "../resources/options.ts";
import type { DynamicResource } from "../resources/shape.ts";
import { Ahead, type EarlyText } from "./ahead.ts";
import { walkByCursor } from "./cursor-walk.ts";
import { walkByIndex } from "./index-walk.ts";
import type { Page } from "./page.ts";
import { Progress } from "./progress.ts";
import type { ListReport } from "./resource-list.ts";

/** Reads pages. */
export interface PageReader {
  readonly read: (options: PageOptions<string>, early?: EarlyText) => Promise<Page<DynamicResource>>;
  readonly capabilities: () => Promise<Capabilities>;
  /** The request of the list, for errors. */
  readonly request: FailedRequest;
  /** Told what was made up for. */
  readonly tell: (event: ToleranceEvent) => void;
}

/** What a walk is made of. */
export interface Walk {
  readonly ahead: Ahead;
  readonly progress: Progress;
  /** Resources to ask for in each request. */
  readonly count: number;
  /** Greatest page that the service says it gives; null where it does not say. */
  readonly maxPageSize: number | null;
}

/** Pages of a walk, each without what was given out before. */
export type Pages = AsyncGenerator<Page<DynamicResource>, void, undefined>;

const DEFAULT_COUNT = 100;

/** Goes through the pages; tells after each what was met. */
export async function* walk(
  reader: PageReader,
  options: ListOptions<string>,
  onReport: (report: ListReport) => void,
): Pages {
  const { pageSize = DEFAULT_COUNT, by, prefetch = true, ...query } = options;
  const { cursor, maxPageSize } = await reader.capabilities();
  const count = Math.max(2, Math.min(pageSize, maxPageSize ?? Number.POSITIVE_INFINITY));
  const ahead = new Ahead((page, early) => reader.read({ ...query, ...page }, early), {
    prefetch,
    signal: query.signal,
  });
  const progress = new Progress(reader, onReport);
  const parts: Walk = { ahead, progress, count, maxPageSize };
  try {
    if (by === undefined ? cursor : by === "cursor") yield* walkByCursor(parts);
    else yield* walkByIndex(parts, null);
    progress.finish();
  } finally {
    ahead.stop();
  }
}
