/**
 * How a list is read.
 * @module
 */
import type { Projection, QueryOptions } from "./options.ts";

/** What is listed, and in which steps. */
export interface ListOptions<Path extends string, Fields = never>
  extends QueryOptions<Path, Fields>, Projection<Path> {
  /** Resources to ask for in each request: 2 or more. Default 100, or less where the service says so. */
  readonly pageSize?: number | undefined;
  /** Whether to ask for the next page while one is worked on. Default true. */
  readonly prefetch?: boolean | undefined;
  /**
   * How to page: by cursor or by index. Default: by cursor where the service says that it can, which is exact while
   * resources come and go; else by index.
   */
  readonly by?: "cursor" | "index" | undefined;
}
