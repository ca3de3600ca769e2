/**
 * What is good with certain secret keys alone: hashes that were made with one, and secrets that were sealed with one.
 * @module
 */
import { familyOf, type ReceiverFamily } from "@scim/events";
import type { Store } from "@scim/store/sqlite";
import { ADMIN_TENANT, type ClientSecret, isExpired, type SecretKey, type StoredToken } from "@scim/tenancy";
import { createKeySeal, SEAL_PURPOSES } from "../credentials/key-seal.ts";

/** Things of one kind that are good. */
export interface KeptByKeys {
  /** What one is called, such as `token`; and several are. */
  readonly one: string;
  readonly many: string;
  /** What makes a new one. */
  readonly anew: string;
  readonly count: number;
  /** How many of them none of the keys made. */
  readonly lost: number;
  /** Ids of the keys that made those, where they are known. */
  readonly lostKeys: readonly string[];
}

/** What is looked at. */
export interface KeyedSetting {
  readonly store: Pick<Store, "tokens" | "clients" | "receivers" | "signingKeys">;
  readonly tenant: string;
  /** Whether what the administration and the service have is looked at, too. */
  readonly shared: boolean;
  readonly keys: readonly SecretKey[];
  /** The present, in milliseconds since 1970. */
  readonly now: number;
}

type Kind = Pick<KeptByKeys, "one" | "many" | "anew">;

const TOKEN: Kind = { one: "token", many: "tokens", anew: "scim token create" };
const CLIENT_SECRET: Kind = {
  one: "client secret",
  many: "client secrets",
  anew: "scim client secret add",
};
const IMPORTED: Kind = {
  one: "key of an imported token",
  many: "keys of imported tokens",
  anew: "scim token import",
};
const OF_RECEIVERS: Readonly<Record<ReceiverFamily, Kind>> = {
  webhook: { one: "webhook secret", many: "webhook secrets", anew: "scim webhook rotate" },
  stream: {
    one: "stream secret",
    many: "stream secrets",
    anew: "scim stream rotate (or create, where it is pushed)",
  },
};
const SIGNING_KEY: Kind = { one: "signing key", many: "signing keys", anew: "scim stream rotate-key --now" };

/** What a tenant has, and the administration and the service where they are looked at, whether or not the keys made it. */
export async function keptByKeys(setting: KeyedSetting): Promise<readonly KeptByKeys[]> {
  const { store, now, keys } = setting;
  const tokens = (await ofHolders(setting, (holder) => store.tokens.listTokens(holder))).filter(
    // Of a revoked token there is no hash.
    (token) => token.revoked === null && !isExpired(token, now),
  );
  const opens = openerOf(keys, SEAL_PURPOSES.receiver);
  return [
    // One that was made elsewhere has the hash of another.
    hashed(
      TOKEN,
      tokens.filter(({ scheme }) => scheme === "keyed"),
      setting,
    ),
    hashed(CLIENT_SECRET, await clientSecrets(setting), setting),
    sealed(
      IMPORTED,
      tokens.flatMap(({ sealedKey }) => sealedKey ?? []),
      openerOf(keys, SEAL_PURPOSES.importedKey),
    ),
    ...(await ofReceivers(setting, opens)),
    sealed(SIGNING_KEY, await signingKeys(setting), opens),
  ];
}

/** What a tenant has, and the administration where it is looked at. */
async function ofHolders<Found>(
  { tenant, shared }: Pick<KeyedSetting, "tenant" | "shared">,
  find: (holder: string) => Promise<readonly Found[]>,
): Promise<readonly Found[]> {
  return [...(await find(tenant)), ...(shared ? await find(ADMIN_TENANT) : [])];
}

async function clientSecrets({ store, tenant, now }: KeyedSetting): Promise<readonly ClientSecret[]> {
  const secrets: ClientSecret[] = [];
  for (const client of await store.clients.listClients(tenant, null))
    secrets.push(...(await store.clients.listSecrets(client)).filter((secret) => !isExpired(secret, now)));
  return secrets;
}

async function ofReceivers(setting: KeyedSetting, opens: Opens): Promise<readonly KeptByKeys[]> {
  const { store, now } = setting;
  const receivers = await ofHolders(setting, (holder) => store.receivers.list(holder));
  return (["webhook", "stream"] as const).map((family) => {
    const secrets = receivers
      .filter(({ kind }) => familyOf(kind) === family)
      .flatMap((receiver) => receiver.secrets.filter((secret) => !isExpired(secret, now)));
    return sealed(
      OF_RECEIVERS[family],
      secrets.map((secret) => secret.sealed),
      opens,
    );
  });
}

/** Those that sign, now or later: of one that was replaced the public part alone is of use. */
async function signingKeys({ store, shared, now }: KeyedSetting): Promise<readonly string[]> {
  if (!shared) return [];
  const keys = await store.signingKeys.list();
  const current = keys.findLastIndex(({ signsFrom }) => Date.parse(signsFrom) <= now);
  return keys.slice(Math.max(0, current)).map((key) => key.sealed);
}

function hashed(
  kind: Kind,
  made: readonly Pick<StoredToken, "keyId">[],
  { keys }: Pick<KeyedSetting, "keys">,
): KeptByKeys {
  const lost = made.filter(({ keyId }) => !keys.some(({ id }) => id === keyId));
  const lostKeys = [...new Set(lost.map(({ keyId }) => keyId))];
  return { ...kind, count: made.length, lost: lost.length, lostKeys };
}

/** Tells whether a sealed text can be read. */
type Opens = (text: string) => boolean;

function openerOf(keys: readonly SecretKey[], purpose: string): Opens {
  if (keys.length === 0) return () => false;
  const { open } = createKeySeal(keys, purpose);
  return (text) => open(text) !== null;
}

/** What is sealed does not say by which key. */
function sealed(kind: Kind, texts: readonly string[], opens: Opens): KeptByKeys {
  const lost = texts.filter((text) => !opens(text)).length;
  return { ...kind, count: texts.length, lost, lostKeys: [] };
}
