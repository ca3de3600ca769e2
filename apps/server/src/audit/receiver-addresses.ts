/**
 * Addresses of receivers in the trail of administration: earlier releases told them whole, with path and query, and no entry is
 * ever written anew.
 * @module
 */
import { type AuditChange, type AuditValue, withoutWay } from "@scim/events";
import { isUnreadable, type ShownEntry } from "./shown-entry.ts";

const RECEIVERS: ReadonlySet<string> = new Set(["Webhook", "Stream"]);

/**
 * An entry of the trail as somebody is shown it: who may not change the receivers of its tenant sees where they lead alone.
 * @param mayChange whether the receivers of a tenant may be changed by whoever reads
 */
export function withoutWays(entry: ShownEntry, mayChange: (tenant: string) => boolean): ShownEntry {
  const [tenant = ""] = entry.id.split("/", 1);
  if (!RECEIVERS.has(entry.type) || mayChange(tenant)) return entry;
  // Nobody knows where in a text that is no entry an address stands.
  if (isUnreadable(entry)) return { ...entry, unreadable: "…" };
  return { ...entry, changes: entry.changes.map(changeWithoutWay) };
}

function changeWithoutWay(change: AuditChange): AuditChange {
  const { path, before, after } = change;
  if (path !== "url") return change;
  return {
    path,
    ...(before === undefined ? {} : { before: valueWithoutWay(before) }),
    ...(after === undefined ? {} : { after: valueWithoutWay(after) }),
  };
}

function valueWithoutWay(told: AuditValue): AuditValue {
  return "value" in told && typeof told.value === "string" ? { value: withoutWay(told.value) } : told;
}
