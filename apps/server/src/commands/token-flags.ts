/**
 * The flags of `scim token`.
 * @module
 */
import { isAdminScope, isScope, SCOPES, type Scope } from "@scim/core";
import { ADMIN_TENANT, type ImportedToken, type NewToken } from "@scim/tenancy";
import type { ServerFlags } from "../administration/administer.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import { DEFAULT_TENANT } from "../settings/table.ts";
import { readNamedFile } from "../text-file.ts";
import { expiryFlag } from "./expiry-flag.ts";
import { roleScope } from "./role-flag.ts";
import { wordFlag } from "../value-flags.ts";

/** The flags, as they were given. */
export interface TokenFlags extends ServerFlags {
  readonly tenant?: string;
  readonly connection?: string;
  readonly name?: string;
  readonly scope?: readonly string[];
  readonly role?: string;
  readonly subject?: string;
  readonly expires?: string;
  readonly "never-expires"?: boolean;
  readonly scheme?: string;
  readonly hash?: string;
  readonly "key-file"?: string;
  readonly json?: boolean;
}

/** The flags of `scim token import`. */
export type ImportFlags = TokenFlags & Required<Pick<TokenFlags, "scheme" | "hash">>;

/** Who makes tokens by this command. */
const MADE_BY = "command line";

/**
 * The token that flags ask for. One of an administrator has a name, by which lists and the trail tell whose it is.
 * @throws CommandFailure naming the flag
 */
export function wantedToken(flags: TokenFlags): NewToken {
  const wanted = tokenOf(flags);
  if (wanted.tenant === ADMIN_TENANT && wanted.name === null)
    throw new CommandFailure(EXIT.usage, "--name is missing: administrators are known by a name.");
  return wanted;
}

function tokenOf(flags: TokenFlags): NewToken {
  const { tenant = DEFAULT_TENANT, connection, name, subject } = flags;
  if (tenant === ADMIN_TENANT && (connection !== undefined || subject !== undefined)) {
    throw new CommandFailure(
      EXIT.usage,
      `--connection and --subject go with tokens of tenants: one of an administrator (--tenant ${ADMIN_TENANT}) has a --role.`,
    );
  }
  return {
    tenant,
    connection,
    name: name ?? null,
    scopes: scopesOf(tenant, flags),
    subject: subject ?? null,
    expires: expiryOf(flags),
    createdBy: MADE_BY,
  };
}

const SCHEMES: readonly ImportedToken["scheme"][] = ["sha256", "hmac-sha256", "bcrypt"];

/** The variable that holds the key of an HMAC: on a command line, others of the machine would see it. */
const KEY_VARIABLE = "SCIM_TOKEN_KEY";

/**
 * The token that flags bring along.
 * @throws CommandFailure naming the flag
 */
export function wantedImport(
  flags: ImportFlags,
  environment: Readonly<Record<string, string | undefined>>,
): ImportedToken {
  const { scheme: named, hash } = flags;
  const scheme = wordFlag("scheme", named, SCHEMES);
  if (scheme !== "hmac-sha256") {
    if (flags["key-file"] === undefined) return { ...tokenOf(flags), scheme, hash, key: null };
    throw new CommandFailure(EXIT.usage, `--key-file goes with --scheme hmac-sha256: ${scheme} has no key.`);
  }
  const key = keyOf(flags, environment);
  if (key === null) {
    throw new CommandFailure(
      EXIT.usage,
      `The key of hmac-sha256 comes by --key-file FILE or the variable ${KEY_VARIABLE}.`,
    );
  }
  return { ...tokenOf(flags), scheme, hash, key };
}

/** A line break at the end of the file is none of the key; an empty one is none, as of other variables and files. */
function keyOf(
  { "key-file": file }: TokenFlags,
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const key =
    file === undefined ? environment[KEY_VARIABLE] : readNamedFile("--key-file", file).replace(/\r?\n$/, "");
  return key === undefined || key === "" ? null : key;
}

function scopesOf(tenant: string, { scope, role }: TokenFlags): readonly Scope[] | undefined {
  if (role !== undefined) {
    if (tenant === ADMIN_TENANT && scope === undefined) return [roleScope(role)];
    throw new CommandFailure(EXIT.usage, `--role goes with --tenant ${ADMIN_TENANT}, and without --scope.`);
  }
  if (scope === undefined) return undefined;
  return scope.map((each) => {
    if (isScope(each)) return each;
    throw new CommandFailure(
      EXIT.usage,
      `--scope must be one of ${SCOPES.filter((known) => !isAdminScope(known)).join(", ")}, or one for a resource type such as scim:read:User; repeat it for several.`,
    );
  });
}

/** `90d`, `12h`, `30m`, or an instant such as `2027-01-01T00:00:00Z`; it must lie ahead. A year where nothing is said. */
function expiryOf({ expires: text, "never-expires": never }: TokenFlags): string | null | undefined {
  if (never === true && text === undefined) return null;
  if (never === true) throw new CommandFailure(EXIT.usage, "Use --expires or --never-expires, not both.");
  return text === undefined ? undefined : expiryFlag(text);
}
