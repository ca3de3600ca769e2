/**
 * Issuers by which administrators sign in: entered, changed and taken away.
 * @module
 */
import { nextRevision } from "@scim/core";
import { type Acting, actOf, type AdminAct, type RowChange, toldChange } from "../acts/admin-act.ts";
import type {
  AdminGroups,
  AdminIssuer,
  AdminIssuerState,
  AdminSubjectClaim,
} from "../admins/admin-identity.ts";
import { discoverKeys } from "../oauth/jwt/discover-keys.ts";
import { isJwtAlgorithm, JWT_ALGORITHMS, type JwtAlgorithm } from "../oauth/jwt/foreign-jwt.ts";
import { changeRevised, removeRevised } from "./change-revised.ts";
import { checkedGroups } from "./checked-groups.ts";
import { checkedAddress, checkedText } from "./checked-trust.ts";
import type { AdminPorts } from "./ports.ts";
import { TenancyError } from "./tenancy-error.ts";
import { toldIssuer } from "./told-admins.ts";

/** An issuer to enter; see {@link AdminIssuer}. */
export interface NewAdminIssuer {
  readonly issuer: string;
  /** Default: what the issuer says itself, as an OpenID provider does. */
  readonly jwksUri?: string | undefined;
  readonly audience: string;
  /** Default `sub`. */
  readonly claim?: AdminSubjectClaim | undefined;
  /** Default: all asymmetric ones. */
  readonly algorithms?: readonly string[] | undefined;
  /** Default: groups give no roles. */
  readonly groups?: AdminGroups | null | undefined;
  readonly createdBy: string;
}

/** What changes of an issuer; what is left out stays. Another `iss` or claim is another issuer. */
export interface AdminIssuerChange {
  readonly state?: AdminIssuerState | undefined;
  readonly jwksUri?: string | undefined;
  readonly algorithms?: readonly string[] | undefined;
  /** Null: groups give no roles any more. */
  readonly groups?: AdminGroups | null | undefined;
}

/** What has a revision, and the one that a change is meant for; null for whichever it has. */
export interface RevisedTarget {
  readonly id: string;
  readonly expected: number | null;
}

/** Issuers at most. */
const MOST_ISSUERS = 20;

/**
 * Enters an issuer. Nobody signs in by it before an owner makes administrators of it, or gives roles to groups.
 * @param readDocument reads the JSON at an address, within bounds of its own; asked where `jwksUri` is left out
 * @throws TenancyError `invalid`, `exists`, `refused`, `notFound` for the tenant of a group
 */
export async function createAdminIssuer(
  ports: AdminPorts,
  wanted: NewAdminIssuer,
  readDocument: (address: string) => Promise<unknown>,
): Promise<AdminIssuer> {
  const name = checkedText("issuer", wanted.issuer);
  const made: AdminIssuer = {
    id: ports.newId(),
    issuer: name,
    audience: checkedText("audience", wanted.audience),
    claim: wanted.claim ?? "sub",
    algorithms: checkedAlgorithms(wanted.algorithms ?? JWT_ALGORITHMS),
    groups: await checkedGroups(ports, wanted.groups ?? null),
    jwksUri: checkedAddress(wanted.jwksUri ?? (await discoverKeys(name, readDocument)), ports),
    state: "active",
    created: ports.now(),
    createdBy: wanted.createdBy,
    revision: nextRevision(0, ports.random()),
  };
  if (await ports.admins.addIssuer(made, told(ports, [null, made]), MOST_ISSUERS)) return made;
  if ((await ports.admins.listIssuers()).length < MOST_ISSUERS)
    throw new TenancyError("exists", "There is an issuer of administrators with this issuer and audience.");
  throw new TenancyError("refused", `There are ${MOST_ISSUERS} issuers of administrators; delete one first.`);
}

/**
 * The issuer of an id.
 * @throws TenancyError `notFound`
 */
export async function findAdminIssuer(
  { admins }: Pick<AdminPorts, "admins">,
  id: string,
): Promise<AdminIssuer> {
  const found = (await admins.listIssuers()).find((each) => each.id === id);
  if (found !== undefined) return found;
  throw new TenancyError("notFound", `There is no issuer of administrators '${id}'.`);
}

/**
 * Changes an issuer. Where it is suspended, servers refuse those who signed in by it within one second.
 * @throws TenancyError `notFound`, `changed`, `invalid`
 */
export async function changeAdminIssuer(
  ports: Omit<AdminPorts, "newId">,
  { id, expected }: RevisedTarget,
  change: AdminIssuerChange,
): Promise<AdminIssuer> {
  const groups = change.groups === undefined ? undefined : await checkedGroups(ports, change.groups);
  return changeRevised({
    what: `Issuer '${id}'`,
    expected,
    random: ports.random,
    find: () => findAdminIssuer(ports, id),
    change: (before) => ({
      ...before,
      state: change.state ?? before.state,
      groups: groups === undefined ? before.groups : groups,
      jwksUri: change.jwksUri === undefined ? before.jwksUri : checkedAddress(change.jwksUri, ports),
      algorithms: change.algorithms === undefined ? before.algorithms : checkedAlgorithms(change.algorithms),
    }),
    replace: (after, before) =>
      ports.admins.replaceIssuer(after, before.revision, told(ports, [before, after])),
  });
}

/**
 * Takes an issuer away by which nobody signs in any more.
 * @throws TenancyError `notFound`, `changed`, `refused`
 */
export async function deleteAdminIssuer(
  ports: Pick<AdminPorts, "admins"> & Acting,
  { id, expected }: RevisedTarget,
): Promise<void> {
  await removeRevised({
    what: `Issuer '${id}'`,
    expected,
    find: () => findAdminIssuer(ports, id),
    remove: async (before) => {
      if (await ports.admins.removeIssuer(before, told(ports, [before, null]))) return true;
      await refuseOfUsed(ports, id);
      return false;
    },
  });
}

/** @throws TenancyError `refused` where administrators sign in by an issuer */
async function refuseOfUsed({ admins }: Pick<AdminPorts, "admins">, id: string): Promise<void> {
  const isUsed = (await admins.listIdentities()).some(({ issuer }) => issuer === id);
  if (!isUsed) return;
  throw new TenancyError(
    "refused",
    `Administrators sign in by issuer '${id}': revoke them first, or suspend the issuer.`,
  );
}

function told(acting: Acting, change: RowChange<AdminIssuer>): AdminAct {
  const [before, after] = change;
  return actOf(acting, { type: "AdminIssuer", id: (before ?? after).id, ...toldChange(change, toldIssuer) });
}

function checkedAlgorithms(names: readonly string[]): readonly JwtAlgorithm[] {
  const known = names.filter(isJwtAlgorithm);
  if (names.length > 0 && known.length === names.length) return [...new Set(known)];
  throw new TenancyError("invalid", `An issuer signs by one or more of ${JWT_ALGORITHMS.join(", ")}.`);
}
