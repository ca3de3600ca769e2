/**
 * What imports ask of a database: look-ups and writes of many resources at once, and how far a run has come.
 * @module
 */
import type { ImportStep, ImportStore, NewResources, StoreScope, WriteAllResult } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { findHolders } from "../resources/holders.ts";
import type { Executor } from "../steps.ts";
import { bulkOf, OpenBulk, type Bulk } from "./bulk.ts";
import { insertBulk } from "./insert-bulk.ts";
import { countRuns, forgetRun, readProgress } from "./progress.ts";
import { writeAll } from "./write-all.ts";

/** Writes new resources beside this thread. */
export interface BulkWriter {
  /** Begins to hand over resources that are written together. */
  begin(): HandedOver;
}

/** Resources that are handed over. */
export interface HandedOver {
  add(groups: Bulk["groups"]): void;
  /** Writes what was added and a step of a run, or nothing of it, and begins anew. */
  write(scope: StoreScope, step: ImportStep | null): Promise<HandedWrite>;
}

/** What came of a write. */
export interface HandedWrite {
  readonly result: WriteAllResult;
  /** Resolves when it is on the disk. Rejects with ScimError `unavailable` where it may not be. */
  readonly flushed: Promise<void>;
}

/** What imports work with. */
export interface ImportStoreOptions {
  readonly executor: Executor;
  readonly dialect: Dialect;
  /** Default: the executor writes. */
  readonly writeBulk?: BulkWriter | undefined;
}

/** Makes the imports of a database. */
export function createImportStore({ executor, dialect, writeBulk }: ImportStoreOptions): ImportStore {
  const writeHere: WriteBulk = (scope, bulk) =>
    executor.write((transaction) => insertBulk({ scope, dialect, transaction }, bulk));
  const batches = writeBulk?.begin();
  return {
    holders: ({ tenant }, lookup) => executor.read(findHolders(tenant, lookup, dialect)),
    writeAll: ({ tenant, connection }, plans, step) => {
      const scope = { tenant, connection };
      const bulk = bulkOf(plans, step);
      return bulk === null
        ? executor.write((transaction) => writeAll({ scope, dialect, transaction }, plans, step))
        : batches === undefined
          ? writeHere(scope, bulk)
          : handOver(batches, scope, bulk);
    },
    gather: ({ tenant, connection }) => gather({ tenant, connection }, writeHere, writeBulk?.begin()),
    progress: ({ tenant }, run) => executor.read(readProgress(tenant, run)),
    begun: ({ tenant }, beginning) => executor.read(countRuns(tenant, beginning)),
    forget: ({ tenant }, run) => executor.write(() => forgetRun(tenant, run)),
  };
}

type WriteBulk = (scope: StoreScope, bulk: Bulk) => Promise<WriteAllResult>;

async function handOver(
  writer: HandedOver,
  scope: StoreScope,
  { groups, step }: Bulk,
): Promise<WriteAllResult> {
  writer.add(groups);
  const { result, flushed } = await writer.write(scope, step);
  await flushed;
  return result;
}

/** Resources that are handed over at once, so that they do not become old here. */
const AT_ONCE = 100;

/** Gathers resources; few of them are written here, also where there is a writer. */
function gather(scope: StoreScope, writeHere: WriteBulk, writer?: HandedOver): NewResources {
  let bulk = new OpenBulk();
  let isHandedOver = false;
  /** Settles when all that was written is on the disk, or may not be. */
  let flushed: Promise<unknown> = Promise.resolve();
  return {
    add: (plans, free) => {
      for (const plan of plans) bulk.add(plan, free);
      if (writer === undefined || bulk.count < AT_ONCE) return;
      writer.add(bulk.close(null).groups);
      bulk = new OpenBulk();
      isHandedOver = true;
    },
    write: async (step) => {
      const last = bulk;
      const isHere = writer === undefined || (!isHandedOver && last.isSmall);
      bulk = new OpenBulk();
      isHandedOver = false;
      if (isHere) return (await writeHere(scope, last.close(step))).kind === "written";
      writer.add(last.close(null).groups);
      const written = await writer.write(scope, step);
      flushed = Promise.all([flushed, written.flushed]);
      // Who asks whether it is settled hears of it.
      flushed.catch(() => undefined);
      return written.result.kind === "written";
    },
    settled: async () => void (await flushed),
  };
}
