/**
 * `scim admin issuer`: the issuers by which administrators sign in.
 * @module
 */
import {
  type AdminIssuer,
  changeAdminIssuer,
  createAdminIssuer,
  deleteAdminIssuer,
  type TenancyPorts,
} from "@scim/tenancy";
import { shownIssuer } from "../administration/shown-admins.ts";
import type { ExitCode } from "../failure.ts";
import { createIssuerReader } from "../oauth/create-oauth.ts";
import { print, tell } from "../output.ts";
import { columns } from "../settings/show.ts";
import type { Settings } from "../settings/table.ts";
import { type AdminFlags, newIssuerOf } from "./admin-flags.ts";

/** What `scim admin issuer <action>` does. */
export function issuerAction(
  settings: Settings,
  [action, id = ""]: readonly string[],
  flags: AdminFlags,
): (ports: TenancyPorts) => Promise<ExitCode> {
  switch (action) {
    case "add":
      return add(settings, flags);
    case "suspend":
    case "resume":
      return async (ports) => {
        const state = action === "suspend" ? "suspended" : "active";
        const after = await changeAdminIssuer(ports, { id, expected: null }, { state });
        return print(
          flags,
          shownIssuer(after),
          `Issuer ${id} is ${state}. Servers know it within one second.`,
        );
      };
    case "delete":
      return async (ports) => {
        await deleteAdminIssuer(ports, { id, expected: null });
        return print(flags, { deleted: id }, `Issuer ${id} is deleted.`);
      };
    default:
      return list(flags);
  }
}

/** The id alone goes to standard output, so that a script can take it. */
function add(settings: Settings, flags: AdminFlags): (ports: TenancyPorts) => Promise<ExitCode> {
  const wanted = { ...newIssuerOf(flags), createdBy: "command line" };
  return async (ports) => {
    const made = await createAdminIssuer(ports, wanted, createIssuerReader(settings));
    tell(
      flags,
      `Its keys are read from ${made.jwksUri}. Make administrators: scim admin create --issuer ${made.id} --subject TEXT --name NAME --role ROLE`,
    );
    return print(flags, shownIssuer(made), made.id);
  };
}

function list(flags: AdminFlags): (ports: TenancyPorts) => Promise<ExitCode> {
  return async ({ admins }) => {
    const found = await admins.listIssuers();
    return print(flags, { issuers: found.map(shownIssuer) }, columns([HEADS, ...found.map(rowOf)]));
  };
}

const HEADS = ["id", "issuer", "audience", "claim", "state"];

function rowOf({ id, issuer, audience, claim, state }: AdminIssuer): readonly string[] {
  return [id, issuer, audience, claim, state];
}
