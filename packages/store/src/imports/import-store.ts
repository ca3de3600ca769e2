/**
 * What imports ask of a database: look-ups and writes of many resources at once, and how far a run has come.
 * @module
 */
import type { ImportStore, StoreScope, WriteAllResult } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import type { Executor } from "../steps.ts";
import { bulkOf, type Bulk } from "./bulk.ts";
import { findHolders } from "./holders.ts";
import { insertBulk } from "./insert-bulk.ts";
import { forgetRun, readProgress } from "./progress.ts";
import { writeAll } from "./write-all.ts";

/** Writes new resources beside this thread. */
export type BulkWriter = (scope: StoreScope, bulk: Bulk) => Promise<WriteAllResult>;

/** What imports work with. */
export interface ImportStoreOptions {
  readonly executor: Executor;
  readonly dialect: Dialect;
  /** Default: the executor writes. */
  readonly writeBulk?: BulkWriter | undefined;
}

/** Makes the imports of a database. */
export function createImportStore({ executor, dialect, writeBulk }: ImportStoreOptions): ImportStore {
  const write: BulkWriter =
    writeBulk ??
    ((scope, bulk) => executor.write((transaction) => insertBulk({ scope, dialect, transaction }, bulk)));
  return {
    holders: ({ tenant }, lookup) => executor.read(findHolders(tenant, lookup, dialect)),
    writeAll: ({ tenant, connection }, plans, step) => {
      const scope = { tenant, connection };
      const bulk = bulkOf(plans, step);
      return bulk === null
        ? executor.write((transaction) => writeAll({ scope, dialect, transaction }, plans, step))
        : write(scope, bulk);
    },
    progress: ({ tenant }, run) => executor.read(readProgress(tenant, run)),
    forget: ({ tenant }, run) => executor.write(() => forgetRun(tenant, run)),
  };
}
