/**
 * `scim token`: makes, lists, imports and revokes tokens.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { administer } from "../administration/administer.ts";
import { type TokenAdministration, TOKENS } from "../administration/tokens.ts";
import type { Call } from "../command-table/command.ts";
import type { ExitCode } from "../failure.ts";
import { cell, listCell, print, tell } from "../output.ts";
import { columns } from "../columns.ts";
import { DEFAULT_TENANT } from "../settings/table.ts";
import { type ImportFlags, wantedImport, wantedToken, type TokenFlags } from "./token-flags.ts";

/** Runs `scim token import`. */
export async function importTokenCommand(call: Call<ImportFlags>): Promise<ExitCode> {
  const { flags, environment } = call;
  const wanted = wantedImport(flags, environment);
  return administer({ ...call, command: "scim token import" }, TOKENS, async (tokens) => {
    const made = await tokens.import(wanted);
    const { tenant } = wanted;
    const told = `Token ${cell(made["id"])} of tenant '${tenant}' is good at /scim/${tenant}/v2, and hashed anew when it is first used.`;
    return print(flags, made, told);
  });
}

/** Runs every other `scim token <action>`. */
export async function tokenCommand(call: Call<TokenFlags>): Promise<ExitCode> {
  return administer({ ...call, command: `scim token ${call.positionals[0] ?? ""}` }, TOKENS, actionOf(call));
}

type Action = (tokens: TokenAdministration) => Promise<ExitCode>;

function actionOf({ positionals, flags }: Call<TokenFlags>): Action {
  const [action, id = ""] = positionals;
  const tenant = flags.tenant ?? DEFAULT_TENANT;
  switch (action) {
    case "create": {
      const wanted = wantedToken(flags);
      return async (tokens) => toldToken(await tokens.create(wanted), tenant, flags);
    }
    case "revoke":
      return async (tokens) => {
        const revoked = await tokens.revoke({ tenant, id });
        return print(flags, revoked, `Token ${id} is revoked. Servers refuse it within one second.`);
      };
    default:
      return async (tokens) => {
        const all = await tokens.list(tenant, flags.connection ?? null);
        return print(flags, { tokens: all }, columns([HEADS, ...all.map(rowOf)]));
      };
  }
}

/** Without `--json` the text alone goes to standard output, so that a script can take it. */
function toldToken(made: JsonObject, tenant: string, flags: TokenFlags): ExitCode {
  const { id, expires, token } = made;
  const end = typeof expires === "string" ? `It is good until ${expires}.` : "It never expires.";
  tell(flags, `Token ${cell(id)} of tenant '${tenant}'. ${end} It is shown once; only its hash is kept.`);
  return print(flags, made, cell(token));
}

const HEADS = ["id", "name", "connection", "scopes", "subject", "expires", "last used", "state"];

/** What administrators have in the place of scopes is a role. */
function rowOf(token: JsonObject): readonly string[] {
  const { id, name, connection, scopes, role, tenant, subject, expires, lastUsed } = token;
  const ofRole = [role, tenant].flatMap((part) => (typeof part === "string" ? [part] : [])).join(":");
  return [
    cell(id),
    cell(name),
    cell(connection),
    scopes === undefined ? ofRole : listCell(scopes, " "),
    cell(subject),
    cell(expires, "never"),
    cell(lastUsed, "never"),
    stateOf(token),
  ];
}

function stateOf({ revoked, expires, importedAs }: JsonObject): string {
  if (typeof revoked === "string") return `revoked ${revoked}`;
  if (typeof expires === "string" && Date.parse(expires) <= Date.now()) return "expired";
  return typeof importedAs === "string" ? `imported (${importedAs})` : "good";
}
