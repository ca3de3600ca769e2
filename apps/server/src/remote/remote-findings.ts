/**
 * What a running service says of its references.
 * @module
 */
import type { ScimClient } from "@scim/client";
import { FINDING_LISTS, type Finding } from "@scim/core";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import type { ListedFindings } from "../doctor/check-references.ts";

const PAGE = 500;
/** Findings of a list that are kept. */
const KEPT = 100;

/** Reads the whole report of `/Diagnostics/ReferentialConsistency`, page by page. */
export async function remoteFindings(
  client: ScimClient,
  tenant: string | undefined,
): Promise<readonly ListedFindings[]> {
  const found = FINDING_LISTS.map((list) => ({ list, count: 0, first: new Array<Finding>() }));
  let cursor: JsonValue | undefined = "";
  while (typeof cursor === "string") {
    const query = new URLSearchParams({ count: String(PAGE), cursor });
    if (tenant !== undefined) query.set("tenantId", tenant);
    const path = `/Diagnostics/ReferentialConsistency?${query.toString()}`;
    const body: JsonObject = (await client.request({ method: "GET", path })).body ?? {};
    for (const each of found) {
      const page = findingsOf(body[each.list]);
      each.count += page.length;
      each.first.push(...page.slice(0, KEPT - each.first.length));
    }
    ({ nextCursor: cursor } = body);
  }
  return found;
}

function findingsOf(list: JsonValue | undefined): readonly Finding[] {
  return list !== undefined && isJsonArray(list) ? list.filter(isFinding) : [];
}

function isFinding(value: JsonValue): value is JsonValue & Finding {
  if (!isJsonObject(value) || typeof value["issue"] !== "string") return false;
  return (
    typeof value["userId"] === "string" ||
    (typeof value["groupId"] === "string" && typeof value["memberId"] === "string")
  );
}
