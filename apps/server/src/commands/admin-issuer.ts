/**
 * `scim admin issuer`: the issuers by which administrators sign in.
 * @module
 */
import type { AdminAdministration } from "../administration/administrators.ts";
import type { ExitCode } from "../failure.ts";
import { cell, print, tell } from "../output.ts";
import { columns } from "../columns.ts";
import { type AdminFlags, groupsOf, newIssuerOf, type NewIssuerFlags } from "./admin-flags.ts";

type Action = (admins: AdminAdministration) => Promise<ExitCode>;

/** What every other `scim admin issuer <action>` does. */
export function issuerAction([action, id = ""]: readonly string[], flags: AdminFlags): Action {
  switch (action) {
    case "suspend":
    case "resume":
      return async (admins) => {
        const state = action === "suspend" ? "suspended" : "active";
        const after = await admins.changeIssuer(id, { state });
        return print(flags, after, `Issuer ${id} is ${state}. Servers know it within one second.`);
      };
    case "groups":
      return groups(id, flags);
    case "delete":
      return async (admins) => {
        await admins.removeIssuer(id);
        return print(flags, { deleted: id }, `Issuer ${id} is deleted.`);
      };
    default:
      return async (admins) => {
        const issuers = await admins.issuers();
        const rows = issuers.map((each) => HEADS.map((name) => cell(each[name])));
        return print(flags, { issuers }, columns([HEADS, ...rows]));
      };
  }
}

/** Adds an issuer. Its id alone goes to standard output, so that a script can take it. */
export function addIssuer(flags: NewIssuerFlags): Action {
  const wanted = newIssuerOf(flags);
  return async (admins) => {
    const made = await admins.addIssuer(wanted);
    const id = cell(made["id"]);
    tell(
      flags,
      `Its keys are read from ${cell(made["jwksUri"])}. Make administrators: scim admin create --issuer ${id} --subject TEXT --name NAME --role ROLE`,
    );
    return print(flags, made, id);
  };
}

function groups(id: string, flags: AdminFlags): Action {
  const wanted = groupsOf(flags);
  return async (admins) => {
    const after = await admins.changeIssuer(id, { groups: wanted });
    const told =
      wanted === null
        ? `Groups of issuer ${id} give no roles.`
        : `Who is in a group of the claim '${wanted.claim}' has its role: the first that is listed counts.`;
    return print(flags, after, `${told} Servers know it within one second.`);
  };
}

const HEADS = ["id", "issuer", "audience", "claim", "state"];
