/**
 * `scim admin`: makes, changes, lists and revokes administrators, and the issuers by which they sign in.
 * @module
 */
import {
  ADMIN_TENANT,
  changeAdminIdentity,
  createAdminIdentity,
  createToken,
  findToken,
  type NewAdminIdentity,
  revokeAdminIdentity,
  revokeToken,
  type TenancyPorts,
} from "@scim/tenancy";
import { administer } from "../administration/administer.ts";
import { shownAdmin, shownAdmins, shownIdentity } from "../administration/shown-admins.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print, tell } from "../output.ts";
import { columns } from "../settings/show.ts";
import type { Settings } from "../settings/table.ts";
import type { AdminFlags } from "./admin-flags.ts";
import { issuerAction } from "./admin-issuer.ts";
import { expiryFlag } from "./expiry-flag.ts";
import { roleFlag, roleScope } from "./role-flag.ts";

/** What a command does. */
type Action = (ports: TenancyPorts) => Promise<ExitCode>;

const CREATED_BY = "command line";

/** Runs `scim admin <action>`. */
export async function adminCommand(
  settings: Settings,
  [action = "list", ...rest]: readonly string[],
  flags: AdminFlags,
): Promise<ExitCode> {
  const isIssuer = action === "issuer";
  const run = isIssuer ? issuerAction(settings, rest, flags) : actionOf(action, rest, flags);
  return administer(settings, `scim admin ${isIssuer ? `issuer ${rest[0] ?? ""}` : action}`, run);
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
      return revoke(id, flags);
    default:
      return list(flags);
  }
}

const HEADS = ["id", "kind", "name", "role", "tenant", "expires", "state"];

function list({ json }: AdminFlags): Action {
  return async (ports) => {
    const shown = await shownAdmins(ports);
    const rows = shown.admins.map((each) => [
      ...["id", "kind", "name", "role", "tenant"].map((name) => cell(each[name], "-")),
      cell(each["expires"], "never"),
      stateOf(each, shown.bootstrapRefused),
    ]);
    return print({ json }, shown, columns([HEADS, ...rows]));
  };
}

function cell(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

function stateOf(
  { kind, revoked, expires }: Readonly<Record<string, unknown>>,
  bootstrapRefused: boolean,
): string {
  if (typeof revoked === "string") return "revoked";
  if (typeof expires === "string" && Date.parse(expires) <= Date.now()) return "expired";
  return kind === "bootstrap" && bootstrapRefused ? "refused" : "good";
}

/** The text of the token alone goes to standard output, so that a script can take it. */
function createWithToken(flags: AdminFlags): Action {
  const wanted = {
    tenant: ADMIN_TENANT,
    name: flags.name ?? "",
    scopes: [roleScope(flags.role ?? "")],
    expires: flags.expires === undefined ? undefined : expiryFlag(flags.expires),
    createdBy: CREATED_BY,
  };
  return async (ports) => {
    const { id, text } = await createToken(ports, wanted);
    const made = await findToken(ports, { tenant: ADMIN_TENANT, id });
    tell(flags, `Administrator ${id}, good until ${made.expires ?? "revoked"}. The token is shown once.`);
    return print(flags, { ...shownAdmin(made), token: text }, text);
  };
}

function createOfIssuer(issuer: string, flags: AdminFlags): Action {
  const wanted: NewAdminIdentity = {
    issuer,
    subject: flags.subject ?? "",
    name: flags.name ?? "",
    ...roleFlag(flags.role ?? ""),
    expires: flags.expires === undefined ? null : expiryFlag(flags.expires),
    createdBy: CREATED_BY,
  };
  return async (ports) => {
    const made = await createAdminIdentity(ports, wanted);
    tell(
      flags,
      made.role === "owner"
        ? `${made.name} is an owner now. Servers refuse SCIM_ADMIN_TOKEN within one second.`
        : `${made.name} is an administrator now.`,
    );
    return print(flags, shownIdentity(made), made.id);
  };
}

function change(id: string, flags: AdminFlags): Action {
  const wanted = {
    name: flags.name,
    ...(flags.role === undefined ? {} : roleFlag(flags.role)),
    expires: flags.expires === undefined ? undefined : expiryFlag(flags.expires),
  };
  return async (ports) => {
    const after = await changeAdminIdentity(ports, { id, expected: null }, wanted);
    return print(flags, shownIdentity(after), "It is changed. Servers know it within one second.");
  };
}

function revoke(id: string, flags: AdminFlags): Action {
  return async (ports) => {
    const isIdentity = (await ports.admins.listIdentities()).some((each) => each.id === id);
    await (isIdentity
      ? revokeAdminIdentity(ports, { id, expected: null })
      : revokeToken(ports, { tenant: ADMIN_TENANT, id }));
    return print(
      flags,
      { revoked: id },
      `Administrator ${id} is revoked. Servers refuse it within one second.`,
    );
  };
}
