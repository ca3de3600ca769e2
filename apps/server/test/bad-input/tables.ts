/**
 * All tables of bad input.
 * @module
 */
import { BODIES } from "./bodies.ts";
import { BULK_JOBS } from "./bulk-jobs.ts";
import { CURSORS, GUARDED_QUERIES } from "./cursors.ts";
import { DRY_RUNS, PROTOCOL_VERSIONS } from "./dry-runs.ts";
import { MUTABILITY } from "./mutability.ts";
import { PATCHES } from "./patches.ts";
import { QUERIES } from "./queries.ts";
import type { BadInput } from "./row.ts";
import { SEARCHES } from "./searches.ts";
import { TRANSPORT } from "./transport.ts";
import { VALUES } from "./values.ts";

/** The tables by name. */
export const TABLES: Readonly<Record<string, readonly BadInput[]>> = {
  BODIES,
  VALUES,
  MUTABILITY,
  PATCHES,
  QUERIES,
  SEARCHES,
  CURSORS,
  GUARDED_QUERIES,
  BULK_JOBS,
  DRY_RUNS,
  PROTOCOL_VERSIONS,
  TRANSPORT,
};
