/**
 * What a running service says of its references.
 * @module
 */
import type { ScimClient } from "@scim/client";
import { FINDING_LISTS, type Finding, type FindingList } from "@scim/core";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { CommandFailure, EXIT } from "../failure.ts";
import type { ListedFindings } from "../doctor/check-references.ts";

const PAGE = 500;
/** Findings of a list that are kept. */
const KEPT = 100;

/**
 * Reads the whole report of `/Diagnostics/ReferentialConsistency`, page by page.
 * @throws CommandFailure where what is answered is no report, or never ends
 */
export async function remoteFindings(
  client: ScimClient,
  tenant: string | undefined,
): Promise<readonly ListedFindings[]> {
  const found = FINDING_LISTS.map((list) => ({ list, count: 0, first: new Array<Finding>() }));
  const asked = new Set<string>();
  let cursor: JsonValue | undefined = "";
  while (typeof cursor === "string") {
    if (asked.has(cursor)) throw noReport("its 'nextCursor' names a page that was answered already");
    asked.add(cursor);
    const query = new URLSearchParams({ count: String(PAGE), cursor });
    if (tenant !== undefined) query.set("tenantId", tenant);
    const path = `/Diagnostics/ReferentialConsistency?${query.toString()}`;
    const body: JsonObject = (await client.request({ method: "GET", path })).body ?? {};
    for (const each of found) {
      const page = findingsOf(body, each.list);
      each.count += page.length;
      each.first.push(...page.slice(0, KEPT - each.first.length));
    }
    ({ nextCursor: cursor } = body);
  }
  return found;
}

/** Lists that only this service has: others leave them out. */
const OWN: ReadonlySet<FindingList> = new Set<FindingList>(["cyclicGroupMembers"]);

function findingsOf(body: JsonObject, list: FindingList): readonly Finding[] {
  const { [list]: value } = body;
  if (value === undefined && OWN.has(list)) return [];
  if (value === undefined || !isJsonArray(value) || !value.every(isFinding))
    throw noReport(`its '${list}' is no list of findings`);
  return value;
}

function noReport(reason: string): CommandFailure {
  return new CommandFailure(
    EXIT.failed,
    `What the service answered at /Diagnostics/ReferentialConsistency is no report: ${reason}. Is --url the base address of a service that has it?`,
  );
}

function isFinding(value: JsonValue): value is JsonValue & Finding {
  if (!isJsonObject(value) || typeof value["issue"] !== "string") return false;
  return (
    typeof value["userId"] === "string" ||
    (typeof value["groupId"] === "string" && typeof value["memberId"] === "string")
  );
}
