/**
 * Settings of the guard of connections that have none of their own.
 * @module
 */
import { choice, integer, text, type Setting } from "./setting.ts";

const NAMES = /^[A-Za-z$][\w$-]{0,63}(?:,[A-Za-z$][\w$-]{0,63})*$/;

/** How connections are guarded, by key. */
export const GUARD_SETTINGS = {
  "guard.mode": choice({
    doc: "What happens where a connection deactivates, deletes or removes more than its guard lets pass: `observe` tells it, `hold` refuses more with 429 until an admin releases it.",
    fallback: "observe",
    words: ["observe", "hold", "off"],
  }),
  "guard.atLeast": integer({
    doc: "So many deactivations, deletions or removals pass the guard in any case.",
    fallback: 50,
    minimum: 0,
    maximum: 1_000_000,
    unit: "changes",
  }),
  "guard.percent": integer({
    doc: "And so many of a hundred resources of the type; of removals, of a hundred values in its collections. The greater of both counts.",
    fallback: 10,
    minimum: 0,
    maximum: 100,
    unit: "percent",
  }),
  "guard.window": integer({
    doc: "The time in which the guard counts them.",
    fallback: 60,
    minimum: 1,
    maximum: 10_080,
    unit: "minutes",
  }),
  "guard.deactivating": text({
    doc: "Boolean attributes whose false counts as a deactivation; the log of a start warns of those that no resource type has.",
    bound: "names separated by commas",
    read: (given: string) => {
      if (NAMES.test(given)) return given.split(",");
      throw new TypeError("must be names of attributes separated by commas");
    },
    fallback: "active",
  }),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
