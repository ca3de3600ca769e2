/**
 * The changes of a resource as administrators review them: as the audit log would tell them, with pseudonyms in the place of
 * personal values.
 * @module
 */
import type { ResourceModel } from "@scim/core";
import { type ChangedState, changesText } from "../../audit/changes.ts";
import type { AuditChange } from "../../audit/entry.ts";
import type { Pseudonyms } from "./pseudonyms.ts";

/** Whose changes are shown, and as what. */
export interface ShownAs {
  readonly pseudonyms: Pseudonyms;
  readonly tenant: string;
  /** Null where the type is not served any more. */
  readonly model: ResourceModel | null;
}

/** Each change by itself, also of a resource that comes or goes as a whole: a kind of event means nothing here. */
export function shownChanges(
  { pseudonyms, tenant, model }: ShownAs,
  { before, after, changed, collections }: ChangedState,
): readonly AuditChange[] {
  const text = changesText(
    { before, after, changed, collections },
    model?.members ?? null,
    (_path, json, node) => pseudonyms.ofJson(tenant, json, node),
  );
  // The text is a list of changes that `changesText` wrote.
  return JSON.parse(text) as readonly AuditChange[];
}
