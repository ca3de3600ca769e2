/**
 * What imports ask of a database: look-ups and writes of many resources at once, and how far a run has come.
 * @module
 */
import type { ImportStore, NewResources, StoreScope, WriteAllResult } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import type { Executor } from "../steps.ts";
import { bulkOf, OpenBulk, type Bulk } from "./bulk.ts";
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
  const writeHere: BulkWriter = (scope, bulk) =>
    executor.write((transaction) => insertBulk({ scope, dialect, transaction }, bulk));
  const write = writeBulk ?? writeHere;
  return {
    holders: ({ tenant }, lookup) => executor.read(findHolders(tenant, lookup, dialect)),
    writeAll: ({ tenant, connection }, plans, step) => {
      const scope = { tenant, connection };
      const bulk = bulkOf(plans, step);
      return bulk === null
        ? executor.write((transaction) => writeAll({ scope, dialect, transaction }, plans, step))
        : write(scope, bulk);
    },
    gather: ({ tenant, connection }) => gather({ tenant, connection }, { write, writeHere }),
    progress: ({ tenant }, run) => executor.read(readProgress(tenant, run)),
    forget: ({ tenant }, run) => executor.write(() => forgetRun(tenant, run)),
  };
}

interface BulkWriters {
  readonly write: BulkWriter;
  /** On the thread of the rules. */
  readonly writeHere: BulkWriter;
}

function gather(scope: StoreScope, { write, writeHere }: BulkWriters): NewResources {
  let bulk = new OpenBulk();
  return {
    add: (plans, free) => {
      for (const plan of plans) bulk.add(plan, free);
    },
    write: async (step) => {
      const written = bulk;
      bulk = new OpenBulk();
      const { kind } = await (written.isSmall ? writeHere : write)(scope, written.close(step));
      return kind === "written";
    },
  };
}
