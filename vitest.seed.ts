/**
 * What property tests begin with: the same each time, so that a run says something about a change and nothing else
 * does. `SCIM_TEST_SEED` takes another number, or `random` for cases that nobody has seen. `SCIM_TEST_RUNS` says how many
 * cases a property tries that names no number: few are enough where one holds already, and runs again on something else.
 */
import process from "node:process";
import fc from "fast-check";

/** The seed of a run without a word about it. */
const USUAL_SEED = 20_644;

/**
 * Milliseconds after which a property says what it found: before the time of its test is up. One that failed by chance goes
 * through ever smaller cases that all pass, and the test would say nothing but that it took too long.
 */
const LONGEST = 240_000;

const wanted = process.env["SCIM_TEST_SEED"] ?? String(USUAL_SEED);
if (wanted !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) });
const runs = process.env["SCIM_TEST_RUNS"];
if (runs !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: Number(runs) });
fc.installGlobalPlugin(fc.interruptAfterTimeLimit(LONGEST, { failOnInterrupt: true }));
