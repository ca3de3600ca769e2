/**
 * What a service can do, as its ServiceProviderConfig says (RFC 7643 §5, RFC 9865 §4).
 * @module
 */
import {
  isJsonObject,
  SERVICE_PROVIDER_CONFIG_EXTENSION_URN,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";

/** What a service can do, as far as the client goes by it. */
export interface Capabilities {
  readonly patch: boolean;
  /** Limits of bulk jobs; null where there are none. */
  readonly bulk: BulkLimits | null;
  readonly filter: boolean;
  readonly sort: boolean;
  /** Whether resources have versions. */
  readonly versions: boolean;
  /** Whether lists can be read by cursor (RFC 9865). */
  readonly cursor: boolean;
  /** Greatest number of resources of a page; null where the service does not say. */
  readonly maxPageSize: number | null;
}

/** What a service can do beyond the RFCs, and tells whoever asks for it. */
export interface ConfigExtension {
  /** Whether changes can be tried out below `/.dry-run`. */
  readonly dryRun: boolean;
  /** Whether the version of a resource covers attributes that the service works out, such as `groups` of a User. */
  readonly versionCoversDerived: boolean;
}

/** Limits of bulk jobs. */
export interface BulkLimits {
  /** Greatest number of operations in one request; 1 or more. */
  readonly maxOperations: number;
  /** Greatest size of a request, in bytes; 1 or more. */
  readonly maxPayloadSize: number;
}

/** What is taken for granted of a service that does not tell: the least, and PATCH. */
export const UNKNOWN_CAPABILITIES: Capabilities = {
  patch: true,
  bulk: null,
  filter: true,
  sort: false,
  versions: false,
  cursor: false,
  maxPageSize: null,
};

/** What is taken for granted of a service that does not tell what it can do beyond the RFCs: nothing. */
export const NO_EXTENSION: ConfigExtension = { dryRun: false, versionCoversDerived: false };

/**
 * Reads a ServiceProviderConfig. What is missing or misshapen counts as not offered. PATCH does where it is denied alone: a PUT in
 * its place clears what the service does not show.
 */
export function capabilitiesOf(config: JsonObject): Capabilities {
  const pagination = member(config, "pagination");
  return {
    patch: !isDenied(config, "patch"),
    bulk: bulkLimits(member(config, "bulk")),
    filter: isOffered(config, "filter"),
    sort: isOffered(config, "sort"),
    versions: isOffered(config, "etag"),
    cursor: isTrue(pagination?.["cursor"]),
    maxPageSize: positive(pagination?.["maxPageSize"]) ?? positive(member(config, "filter")?.["maxResults"]),
  };
}

/** Reads the extension of a ServiceProviderConfig that was asked for it. What is missing counts as not offered. */
export function configExtensionOf(config: JsonObject): ConfigExtension {
  const own = member(config, SERVICE_PROVIDER_CONFIG_EXTENSION_URN) ?? {};
  return {
    dryRun: isOffered(own, "dryRun"),
    versionCoversDerived: isOffered(own, "versionCoversDerived"),
  };
}

function bulkLimits(bulk: JsonObject | null): BulkLimits | null {
  if (!isTrue(bulk?.["supported"])) return null;
  return {
    maxOperations: positive(bulk?.["maxOperations"]) ?? 1000,
    maxPayloadSize: positive(bulk?.["maxPayloadSize"]) ?? 1_048_576,
  };
}

function isOffered(config: JsonObject, name: string): boolean {
  return isTrue(member(config, name)?.["supported"]);
}

function isDenied(config: JsonObject, name: string): boolean {
  const value = config[name];
  const supported = isJsonObject(value) ? value["supported"] : value;
  return supported === false || (typeof supported === "string" && supported.toLowerCase() === "false");
}

function member(config: JsonObject, name: string): JsonObject | null {
  const value = config[name];
  return isJsonObject(value) ? value : null;
}

/** Some services send booleans and numbers as text. */
function isTrue(value: JsonValue | undefined): boolean {
  return value === true || (typeof value === "string" && value.toLowerCase() === "true");
}

function positive(value: JsonValue | undefined): number | null {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number > 0 ? number : null;
}
