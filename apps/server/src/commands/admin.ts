/**
 * `scim admin`: makes, changes, lists and revokes administrators, and the issuers by which they sign in.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { NewAdminIdentity } from "@scim/tenancy";
import { administer } from "../administration/administer.ts";
import { type AdminAdministration, administrators } from "../administration/administrators.ts";
import type { Call } from "../command-table/command.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { createIssuerReader } from "../oauth/create-oauth.ts";
import { cell, print, tell } from "../output.ts";
import { columns } from "../columns.ts";
import type { AdminFlags, NewAdminFlags, NewIssuerFlags } from "./admin-flags.ts";
import { addIssuer, issuerAction } from "./admin-issuer.ts";
import { expiryFlag } from "./expiry-flag.ts";
import { roleFlag } from "./role-flag.ts";

/** Whom an issuer means. */
type AdminSubject = Pick<NewAdminIdentity, "issuer" | "subject">;

/** What a command does. */
type Action = (admins: AdminAdministration) => Promise<ExitCode>;

/** Runs `scim admin create`. */
export async function createAdministrator(call: Call<NewAdminFlags>): Promise<ExitCode> {
  return administerBy(call, "scim admin create", create(call.flags));
}

/** Runs `scim admin issuer add`. */
export async function addAdminIssuer(call: Call<NewIssuerFlags>): Promise<ExitCode> {
  return administerBy(call, "scim admin issuer add", addIssuer(call.flags));
}

/** Runs every other `scim admin <action>`. */
export async function adminCommand(call: Call<AdminFlags>): Promise<ExitCode> {
  const { flags } = call;
  const [action = "list", ...rest] = call.positionals;
  const isIssuer = action === "issuer";
  const run = isIssuer ? issuerAction(rest, flags) : actionOf(action, rest, flags);
  const command = `scim admin ${isIssuer ? `issuer ${rest[0] ?? ""}` : action}`;
  return administerBy(call, command, run);
}

function administerBy(call: Call<AdminFlags>, command: string, run: Action): Promise<ExitCode> {
  return administer({ ...call, command }, administrators(createIssuerReader(call.settings)), run);
}

function actionOf(action: string, [id = ""]: readonly string[], flags: AdminFlags): Action {
  switch (action) {
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

function create(flags: NewAdminFlags): Action {
  const { issuer, subject } = flags;
  if (issuer === undefined && subject === undefined) return createWithToken(flags);
  if (issuer === undefined || subject === undefined)
    throw new CommandFailure(EXIT.usage, "--issuer and --subject go together.");
  return createOfIssuer({ issuer, subject }, flags);
}

/** The text of the token alone goes to standard output, so that a script can take it. */
function createWithToken(flags: NewAdminFlags): Action {
  const wanted = {
    name: flags.name,
    ...roleFlag(flags.role),
    expires: flags.expires === undefined ? undefined : expiryFlag(flags.expires),
  };
  return async (admins) => {
    const made = await admins.createWithToken(wanted);
    const end = cell(made["expires"], "revoked");
    tell(flags, `Administrator ${cell(made["id"])}, good until ${end}. The token is shown once.`);
    return print(flags, made, cell(made["token"]));
  };
}

function createOfIssuer(who: AdminSubject, flags: NewAdminFlags): Action {
  const wanted = {
    ...who,
    name: flags.name,
    ...roleFlag(flags.role),
    expires: flags.expires === undefined ? null : expiryFlag(flags.expires),
  };
  return async (admins) => {
    const made = await admins.createOfIssuer(wanted);
    const isOwner = wanted.role === "owner";
    tell(
      flags,
      isOwner
        ? `${wanted.name} is an owner now. ${endOfBootstrap(who, made["bootstrapRefused"] === true)}`
        : `${wanted.name} is an administrator now.`,
    );
    return print(flags, made, cell(made["id"]));
  };
}

/** What a new owner means for the token that the administration began with. */
function endOfBootstrap({ issuer }: AdminSubject, isRefused: boolean): string {
  return isRefused
    ? "Servers refuse SCIM_ADMIN_TOKEN within one second."
    : `SCIM_ADMIN_TOKEN goes on being good: no owner can sign in while issuer ${issuer} is suspended.`;
}

function change(id: string, flags: AdminFlags): Action {
  const { name, role, expires } = flags;
  if ([name, role, expires].every((given) => given === undefined))
    throw new CommandFailure(EXIT.usage, "State what changes: --name, --role, --expires.");
  const wanted = {
    name,
    ...(role === undefined ? {} : roleFlag(role)),
    expires: expires === undefined ? undefined : expiryFlag(expires),
  };
  return async (admins) =>
    print(flags, await admins.change(id, wanted), "It is changed. Servers know it within one second.");
}
