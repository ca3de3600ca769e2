/**
 * The limits of the service that settings give.
 * @module
 */
import type { OwnRules, ServiceLimits } from "@scim/core";
import type { ServiceCeilings } from "@scim/tenancy";
import type { Settings } from "../settings/table.ts";

/** The limits of the service as the settings give them. */
export function serviceLimits(settings: Settings): Partial<ServiceLimits> {
  return {
    pageSize: settings["page.size"],
    maxResults: settings["filter.maxResults"],
    filterLength: settings["filter.maxLength"],
    filterDepth: settings["filter.maxDepth"],
    stringLength: settings["string.maxLength"],
    decimalPrecision: settings["decimal.maxPrecision"],
    decimalScale: settings["decimal.maxScale"],
    integerMinimum: settings["integer.minimum"],
    integerMaximum: settings["integer.maximum"],
    answerReferences: settings["group.answerMembers"],
    groups: settings.groups,
    cursorTimeout: settings["cursor.timeout"],
    sortedResults: settings["sort.maxResults"],
    queryTimeout: settings["query.timeout"],
    sensitiveAttributes: settings["filter.sensitiveAttributes"] ?? [],
    bulkOperations: settings["bulk.maxOperations"],
    bulkPayload: settings["bulk.maxPayloadSize"],
    ...(settings.me === "on" ? {} : { me: null }),
  };
}

/** The limits of a tenant that bound requests and answers. */
export function limitsOfService(limits: ServiceCeilings): NonNullable<OwnRules["limits"]> {
  return {
    pageSize: limits["page.size"],
    maxResults: limits["filter.maxResults"],
    bulkOperations: limits["bulk.maxOperations"],
    answerReferences: limits["group.answerMembers"],
  };
}

/** The limits that no tenant has beyond. */
export function serviceCeilings(settings: Settings): ServiceCeilings {
  return {
    "page.size": settings["page.size"],
    "filter.maxResults": settings["filter.maxResults"],
    "bulk.maxOperations": settings["bulk.maxOperations"],
    "group.answerMembers": settings["group.answerMembers"],
    "query.scansPerTenant": settings["query.scansPerTenant"],
  };
}
