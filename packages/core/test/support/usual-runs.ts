/**
 * How many cases properties try.
 * @module
 */
import * as fc from "fast-check";

/** Cases of a property that needs no more than others. */
export const USUAL_RUNS = fc.readConfigureGlobal().numRuns ?? 100;
