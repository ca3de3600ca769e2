/**
 * What faults come to in Microsoft Entra ID.
 * @module
 */

/** What comes of an object that cannot be provisioned. */
export const QUARANTINE =
  "The object is tried again and again with growing pauses, and the job goes into quarantine.";

/** What comes of a PATCH that is refused. */
export const HOLDS_BACK =
  "The whole PATCH is tried again for ever, and holds back later changes, deactivation among them.";
