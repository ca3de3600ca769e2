/**
 * The resource types of RFC 7643 §4 as data.
 * @module
 */
import type { ResourceTypeDefinition } from "../resource-type.ts";
import { ENTERPRISE_USER_URN, GROUP_URN, USER_URN } from "../urns.ts";

/** Users at `/Users`, with the Enterprise User extension where a resource carries it. */
export const USER_RESOURCE_TYPE = {
  name: "User",
  description: "People's accounts.",
  endpoint: "/Users",
  schema: USER_URN,
  schemaExtensions: [{ schema: ENTERPRISE_USER_URN, required: false }],
  annotations: {
    displayName: { indexed: true },
    "emails.value": { indexed: true },
    externalId: { indexed: true },
  },
} as const satisfies ResourceTypeDefinition;

/** Groups at `/Groups`. */
export const GROUP_RESOURCE_TYPE = {
  name: "Group",
  description: "Groups of users and of other groups.",
  endpoint: "/Groups",
  schema: GROUP_URN,
  annotations: {
    displayName: { indexed: true },
    externalId: { indexed: true },
  },
} as const satisfies ResourceTypeDefinition;
