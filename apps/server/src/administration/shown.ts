/**
 * Tenants, connections and tokens as they are shown: the same JSON on the command line and below `/admin/v1`.
 * @module
 */
import { WITHHELD } from "@scim/events";
import { identifyDocument, type JsonObject } from "@scim/schemas";
import {
  writeSwitchFlips,
  type Connection,
  type ConnectionChange,
  type OwnDocuments,
  type PutDocuments,
  type StoredToken,
  type TenancyPorts,
  type Tenant,
  type TenantDocument,
} from "@scim/tenancy";

/** A tenant. What stands neither in `limits` nor in `retention` is as the service has it. */
export function shownTenant(tenant: Tenant): JsonObject {
  const { tenant: name, displayName, state, limits, retention, discovery, secrets } = tenant;
  const { created, revision } = tenant;
  return {
    tenant: name,
    displayName,
    state,
    limits: { ...limits },
    retention: { ...retention },
    discovery,
    secrets,
    created,
    revision,
  };
}

/** A document of a tenant. */
export function shownDocument(own: TenantDocument): JsonObject {
  const { kind, changed, document } = own;
  return { kind, name: documentName(own), changed, document };
}

/** The name of a document as the document spells it: letter case of URNs is kept for people, and compared by nobody. */
function documentName({ name, document }: TenantDocument): string {
  return identifyDocument(document)?.name ?? name;
}

/** The documents that a tenant has of its own. */
export function shownDocuments({ documents, revision, ...more }: OwnDocuments | PutDocuments): JsonObject {
  const notices = "notices" in more ? { notices: more.notices.map((notice) => ({ ...notice })) } : {};
  return { schemas: documents.map(shownDocument), revision, ...notices };
}

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether a text has the form of the ids that the service makes, which tell nothing of a person. */
export function isRandomId(text: string): boolean {
  return ID.test(text);
}

/** A connection, to somebody who may not see values of persons: of those whom its guard lets pass ids are shown. */
export function redactedConnection(connection: Connection): JsonObject {
  const { guard } = connection;
  if (guard === null) return shownConnection(connection);
  const named = guard.named.map((name) => (isRandomId(name) ? name : WITHHELD));
  return shownConnection({ ...connection, guard: { ...guard, named } });
}

/** A connection. */
export function shownConnection(connection: Connection): JsonObject {
  const { tenant, connection: name, state, profile, switches, rate, created, revision } = connection;
  const { guard, silentAfter } = connection;
  return {
    tenant,
    connection: name,
    state,
    profile,
    switches: [...writeSwitchFlips(switches)],
    rate: rate === null ? null : { ...rate },
    guard: guard === null ? null : { ...guard, named: [...guard.named] },
    silentAfter,
    created,
    revision,
  };
}

/** A connection that was made or changed, and whom its guard was told to let pass and nobody is. */
export async function changedConnection(
  { namesOfNobody }: Pick<TenancyPorts, "namesOfNobody">,
  after: Connection,
  { guard }: ConnectionChange,
): Promise<JsonObject> {
  const named = guard?.named ?? [];
  const nobody = named.length === 0 ? [] : ((await namesOfNobody?.(after, named)) ?? []);
  return { ...shownConnection(after), ...(nobody.length === 0 ? {} : { namesOfNobody: [...nobody] }) };
}

/** A token: neither its text nor its hash. */
export function shownToken(token: StoredToken): JsonObject {
  const { id, tenant, connection, name, scopes, subject, created, createdBy } = token;
  const { expires, lastUsed, revoked, scheme } = token;
  return {
    id,
    tenant,
    connection,
    name,
    scopes: [...scopes],
    subject,
    expires,
    lastUsed,
    revoked,
    created,
    createdBy,
    // How its hash was made where it was imported and not used yet.
    importedAs: scheme === "keyed" ? null : scheme,
  };
}
