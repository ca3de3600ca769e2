/**
 * What imports ask of a database: look-ups and writes of many resources at once, and how far a run has come.
 * @module
 */
import type { ImportStore } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import type { Executor } from "../steps.ts";
import { findHolders } from "./holders.ts";
import { forgetRun, readProgress } from "./progress.ts";
import { writeAll } from "./write-all.ts";

/** Makes the imports of a database. */
export function createImportStore(executor: Executor, dialect: Dialect): ImportStore {
  return {
    holders: ({ tenant }, lookup) => executor.read(findHolders(tenant, lookup, dialect)),
    writeAll: (scope, plans, step) =>
      executor.write((transaction) => writeAll({ scope, dialect, transaction }, plans, step)),
    progress: ({ tenant }, run) => executor.read(readProgress(tenant, run)),
    forget: ({ tenant }, run) => executor.write(() => forgetRun(tenant, run)),
  };
}
