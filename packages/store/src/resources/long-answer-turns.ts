/**
 * Lets answers that are sent in parts wait for each other: each keeps one state of the database open until its client has
 * read it, and they must take neither the places of scans nor those of other tenants.
 * @module
 */
import { Turns } from "@scim/core";

/** How many may wait. */
const WAITING = 256;

/** Milliseconds that one waits: long enough for a crowd, and shorter than clients wait. */
const PATIENCE = 10_000;

/** The turns of the long answers of a database. One place is always left to another tenant, where there is more than one. */
export class LongAnswerTurns extends Turns {
  /** @param places answers that may be under way at the same time; at least one may */
  constructor(places: number, patience = PATIENCE) {
    const atOnce = Math.max(1, places);
    const perTenant = Math.max(1, atOnce - 1);
    super({
      atOnce,
      perTenant: () => perTenant,
      waiting: WAITING,
      patience,
      refusal: "Too many long answers are being sent now. Try again.",
    });
  }
}
