/**
 * `scim token`: makes, lists, imports and revokes tokens.
 * @module
 */
import {
  createToken,
  findToken,
  importToken,
  revokeToken,
  type StoredToken,
  type TenancyPorts,
} from "@scim/tenancy";
import { ADMIN_TENANT } from "@scim/tenancy";
import { administer } from "../administration/administer.ts";
import { shownToken } from "../administration/shown.ts";
import { shownAdmin } from "../administration/shown-admins.ts";
import type { ExitCode } from "../failure.ts";
import { print, tell } from "../output.ts";
import { columns } from "../settings/show.ts";
import { DEFAULT_TENANT, type Settings } from "../settings/table.ts";
import { wantedImport, wantedToken, type TokenFlags } from "./token-flags.ts";

/** What the command is given beside its flags. */
export interface TokenCall {
  readonly positionals: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Runs `scim token <action>`. */
export async function tokenCommand(
  settings: Settings,
  call: TokenCall,
  flags: TokenFlags,
): Promise<ExitCode> {
  return administer(settings, `scim token ${call.positionals[0] ?? ""}`, actionOf(call, flags));
}

type Action = (ports: TenancyPorts) => Promise<ExitCode>;

function actionOf({ positionals, environment }: TokenCall, flags: TokenFlags): Action {
  const [action, id = ""] = positionals;
  const json = flags.json === true;
  const tenant = flags.tenant ?? DEFAULT_TENANT;
  switch (action) {
    case "create": {
      const wanted = wantedToken(flags);
      return (ports) => create(ports, wanted, json);
    }
    case "import": {
      const wanted = wantedImport(flags, environment);
      return async (ports) => {
        const made = await findToken(ports, { tenant, id: await importToken(ports, wanted) });
        const told = `Token ${made.id} of tenant '${tenant}' is good at /scim/${tenant}/v2, and hashed anew when it is first used.`;
        return print({ json }, shownToken(made), told);
      };
    }
    case "revoke":
      return (ports) => revoke(ports, { tenant, id, json });
    default:
      return (ports) => list(ports, { tenant, connection: flags.connection ?? null, json });
  }
}

/** Without `--json` the text alone goes to standard output, so that a script can take it. */
async function create(
  ports: TenancyPorts,
  wanted: Parameters<typeof createToken>[1],
  json: boolean,
): Promise<ExitCode> {
  const { id, text } = await createToken(ports, wanted);
  const made = await findToken(ports, { tenant: wanted.tenant, id });
  const end = made.expires === null ? "It never expires." : `It is good until ${made.expires}.`;
  tell({ json }, `Token ${id} of tenant '${wanted.tenant}'. ${end} It is shown once; only its hash is kept.`);
  return print({ json }, { ...shown(made), token: text }, text);
}

interface Listing {
  readonly tenant: string;
  readonly connection: string | null;
  readonly json: boolean;
}

async function list({ tokens }: TenancyPorts, { tenant, connection, json }: Listing): Promise<ExitCode> {
  const all = (await tokens.listTokens(tenant)).filter(
    (each) => connection === null || each.connection === connection,
  );
  return print({ json }, { tokens: all.map(shown) }, columns([HEADS, ...all.map(rowOf)]));
}

const HEADS = ["id", "name", "connection", "scopes", "subject", "expires", "last used", "state"];

function rowOf(token: StoredToken): readonly string[] {
  const { id, name, connection, scopes, subject, expires, lastUsed, revoked, scheme } = token;
  const state = scheme === "keyed" ? "good" : `imported (${scheme})`;
  return [
    id,
    name ?? "-",
    connection,
    scopes.join(" "),
    subject ?? "-",
    expires ?? "never",
    lastUsed ?? "never",
    revoked === null ? stateOf(expires, state) : `revoked ${revoked}`,
  ];
}

function stateOf(expires: string | null, otherwise: string): string {
  return expires !== null && Date.parse(expires) <= Date.now() ? "expired" : otherwise;
}

function shown(token: StoredToken): ReturnType<typeof shownToken> {
  return token.tenant === ADMIN_TENANT ? shownAdmin(token) : shownToken(token);
}

interface Revoking {
  readonly tenant: string;
  readonly id: string;
  readonly json: boolean;
}

async function revoke(ports: TenancyPorts, { tenant, id, json }: Revoking): Promise<ExitCode> {
  await revokeToken(ports, { tenant, id });
  const told = `Token ${id} is revoked. Servers refuse it within one second.`;
  return print({ json }, shown(await findToken(ports, { tenant, id })), told);
}
