/**
 * The tokens that a start sees to: those that settings give, and those that the first start makes.
 * @module
 */
import { hash, randomBytes } from "node:crypto";
import type { Scope } from "@scim/core";
import {
  ADMIN_TENANT,
  type ConnectionStore,
  DEFAULT_NAME,
  issueToken,
  registerToken,
  STARTED_BY,
  type StoredToken,
  type TenantStore,
  verifyToken,
  type TokenGrant,
  type TokenHasher,
  type TokenStore,
} from "@scim/tenancy";
import { newResourceId, instantNow } from "../sources.ts";
import { DEFAULT_TENANT, type Settings } from "../settings/table.ts";
import type { DataFolder } from "./data-folder.ts";
import { findLost, type GivenKeys, isLost, isNotOver, type LostTokens } from "./lost-tokens.ts";

/** What became of a token at a start. */
export type TokenOrigin =
  /** A setting gives it. */
  | { readonly kind: "given" }
  /** A setting gives one that was revoked, or has ended: nobody is let in by it. */
  | { readonly kind: "refused" }
  /** Made now, and written to the file of credentials. */
  | { readonly kind: "made"; readonly text: string }
  /** Made before, and good; its text is in the file of credentials, or with whoever kept it. */
  | { readonly kind: "kept"; readonly isInFile: boolean }
  /** Those that were made before were revoked, or have ended; only people make another. */
  | { readonly kind: "ended" }
  /** Those that were made before, and are not over, were made with secret keys that are not given. */
  | { readonly kind: "lost" }
  /** Their tenant, or their connection, is suspended: until that is resumed nobody is let in by them. */
  | { readonly kind: "suspended"; readonly what: "tenant" | "connection" }
  /** There is none, and no folder to write one to. */
  | { readonly kind: "none" };

/** What the tokens are kept with. */
export interface TokenKeeping {
  readonly tokens: TokenStore;
  readonly tenants: Pick<TenantStore, "find">;
  readonly connections: Pick<ConnectionStore, "find">;
  readonly hasher: TokenHasher;
  /** The secret keys that are given. */
  readonly auditKeys: { readonly keys: GivenKeys };
  /** Where tokens that a start makes are written to; null: it makes none. */
  readonly folder: DataFolder | null;
  /** Told of a setting that gives a token that was revoked, or has ended. */
  readonly onRefused: (variable: string) => void;
  /** Told of a database that holds no tokens, while the file of credentials has those of an earlier one. */
  readonly onBegunAnew: (credentials: string) => void;
  /** Told of tokens of the default tenant, and of administrators, that let nobody in for want of a key. */
  readonly onLost: (lost: LostTokens) => void;
}

/** What the names of tokens of settings begin with, so that the next start can replace them. */
const GIVEN = "setting";
/** Digits of the digest of a token in its name: enough to tell those of a tenant apart, and nothing to guess one by. */
const DIGITS = 12;

/** The name of a token that a setting gives: its own, so that one that was revoked is known again. */
export function idOfGiven(text: string): string {
  return `${GIVEN}-${hash("sha256", text, "hex").slice(0, DIGITS)}`;
}

function isGiven({ id }: Pick<StoredToken, "id">): boolean {
  return id === GIVEN || id.startsWith(`${GIVEN}-`);
}

/** Sees to both tokens. Resolves to what became of the provisioning token. */
export async function settleTokens(settings: Settings, keeping: TokenKeeping): Promise<TokenOrigin> {
  const made = new Map<string, string>();
  const settle = async (wanted: Wanted): Promise<TokenOrigin> => {
    const origin = await settleToken(wanted, keeping);
    if (origin.kind === "made") made.set(wanted.variable, origin.text);
    if (origin.kind === "refused") keeping.onRefused(wanted.variable);
    return origin;
  };
  const { token, adminToken } = settings;
  const origin = await settle({
    variable: "SCIM_TOKEN",
    tenant: DEFAULT_TENANT,
    scope: "scim",
    given: token,
  });
  await settle({ variable: "SCIM_ADMIN_TOKEN", tenant: ADMIN_TENANT, scope: "admin", given: adminToken });
  for (const tenant of [DEFAULT_TENANT, ADMIN_TENANT]) await tellLost(tenant, keeping);
  if (made.size > 0) keepMade(made, settings, keeping);
  return (await suspended(keeping)) ?? origin;
}

/** Writes tokens that were made to the file of credentials, which a database that was lost, or not restored, leaves behind. */
function keepMade(
  made: ReadonlyMap<string, string>,
  { databaseUrl }: Pick<Settings, "databaseUrl">,
  { folder, onBegunAnew }: Pick<TokenKeeping, "folder" | "onBegunAnew">,
): void {
  if (folder === null) return;
  const isKept = databaseUrl.kind !== "sqlite" || databaseUrl.path !== ":memory:";
  const isAnew = isKept && [...made.keys()].some((variable) => folder.credential(variable) !== null);
  folder.keepCredentials(made);
  if (isAnew) onBegunAnew(folder.credentialsPath);
}

/** What lets the provisioning token in nowhere, however good it is; null where nothing does. */
async function suspended({
  tenants,
  connections,
}: Pick<TokenKeeping, "tenants" | "connections">): Promise<TokenOrigin | null> {
  const isSuspended = (row: { readonly state: string } | null): boolean =>
    row !== null && row.state !== "active";
  if (isSuspended(await tenants.find(DEFAULT_TENANT))) return { kind: "suspended", what: "tenant" };
  const connection = await connections.find(DEFAULT_TENANT, DEFAULT_NAME);
  return isSuspended(connection) ? { kind: "suspended", what: "connection" } : null;
}

interface Wanted {
  /** The variable that may give it. */
  readonly variable: string;
  readonly tenant: string;
  readonly scope: Scope;
  /** The text that a setting gives, or null. */
  readonly given: string | null;
}

async function settleToken(wanted: Wanted, keeping: TokenKeeping): Promise<TokenOrigin> {
  const { tokens, hasher, folder } = keeping;
  if (wanted.given !== null) return keepGiven(wanted, wanted.given, keeping);
  const existing = await withoutGiven(wanted, null, keeping);
  const made = existing.filter((token) => !isGiven(token));
  if (made.length > 0) return madeBefore(wanted, made, keeping);
  if (folder === null) return { kind: "none" };
  const text = await issueToken(grantOf(wanted, newResourceId()), {
    store: tokens,
    hasher,
    randomBytes,
    now: instantNow,
  });
  return { kind: "made", text };
}

/** What became of tokens that were made before: that of the file may be revoked while another is good. */
async function madeBefore(
  { variable }: Wanted,
  made: readonly StoredToken[],
  keeping: TokenKeeping,
): Promise<TokenOrigin> {
  const good = made.filter(isNotOver);
  if (good.length === 0) return { kind: "ended" };
  if (good.every((token) => isLost(token, keeping.auditKeys.keys))) return { kind: "lost" };
  const text = keeping.folder?.credential(variable) ?? null;
  return { kind: "kept", isInFile: text !== null && (await isGood(text, keeping)) };
}

async function tellLost(tenant: string, { tokens, auditKeys, onLost }: TokenKeeping): Promise<void> {
  const lost = await findLost(tenant, { tokens, keys: auditKeys.keys });
  if (lost !== null) onLost(lost);
}

async function isGood(
  text: string,
  { tokens, hasher }: Pick<TokenKeeping, "tokens" | "hasher">,
): Promise<boolean> {
  return (await verifyToken(text, { store: tokens, hasher, now: Date.now })) !== null;
}

async function keepGiven(wanted: Wanted, text: string, keeping: TokenKeeping): Promise<TokenOrigin> {
  const { tokens, hasher } = keeping;
  const hashes = hasher.candidates(text).map((candidate) => candidate.hash);
  const [known] = await tokens.findTokens(wanted.tenant, hashes);
  const id = known?.id ?? idOfGiven(text);
  const existing = await withoutGiven(wanted, id, keeping);
  if (await isGood(text, keeping)) return { kind: "given" };
  const stored = existing.find((token) => token.id === id);
  if (stored !== undefined) {
    // Of a token that was revoked the name is left alone, of one that has ended the hash too.
    if (!isNotOver(stored)) return { kind: "refused" };
    // Its hash was made with a key that is not given any more.
    await tokens.removeToken(wanted.tenant, id);
  }
  try {
    const grant = { ...grantOf(wanted, id), expires: stored?.expires ?? null };
    await registerToken(text, grant, { store: tokens, hasher, now: instantNow });
  } catch (error) {
    // Another process that starts at the same time may have been first.
    if (!(await isGood(text, keeping))) throw error;
  }
  return { kind: "given" };
}

/**
 * The tokens of a tenant, without those that settings gave before: one whose setting is gone is not valid any more. One that was
 * revoked stays, so that it is known where it is given again.
 * @param kept the name of one that stays; null for none
 */
async function withoutGiven(
  { tenant }: Wanted,
  kept: string | null,
  { tokens }: TokenKeeping,
): Promise<readonly StoredToken[]> {
  const stored = await tokens.listTokens(tenant);
  const isGone = (token: StoredToken): boolean =>
    isGiven(token) && token.revoked === null && token.id !== kept;
  for (const token of stored) if (isGone(token)) await tokens.removeToken(tenant, token.id);
  return stored.filter((token) => !isGone(token));
}

function grantOf(wanted: Wanted, id: string): TokenGrant {
  const { tenant, scope } = wanted;
  const connection = DEFAULT_TENANT;
  return {
    id,
    tenant,
    connection,
    scopes: [scope],
    subject: null,
    expires: null,
    name: null,
    createdBy: STARTED_BY,
  };
}
