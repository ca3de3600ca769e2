/**
 * `scim admin`: makes, changes, lists and revokes administrators, and the issuers by which they sign in.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { administer } from "../administration/administer.ts";
import { type AdminAdministration, administrators } from "../administration/administrators.ts";
import type { Call } from "../command-table/command.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { createIssuerReader } from "../oauth/create-oauth.ts";
import { cell, print, tell } from "../output.ts";
import { columns } from "../settings/show.ts";
import type { AdminFlags } from "./admin-flags.ts";
import { issuerAction } from "./admin-issuer.ts";
import { expiryFlag } from "./expiry-flag.ts";
import { roleFlag } from "./role-flag.ts";

/** What a command does. */
type Action = (admins: AdminAdministration) => Promise<ExitCode>;

/** Runs `scim admin <action>`. */
export async function adminCommand(call: Call<AdminFlags>): Promise<ExitCode> {
  const { settings, flags } = call;
  const [action = "list", ...rest] = call.positionals;
  const isIssuer = action === "issuer";
  const run = isIssuer ? issuerAction(rest, flags) : actionOf(action, rest, flags);
  const command = `scim admin ${isIssuer ? `issuer ${rest[0] ?? ""}` : action}`;
  return administer({ ...call, command }, administrators(createIssuerReader(settings)), run);
}

function actionOf(action: string, [id = ""]: readonly string[], flags: AdminFlags): Action {
  switch (action) {
    case "create":
      if ((flags.issuer === undefined) !== (flags.subject === undefined))
        throw new CommandFailure(EXIT.usage, "--issuer and --subject go together.");
      return flags.issuer === undefined ? createWithToken(flags) : createOfIssuer(flags.issuer, flags);
    case "change":
      return change(id, flags);
    case "revoke":
      return async (admins) => {
        await admins.revoke(id);
        const told = `Administrator ${id} is revoked. Servers refuse it within one second.`;
        return print(flags, { revoked: id }, told);
      };
    default:
      return list(flags);
  }
}

const HEADS = ["id", "kind", "name", "role", "tenant", "expires", "last used", "state"];

function list({ json }: AdminFlags): Action {
  return async (admins) => {
    const shown = await admins.list();
    const rows = shown.admins.map((each) => [
      ...["id", "kind", "name", "role", "tenant"].map((name) => cell(each[name])),
      cell(each["expires"], "never"),
      cell(each["lastUsed"], "never"),
      stateOf(each, shown.bootstrapRefused),
    ]);
    return print({ json }, shown, columns([HEADS, ...rows]));
  };
}

function stateOf({ kind, revoked, expires }: JsonObject, bootstrapRefused: boolean): string {
  if (typeof revoked === "string") return "revoked";
  if (typeof expires === "string" && Date.parse(expires) <= Date.now()) return "expired";
  return kind === "bootstrap" && bootstrapRefused ? "refused" : "good";
}

/** The text of the token alone goes to standard output, so that a script can take it. */
function createWithToken(flags: AdminFlags): Action {
  const wanted = {
    name: flags.name ?? "",
    ...roleFlag(flags.role ?? ""),
    expires: flags.expires === undefined ? undefined : expiryFlag(flags.expires),
  };
  return async (admins) => {
    const made = await admins.createWithToken(wanted);
    const end = cell(made["expires"], "revoked");
    tell(flags, `Administrator ${cell(made["id"])}, good until ${end}. The token is shown once.`);
    return print(flags, made, cell(made["token"]));
  };
}

function createOfIssuer(issuer: string, flags: AdminFlags): Action {
  const wanted = {
    issuer,
    subject: flags.subject ?? "",
    name: flags.name ?? "",
    ...roleFlag(flags.role ?? ""),
    expires: flags.expires === undefined ? null : expiryFlag(flags.expires),
  };
  return async (admins) => {
    const made = await admins.createOfIssuer(wanted);
    tell(
      flags,
      wanted.role === "owner"
        ? `${wanted.name} is an owner now. Servers refuse SCIM_ADMIN_TOKEN within one second.`
        : `${wanted.name} is an administrator now.`,
    );
    return print(flags, made, cell(made["id"]));
  };
}

function change(id: string, flags: AdminFlags): Action {
  const wanted = {
    name: flags.name,
    ...(flags.role === undefined ? {} : roleFlag(flags.role)),
    expires: flags.expires === undefined ? undefined : expiryFlag(flags.expires),
  };
  return async (admins) =>
    print(flags, await admins.change(id, wanted), "It is changed. Servers know it within one second.");
}
