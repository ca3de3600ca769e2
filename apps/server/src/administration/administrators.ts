/**
 * Administrators and their issuers as commands administer them: on the database, or on a running server.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import {
  ADMIN_TENANT,
  type AdminIdentityChange,
  type AdminIssuerChange,
  changeAdminIdentity,
  changeAdminIssuer,
  createAdminIdentity,
  createAdminIssuer,
  createToken,
  deleteAdminIssuer,
  findToken,
  type NewAdminIdentity,
  type NewAdminIssuer,
  revokeAdminIdentity,
  revokeToken,
  scopeOfRole,
  type TenancyPorts,
} from "@scim/tenancy";
import { at } from "../remote/admin-requests.ts";
import { allOf, pagesOf } from "../remote/admin-pages.ts";
import type { Administered } from "./administer.ts";
import { refuseToken } from "./refuse-token.ts";
import {
  administratorsOn,
  isRefused,
  shownAdmin,
  shownAdministrator,
  shownIdentity,
  shownIssuer,
} from "./shown-admins.ts";

/** An administrator with a token of its own. */
export type NewTokenAdministrator = Pick<NewAdminIdentity, "name" | "role" | "tenant"> & {
  readonly expires?: string | undefined;
};

/** What commands change of an issuer. */
export type IssuerChange = Pick<AdminIssuerChange, "state" | "groups">;

type Wanted<Made> = Omit<Made, "createdBy">;

/** What commands do to administrators and issuers; each is given as it is shown. */
export interface AdminAdministration {
  list(): Promise<{ readonly admins: readonly JsonObject[]; readonly bootstrapRefused: boolean }>;
  /** Gives the administrator with the text of its token as `token`. */
  createWithToken(wanted: NewTokenAdministrator): Promise<JsonObject>;
  /** Gives it with whether `SCIM_ADMIN_TOKEN` is refused by now, as `bootstrapRefused`. */
  createOfIssuer(wanted: Wanted<NewAdminIdentity>): Promise<JsonObject>;
  change(id: string, change: AdminIdentityChange): Promise<JsonObject>;
  revoke(id: string): Promise<void>;
  issuers(): Promise<readonly JsonObject[]>;
  addIssuer(wanted: Wanted<NewAdminIssuer>): Promise<JsonObject>;
  changeIssuer(id: string, change: IssuerChange): Promise<JsonObject>;
  removeIssuer(id: string): Promise<void>;
}

const CREATED_BY = "command line";

/**
 * Administrators, on the database or on a server.
 * @param readKeys reads the JSON at an address of an issuer; a server reads it itself
 */
export function administrators(
  readKeys: (address: string) => Promise<unknown>,
): Administered<AdminAdministration> {
  return {
    database: (ports) => ({
      list: async () => ({
        admins: (await administratorsOn(ports)).map(shownAdministrator),
        bootstrapRefused: await isRefused(ports),
      }),
      createWithToken: async ({ name, role, tenant = null, expires }) => {
        const scopes = [scopeOfRole(role, tenant)];
        const wanted = { tenant: ADMIN_TENANT, name, scopes, expires, createdBy: CREATED_BY };
        const { id, text } = await createToken(ports, wanted);
        return { ...shownAdmin(await findToken(ports, { tenant: ADMIN_TENANT, id })), token: text };
      },
      createOfIssuer: async (wanted) => {
        const made = await createAdminIdentity(ports, { ...wanted, createdBy: CREATED_BY });
        return { ...shownIdentity(made), bootstrapRefused: await isRefused(ports) };
      },
      change: async (id, change) =>
        (await isIdentity(ports, id))
          ? shownIdentity(await changeAdminIdentity(ports, { id, expected: null }, change))
          : refuseToken(ports, id),
      revoke: async (id) => {
        await ((await isIdentity(ports, id))
          ? revokeAdminIdentity(ports, { id, expected: null })
          : revokeToken(ports, { tenant: ADMIN_TENANT, id }));
      },
      issuers: async () => (await ports.admins.listIssuers()).map(shownIssuer),
      addIssuer: async (wanted) =>
        shownIssuer(await createAdminIssuer(ports, { ...wanted, createdBy: CREATED_BY }, readKeys)),
      changeIssuer: async (id, change) =>
        shownIssuer(await changeAdminIssuer(ports, { id, expected: null }, change)),
      removeIssuer: (id) => deleteAdminIssuer(ports, { id, expected: null }),
    }),
    server: (admin) => ({
      list: async () => {
        const { entries, last } = await pagesOf(admin, { path: "/admins", name: "admins" });
        return { admins: entries, bootstrapRefused: last["bootstrapRefused"] === true };
      },
      createWithToken: (wanted) =>
        admin.send({
          method: "POST",
          path: "/admins",
          body: { ...wanted },
          answers: ["id", "token"],
        }),
      createOfIssuer: (wanted) =>
        admin.send({ method: "POST", path: "/admins", body: { ...wanted }, answers: ["id"] }),
      change: (id, change) =>
        admin.change({ method: "PATCH", path: at`/admins/${id}`, body: { ...change }, answers: ["id"] }),
      revoke: async (id) => void (await admin.change({ method: "DELETE", path: at`/admins/${id}` })),
      issuers: () => allOf(admin, { path: "/issuers", name: "issuers" }),
      addIssuer: (wanted) =>
        admin.send({ method: "POST", path: "/issuers", body: { ...wanted }, answers: ["id"] }),
      changeIssuer: (id, change) =>
        admin.change({ method: "PATCH", path: at`/issuers/${id}`, body: { ...change }, answers: ["id"] }),
      removeIssuer: async (id) => void (await admin.change({ method: "DELETE", path: at`/issuers/${id}` })),
    }),
  };
}

async function isIdentity({ admins }: Pick<TenancyPorts, "admins">, id: string): Promise<boolean> {
  return (await admins.listIdentities()).some((each) => each.id === id);
}
