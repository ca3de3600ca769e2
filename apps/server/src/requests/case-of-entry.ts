/**
 * Makes cases of entries of the request log, from what the database of the settings holds.
 * @module
 */
import type { Profile } from "@scim/core";
import { makeCase, Pseudonyms, readEarlierState, type RequestCase, type StoredRequest } from "@scim/events";
import { GROUP_MEMBERSHIP_RESOURCE_TYPE, GROUP_MEMBERSHIP_SCHEMA, type JsonValue } from "@scim/schemas";
import type { OpenedStore } from "../store/open-store.ts";
import { connectionProfiles } from "../profile.ts";
import { limitsOfService } from "../serve/service-limits.ts";
import { documentsOf, jsonFilesOf } from "../schemas/schema-documents.ts";
import { DEFAULT_TENANT, type Settings } from "../settings/table.ts";

/** Documents of what a setting adds: plain data. */
const MEMBERSHIPS = JSON.parse(
  JSON.stringify([GROUP_MEMBERSHIP_SCHEMA, GROUP_MEMBERSHIP_RESOURCE_TYPE]),
) as readonly JsonValue[];

/** What cases are made from. */
export interface Cases {
  readonly opened: OpenedStore;
  readonly pseudonyms: Pseudonyms;
  /** Schema and ResourceType documents of a tenant beside the built-in ones. */
  readonly documentsOf: (tenant: string) => Promise<readonly JsonValue[]>;
  /** The profile that a connection has now. */
  profileOf(name: Pick<StoredRequest, "tenant" | "connection">): Promise<Profile>;
}

/**
 * Opens what cases are made from.
 * @throws CommandFailure where the documents of the settings cannot be used
 */
export function openCases(settings: Settings, opened: OpenedStore): Cases {
  const profiles = connectionProfiles(settings, opened.store.connections);
  return {
    opened,
    pseudonyms: new Pseudonyms(opened.auditKeys),
    documentsOf: async (tenant) => [
      ...(settings.groupMemberships === "on" ? MEMBERSHIPS : []),
      ...(settings.schemas === null || tenant !== DEFAULT_TENANT
        ? []
        : jsonFilesOf(settings.schemas).flatMap(jsonDocumentsOf)),
      ...(await opened.store.documents.list(tenant)).map(({ document }) => document),
    ],
    profileOf: ({ tenant, connection }) => profiles(tenant, connection),
  };
}

/**
 * The case of an entry under a profile.
 * @param profile null for that of the connection
 * @throws ScimError `invalidValue` where the log does not hold the whole request
 */
export async function caseOfEntry(
  cases: Cases,
  entry: StoredRequest,
  profile: Profile | null,
): Promise<RequestCase> {
  const { pseudonyms } = cases;
  const { store, rules } = cases.opened;
  const { catalog, limits } = await rules.of(entry.tenant);
  const documents = await cases.documentsOf(entry.tenant);
  const state = await readEarlierState({ ...store, catalog }, entry);
  const under = profile ?? (await cases.profileOf(entry));
  const making = { catalog, pseudonyms, documents, profile: under, limits: limitsOfService(limits) };
  return makeCase(making, entry, state === null ? [] : [state]);
}

function jsonDocumentsOf(file: string): readonly JsonValue[] {
  // Documents are read from JSON files.
  return documentsOf(file).map(({ document }) => document as JsonValue);
}
