/**
 * `scim token`: makes, lists and revokes tokens.
 * @module
 */
import { randomBytes } from "node:crypto";
import { isScope, SCOPES, type Scope } from "@scim/core";
import { ADMIN_TENANT, isTenantName, issueToken, type TokenGrant } from "@scim/tenancy";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { openStore, type OpenedStore } from "../open-store.ts";
import { columns } from "../settings/show.ts";
import { DEFAULT_TENANT, type Settings } from "../settings/table.ts";
import { instantNow, newResourceId } from "../sources.ts";

/** The flags of `scim token`, as they were given. */
export interface TokenFlags {
  readonly tenant?: string;
  readonly connection?: string;
  readonly scope?: readonly string[];
  readonly subject?: string;
  readonly expires?: string;
}

/** Runs `scim token <action>`. */
export async function token(
  settings: Settings,
  [action, ...rest]: readonly string[],
  flags: TokenFlags,
): Promise<ExitCode> {
  const run = actionOf(action, rest, flags);
  const opened = await openStore(settings);
  try {
    return await run(opened);
  } finally {
    await opened.store.close();
  }
}

type Action = (opened: OpenedStore) => Promise<ExitCode>;

function actionOf(action: string | undefined, rest: readonly string[], flags: TokenFlags): Action {
  const tenant = tenantOf(flags);
  const [id, ...more] = rest;
  if (action === "create" && id === undefined) {
    const grant = grantOf(tenant, flags);
    return (opened) => create(opened, grant);
  }
  if (action === "list" && id === undefined) return (opened) => list(opened, tenant);
  if (action === "revoke" && id !== undefined && more.length === 0)
    return (opened) => revoke(opened, tenant, id);
  throw new CommandFailure(
    EXIT.usage,
    "Use 'scim token create', 'scim token list' or 'scim token revoke <id>'.",
  );
}

/** The text alone goes to standard output, so that a script can take it. */
async function create(opened: OpenedStore, grant: TokenGrant): Promise<ExitCode> {
  const { store, hasher } = opened;
  const text = await issueToken(grant, { store: store.tokens, hasher, randomBytes, now: instantNow });
  process.stderr.write(
    `Token ${grant.id} of tenant '${grant.tenant}'. It is shown once; only its hash is kept.\n`,
  );
  process.stdout.write(`${text}\n`);
  return EXIT.ok;
}

async function list(opened: OpenedStore, tenant: string): Promise<ExitCode> {
  const tokens = await opened.store.tokens.listTokens(tenant);
  const rows = tokens.map((each) => [
    each.id,
    each.connection,
    each.scopes.join(" "),
    each.subject ?? "-",
    each.expires ?? "never",
    each.created,
  ]);
  process.stdout.write(
    `${columns([["id", "connection", "scopes", "subject", "expires", "created"], ...rows])}\n`,
  );
  return EXIT.ok;
}

async function revoke(opened: OpenedStore, tenant: string, id: string): Promise<ExitCode> {
  if (!(await opened.store.tokens.removeToken(tenant, id))) {
    throw new CommandFailure(
      EXIT.failed,
      `Tenant '${tenant}' has no token '${id}'; 'scim token list' shows them.`,
    );
  }
  process.stderr.write(`Token ${id} is revoked. Servers refuse it within one second.\n`);
  return EXIT.ok;
}

function tenantOf(flags: TokenFlags): string {
  const tenant = flags.tenant ?? DEFAULT_TENANT;
  if (tenant === ADMIN_TENANT || isTenantName(tenant)) return tenant;
  throw new CommandFailure(
    EXIT.usage,
    "--tenant must be of a-z, 0-9 and -, at most 63, and not v and digits.",
  );
}

function grantOf(tenant: string, flags: TokenFlags): TokenGrant {
  return {
    id: newResourceId(),
    tenant,
    connection: flags.connection ?? DEFAULT_TENANT,
    scopes: scopesOf(tenant, flags.scope),
    subject: flags.subject ?? null,
    expires: flags.expires === undefined ? null : expiryOf(flags.expires),
    name: null,
    createdBy: "command line",
  };
}

function scopesOf(tenant: string, given: readonly string[] | undefined): readonly Scope[] {
  if (given === undefined) return [tenant === ADMIN_TENANT ? "admin" : "scim"];
  const scopes = given.filter(isScope);
  if (scopes.length < given.length) {
    throw new CommandFailure(
      EXIT.usage,
      `--scope must be one of ${SCOPES.join(", ")}; repeat it for several.`,
    );
  }
  if (scopes.includes("admin") !== (tenant === ADMIN_TENANT)) {
    throw new CommandFailure(
      EXIT.usage,
      `The scope 'admin' goes with --tenant ${ADMIN_TENANT}, and only with it.`,
    );
  }
  return scopes;
}

const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/** `90d`, `12h`, `30m`, or an instant such as `2027-01-01T00:00:00Z`; it must lie ahead. */
function expiryOf(text: string): string {
  const span = /^(?<count>[0-9]{1,6})(?<unit>[mhd])$/.exec(text)?.groups;
  const length = Number(span?.["count"]) * (UNITS_MS.get(span?.["unit"] ?? "") ?? Number.NaN);
  const instant = span === undefined ? Date.parse(text) : Date.now() + length;
  if (instant > Date.now()) return new Date(instant).toISOString();
  throw new CommandFailure(
    EXIT.usage,
    "--expires must lie ahead: 90d, 12h, 30m, or an instant such as 2027-01-01T00:00:00Z.",
  );
}
