/**
 * Our own extension of ServiceProviderConfig: what the service can do beyond the RFCs.
 * @module
 */
import { defineSchema } from "../schema.ts";
import { SERVICE_PROVIDER_CONFIG_EXTENSION_URN } from "../urns.ts";

const SUPPORTED = [
  {
    name: "supported",
    type: "boolean",
    required: true,
    mutability: "readOnly",
    description: "Whether the service does it.",
  },
] as const;

/**
 * What the service can do beyond RFC 7643 §5, and a client must not take for granted elsewhere. Returned on request: there
 * are clients that refuse a configuration with members that they do not know.
 */
export const SERVICE_PROVIDER_CONFIG_EXTENSION_SCHEMA = defineSchema({
  id: SERVICE_PROVIDER_CONFIG_EXTENSION_URN,
  name: "Service Provider Configuration Extension",
  description: "What the service can do beyond the RFCs.",
  attributes: [
    {
      name: "dryRun",
      type: "complex",
      mutability: "readOnly",
      returned: "request",
      description: "Trying out a change, at an address below /.dry-run, without making it.",
      subAttributes: SUPPORTED,
    },
    {
      name: "versionCoversDerived",
      type: "complex",
      mutability: "readOnly",
      returned: "request",
      description:
        "The version of a resource covers what the service works out, such as the groups of a user: no 304 hides a change of it.",
      subAttributes: SUPPORTED,
    },
  ],
});
