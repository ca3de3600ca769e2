/**
 * The tokens that a start sees to: those that settings give, and those that the first start makes.
 * @module
 */
import { randomBytes } from "node:crypto";
import type { Scope } from "@scim/core";
import {
  ADMIN_TENANT,
  issueToken,
  registerToken,
  STARTED_BY,
  verifyToken,
  type TokenGrant,
  type TokenHasher,
  type TokenStore,
} from "@scim/tenancy";
import { newResourceId, instantNow } from "../sources.ts";
import { DEFAULT_TENANT, type Settings } from "../settings/table.ts";
import type { DataFolder } from "./data-folder.ts";

/** What became of a token at a start. */
export type TokenOrigin =
  /** A setting gives it. */
  | { readonly kind: "given" }
  /** Made now, and written to the file of credentials. */
  | { readonly kind: "made"; readonly text: string }
  /** Made before; its text is with whoever kept it. */
  | { readonly kind: "kept" }
  /** There is none, and no folder to write one to. */
  | { readonly kind: "none" };

/** What the tokens are kept with. */
export interface TokenKeeping {
  readonly tokens: TokenStore;
  readonly hasher: TokenHasher;
  /** Where tokens that a start makes are written to; null: it makes none. */
  readonly folder: DataFolder | null;
}

/** Name under which the token of a setting is stored, so that the next start can replace it. */
const GIVEN_ID = "setting";

/** Sees to both tokens. Resolves to what became of the provisioning token. */
export async function settleTokens(settings: Settings, keeping: TokenKeeping): Promise<TokenOrigin> {
  const origin = await settleToken({ tenant: DEFAULT_TENANT, scope: "scim", given: settings.token }, keeping);
  const admin = await settleToken(
    { tenant: ADMIN_TENANT, scope: "admin", given: settings.adminToken },
    keeping,
  );
  const made = new Map<string, string>();
  if (origin.kind === "made") made.set("SCIM_TOKEN", origin.text);
  if (admin.kind === "made") made.set("SCIM_ADMIN_TOKEN", admin.text);
  if (made.size > 0) keeping.folder?.keepCredentials(made);
  return origin;
}

interface Wanted {
  readonly tenant: string;
  readonly scope: Scope;
  /** The text that a setting gives, or null. */
  readonly given: string | null;
}

async function settleToken(wanted: Wanted, keeping: TokenKeeping): Promise<TokenOrigin> {
  const { tokens, hasher, folder } = keeping;
  if (wanted.given !== null) {
    await keepGiven(wanted, wanted.given, keeping);
    return { kind: "given" };
  }
  // A token whose setting is gone is not valid any more.
  await tokens.removeToken(wanted.tenant, GIVEN_ID);
  const existing = await tokens.listTokens(wanted.tenant);
  if (existing.length > 0) return { kind: "kept" };
  if (folder === null) return { kind: "none" };
  const text = await issueToken(grantOf(wanted, newResourceId()), {
    store: tokens,
    hasher,
    randomBytes,
    now: instantNow,
  });
  return { kind: "made", text };
}

async function keepGiven(wanted: Wanted, text: string, keeping: TokenKeeping): Promise<void> {
  if (await isKept(text, keeping)) return;
  const { tokens, hasher } = keeping;
  await tokens.removeToken(wanted.tenant, GIVEN_ID);
  try {
    await registerToken(text, grantOf(wanted, GIVEN_ID), { store: tokens, hasher, now: instantNow });
  } catch (error) {
    // Another process that starts at the same time may have been first.
    if (!(await isKept(text, keeping))) throw error;
  }
}

async function isKept(text: string, { tokens, hasher }: TokenKeeping): Promise<boolean> {
  return (await verifyToken(text, { store: tokens, hasher, now: Date.now })) !== null;
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
