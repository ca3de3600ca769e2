/**
 * Tokens made, imported and revoked.
 * @module
 */
import { isAdminScope, type Scope } from "@scim/core";
import { type Acting, actOf, type AdminAct } from "../acts/admin-act.ts";
import { issueToken } from "../credentials/issue-token.ts";
import type { StoredToken, TokenName, TokenScheme } from "../credentials/port.ts";
import type { ConnectionName } from "../connections/connection.ts";
import { ADMIN_TENANT, DEFAULT_NAME } from "../credentials/token-text.ts";
import { checkedNameOrNull } from "./checked-name.ts";
import { findConnection } from "./connections.ts";
import { MOST_SCOPES, requireKnownTypes } from "./known-types.ts";
import type { TenancyPorts } from "./ports.ts";
import { roleOfScopes } from "./roles.ts";
import { noSuchConnection, TenancyError } from "./tenancy-error.ts";
import { requireTenant } from "./tenants.ts";
import { toldToken } from "./told-states.ts";

/** A token to make. */
export interface NewToken {
  readonly tenant: string;
  /** Default `default`. */
  readonly connection?: string | undefined;
  /** What people call it. */
  readonly name?: string | null | undefined;
  /** Default `scim`, and for the administration `admin`. */
  readonly scopes?: readonly Scope[] | undefined;
  /** The `id` of the resource that `/Me` stands for. */
  readonly subject?: string | null | undefined;
  /** When it ends; null for never. Default: a year from now. */
  readonly expires?: string | null | undefined;
  readonly createdBy: string;
}

/** A token that was made elsewhere. */
export interface ImportedToken extends NewToken {
  readonly scheme: Exclude<TokenScheme, "keyed">;
  /** Its hash: 64 hexadecimal digits, or a bcrypt hash. */
  readonly hash: string;
  /** The key of an HMAC-SHA-256, as text. */
  readonly key?: string | null | undefined;
}

/** How long a token is good for where nothing else is said: 365 days, in milliseconds. */
export const DEFAULT_LIFETIME_MS = 31_536_000_000;

/** Tokens that a tenant may have that were not used yet and have not ended, where each is tried with each text that anybody sends. */
const MOST_UNUSED: Readonly<Partial<Record<TokenScheme, number>>> = { bcrypt: 50, "hmac-sha256": 100 };

/** Longest key of an HMAC, in characters: it is gone through with each text. */
const LONGEST_KEY = 1024;

/**
 * Makes a token. Resolves to its text, which nothing can show again, and to what is stored of it.
 * @throws TenancyError `notFound`, `invalid`, `refused`
 */
export async function createToken(
  ports: TenancyPorts,
  wanted: NewToken,
): Promise<{ readonly text: string; readonly id: string }> {
  const grant = await grantOf(ports, wanted);
  const { tokens: store, hasher, randomBytes, now } = ports;
  const act = (token: StoredToken): AdminAct => told(ports, null, token);
  const of = connectionOf(grant);
  return { text: await issueToken(grant, { store, hasher, randomBytes, now, act, of }), id: grant.id };
}

/** The connection that a token goes with: those of administrators have none. */
function connectionOf({ tenant, connection }: ConnectionName): ConnectionName | undefined {
  return tenant === ADMIN_TENANT ? undefined : { tenant, connection };
}

type Change =
  | readonly [before: null, after: StoredToken]
  | readonly [before: StoredToken, after: StoredToken];

/** Of a token two states are told: good, and revoked. */
function told(acting: Acting, ...[before, after]: Change): AdminAct {
  return actOf(acting, {
    type: "Token",
    id: `${after.tenant}/${after.id}`,
    before: before === null ? null : toldToken(before),
    after: toldToken(after),
    revision: before === null ? 1 : 2,
  });
}

const HASH_FORMS: Readonly<Record<ImportedToken["scheme"], RegExp>> = {
  sha256: /^[0-9a-f]{64}$/,
  "hmac-sha256": /^[0-9a-f]{64}$/,
  bcrypt: /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/,
};

/**
 * Takes a token over that was made elsewhere, by its hash. It is good where the address names the tenant, and gets a
 * hash of the service when it is first used. Resolves to its id.
 * @throws TenancyError `notFound`, `invalid`, `exists`, `refused`
 */
export async function importToken(ports: TenancyPorts, wanted: ImportedToken): Promise<string> {
  const { scheme, tenant, key = null } = wanted;
  const hash = scheme === "bcrypt" ? wanted.hash : wanted.hash.toLowerCase();
  if (!HASH_FORMS[scheme].test(hash)) {
    throw new TenancyError(
      "invalid",
      scheme === "bcrypt"
        ? "A bcrypt hash reads $2b$10$ and 53 characters, with a cost of 4 to 14."
        : `A hash by ${scheme} is 64 hexadecimal digits.`,
    );
  }
  if ((scheme === "hmac-sha256") !== (key !== null && key !== "")) {
    throw new TenancyError("invalid", "A key belongs to hmac-sha256, and to no other hash.");
  }
  if ((key?.length ?? 0) > LONGEST_KEY)
    throw new TenancyError("invalid", `A key of hmac-sha256 has at most ${LONGEST_KEY} characters.`);
  if (tenant === ADMIN_TENANT)
    throw new TenancyError("invalid", "Tokens of the administration are made here alone.");
  const grant = await grantOf(ports, wanted);
  const token: StoredToken = {
    ...grant,
    scheme,
    hash,
    keyId: "",
    sealedKey: key === null ? null : ports.seal(key),
    created: ports.now(),
    lastUsed: null,
    revoked: null,
  };
  try {
    const room = { tenant, connection: grant.connection, most: MOST_UNUSED[scheme] };
    if (await ports.tokens.addToken(token, told(ports, null, token), room)) return grant.id;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new TenancyError("exists", `Tenant '${tenant}' has a token of this hash.`);
  }
  throw await importRefused(ports, grant, scheme);
}

/** Why a token was not added: its tenant has as many as it may have, or its connection is gone. */
async function importRefused(
  { tokens, now }: Pick<TenancyPorts, "tokens" | "now">,
  of: ConnectionName,
  scheme: ImportedToken["scheme"],
): Promise<TenancyError> {
  const most = MOST_UNUSED[scheme] ?? Number.POSITIVE_INFINITY;
  const unused = await tokens.findForeignTokens(of.tenant, now());
  if (unused.filter((token) => token.scheme === scheme).length < most) return noSuchConnection(of);
  return new TenancyError(
    "refused",
    `Tenant '${of.tenant}' has ${most} tokens with a hash by ${scheme} that were not used yet, as many as it may have; ` +
      "use or revoke some.",
  );
}

/**
 * Revokes a token: servers refuse it within one second.
 * @throws TenancyError `notFound` where there is none, or it was revoked before
 */
export async function revokeToken(
  ports: Pick<TenancyPorts, "tokens"> & Acting,
  token: TokenName,
): Promise<void> {
  const found = await findToken(ports, token);
  const revoked = ports.now();
  const act = told(ports, found, { ...found, revoked });
  if (await ports.tokens.revokeToken(token, revoked, act)) return;
  throw new TenancyError("notFound", `Token '${token.id}' of tenant '${token.tenant}' was revoked before.`);
}

/**
 * The token of an id; one that was revoked as well.
 * @throws TenancyError `notFound`
 */
export async function findToken(
  { tokens }: Pick<TenancyPorts, "tokens">,
  { tenant, id }: TokenName,
): Promise<StoredToken> {
  const found = (await tokens.listTokens(tenant, { id })).find((each) => each.id === id);
  if (found !== undefined) return found;
  // The tokens of that tenant are administrators.
  const none =
    tenant === ADMIN_TENANT
      ? `There is no administrator '${id}'.`
      : `Tenant '${tenant}' has no token '${id}'.`;
  throw new TenancyError("notFound", none);
}

async function grantOf(ports: TenancyPorts, wanted: NewToken): Promise<Parameters<typeof issueToken>[0]> {
  const { tenant, connection = DEFAULT_NAME, name = null, subject = null, createdBy } = wanted;
  const isAdmin = tenant === ADMIN_TENANT;
  if (!isAdmin) {
    await requireTenant(ports, tenant);
    await findConnection(ports, { tenant, connection });
  }
  checkedNameOrNull("The name of a token", name);
  checkedNameOrNull("The subject of a token", subject);
  const scopes = wanted.scopes ?? [isAdmin ? "admin" : "scim"];
  const administered = isAdmin ? (roleOfScopes(scopes)?.tenant ?? null) : null;
  if (administered !== null) await requireTenant(ports, administered);
  const isBounded = scopes.length > 0 && scopes.length <= MOST_SCOPES;
  if (!isBounded || scopes.some((scope) => isAdminScope(scope) !== isAdmin)) {
    throw new TenancyError(
      "invalid",
      `A token has 1 to ${MOST_SCOPES} scopes; those of administrators go with tenant '${ADMIN_TENANT}', and only with it.`,
    );
  }
  await requireKnownTypes(ports, tenant, scopes);
  const expires = expiryOf(wanted.expires, ports.now());
  const once = [...new Set(scopes)];
  return { id: ports.newId(), tenant, connection, name, scopes: once, subject, expires, createdBy };
}

function expiryOf(given: string | null | undefined, now: string): string | null {
  if (given === null) return null;
  if (given === undefined) return new Date(Date.parse(now) + DEFAULT_LIFETIME_MS).toISOString();
  const instant = Date.parse(given);
  if (instant > Date.parse(now)) return new Date(instant).toISOString();
  throw new TenancyError(
    "invalid",
    "A token expires in the future: state an instant such as 2027-01-01T00:00:00Z.",
  );
}
