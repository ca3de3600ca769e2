/**
 * Administrators who sign in by an issuer: made, changed and revoked.
 * @module
 */
import { nextRevision } from "@scim/core";
import { type Acting, actOf, type AdminAct, type RowChange, toldChange } from "../acts/admin-act.ts";
import type { AdminIdentity } from "../admins/admin-identity.ts";
import { type RevisedTarget, findAdminIssuer } from "./admin-issuers.ts";
import { changeRevised, removeRevised } from "./change-revised.ts";
import { checkedName } from "./checked-name.ts";
import { checkedText } from "./checked-trust.ts";
import type { AdminPorts } from "./ports.ts";
import type { AdminRole } from "./roles.ts";
import { TenancyError } from "./tenancy-error.ts";
import { requireTenant } from "./tenants.ts";
import { toldIdentity } from "./told-admins.ts";

/** An administrator to make; see {@link AdminIdentity}. */
export interface NewAdminIdentity {
  /** Id of the issuer. */
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly role: AdminRole;
  /** The one tenant of a `tenant-admin`. */
  readonly tenant?: string | null | undefined;
  /** When it ends; null, and the default, for when it is revoked. */
  readonly expires?: string | null | undefined;
  readonly createdBy: string;
}

/** What changes of an administrator; what is left out stays. */
export interface AdminIdentityChange {
  readonly name?: string | undefined;
  readonly role?: AdminRole | undefined;
  readonly tenant?: string | null | undefined;
  readonly expires?: string | null | undefined;
}

const NAME = "The name of an administrator";
/** Administrators of issuers at most. */
const MOST_IDENTITIES = 1000;

/**
 * Makes an administrator of whoever an issuer names by a subject.
 * @throws TenancyError `notFound`, `invalid`, `exists`, `refused`
 */
export async function createAdminIdentity(
  ports: AdminPorts,
  wanted: NewAdminIdentity,
): Promise<AdminIdentity> {
  const { issuer, tenant = null, expires = null, createdBy } = wanted;
  await findAdminIssuer(ports, issuer);
  if (tenant !== null) await requireTenant(ports, tenant);
  const created = ports.now();
  const made: AdminIdentity = {
    id: ports.newId(),
    issuer,
    subject: checkedText("subject", wanted.subject),
    name: checkedName(NAME, wanted.name),
    ...checkedRole(wanted.role, tenant),
    expires: checkedExpiry(expires, created),
    lastUsed: null,
    created,
    createdBy,
    revision: nextRevision(0, ports.random()),
  };
  if (await ports.admins.addIdentity(made, told(ports, [null, made]), MOST_IDENTITIES)) return made;
  if ((await ports.admins.listIdentities()).length >= MOST_IDENTITIES)
    throw new TenancyError("refused", `There are ${MOST_IDENTITIES} administrators; revoke one first.`);
  throw new TenancyError(
    "exists",
    `This subject of issuer '${issuer}' is an administrator already, or the issuer was deleted meanwhile.`,
  );
}

/**
 * The administrator of an id.
 * @throws TenancyError `notFound`
 */
export async function findAdminIdentity(
  { admins }: Pick<AdminPorts, "admins">,
  id: string,
): Promise<AdminIdentity> {
  const found = (await admins.listIdentities()).find((each) => each.id === id);
  if (found !== undefined) return found;
  throw new TenancyError("notFound", `There is no administrator '${id}'.`);
}

/**
 * Changes an administrator: servers know it within one second.
 * @throws TenancyError `notFound`, `changed`, `invalid`, `refused`
 */
export async function changeAdminIdentity(
  ports: Pick<AdminPorts, "admins" | "tenants"> & Acting,
  { id, expected }: RevisedTarget,
  { name, role, tenant, expires }: AdminIdentityChange,
): Promise<AdminIdentity> {
  if (tenant !== undefined && tenant !== null) await requireTenant(ports, tenant);
  return changeRevised({
    what: `Administrator '${id}'`,
    expected,
    random: ports.random,
    find: () => findAdminIdentity(ports, id),
    change: (before) => ({
      ...before,
      ...checkedRole(role ?? before.role, tenant === undefined ? keptTenant(before, role) : tenant),
      name: name === undefined ? before.name : checkedName(NAME, name),
      expires: expires === undefined ? before.expires : checkedExpiry(expires, ports.now()),
    }),
    replace: (after, before) =>
      ports.admins.replaceIdentity(after, before.revision, told(ports, [before, after])),
  });
}

/**
 * Revokes an administrator: servers refuse it within one second.
 * @throws TenancyError `notFound`, `changed`
 */
export async function revokeAdminIdentity(
  ports: Pick<AdminPorts, "admins"> & Acting,
  { id, expected }: RevisedTarget,
): Promise<void> {
  await removeRevised({
    what: `Administrator '${id}'`,
    expected,
    find: () => findAdminIdentity(ports, id),
    remove: (before) => ports.admins.removeIdentity(before, told(ports, [before, null])),
  });
}

function told(acting: Acting, change: RowChange<AdminIdentity>): AdminAct {
  const [before, after] = change;
  return actOf(acting, {
    type: "Administrator",
    id: (before ?? after).id,
    ...toldChange(change, toldIdentity),
  });
}

function keptTenant(before: AdminIdentity, role: AdminRole | undefined): string | null {
  return role === undefined || role === before.role ? before.tenant : null;
}

function checkedRole(role: AdminRole, tenant: string | null): Pick<AdminIdentity, "role" | "tenant"> {
  if ((role === "tenant-admin") !== (tenant !== null)) {
    throw new TenancyError("invalid", "A tenant-admin has one tenant, and no other role has any.");
  }
  return { role, tenant };
}

function checkedExpiry(given: string | null, now: string): string | null {
  if (given === null) return null;
  const instant = Date.parse(given);
  if (instant > Date.parse(now)) return new Date(instant).toISOString();
  throw new TenancyError(
    "invalid",
    "An administrator ends in the future: state an instant such as 2027-01-01T00:00:00Z.",
  );
}
