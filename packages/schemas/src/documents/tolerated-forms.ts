/**
 * What published Schema documents have beside RFC 7643, those of RFC 9944 above all.
 * @module
 */
import type { ToleratedForms } from "./document-reader.ts";

/** Forms inside attribute definitions that are read as what is meant, with a notice. */
export const PUBLISHED_FORMS: ToleratedForms = {
  ignored: new Map([
    ["pattern", "is no characteristic of SCIM and not enforced: leave it out, or annotate a length"],
  ]),
  spellings: new Map([["multivalues", "multiValued"]]),
  values: new Map([
    ["type", new Map([["bool", "boolean"]])],
    [
      "uniqueness",
      new Map([
        ["manufacturer", "none"],
        ["enterprise", "none"],
      ]),
    ],
  ]),
  single: new Set(["referenceTypes"]),
};
