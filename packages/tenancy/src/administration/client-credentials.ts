/**
 * Secrets and trusts of OAuth clients, made and taken back.
 * @module
 */
import { type Acting, actOf, type AdminAct } from "../acts/admin-act.ts";
import {
  type ClientCredentialName,
  type ClientSecret,
  type ClientTrust,
  isSameTrust,
  type SubjectClaim,
  type TrustPurpose,
} from "../oauth/client.ts";
import { newSecretText } from "../oauth/client-text.ts";
import { checkedAddress, checkedText } from "./checked-trust.ts";
import { type ClientTarget, findClient, LONGEST_LIFETIME } from "./clients.ts";
import type { ClientPorts } from "./ports.ts";
import { TenancyError } from "./tenancy-error.ts";
import { toldSecret, toldTrust } from "./told-states.ts";

/** A secret to make. */
export interface NewSecret {
  /** When it ends, at most three years from now. Default: a year from now. */
  readonly expires?: string | undefined;
  readonly createdBy: string;
}

/** A trust to make; see {@link ClientTrust}. */
export interface NewTrust {
  readonly purpose: TrustPurpose;
  readonly issuer: string;
  readonly jwksUri: string;
  /** `/.default` at its end goes: Entra shows the audience with it, and sends it without. */
  readonly audience: string;
  readonly subject: string;
  /** Default `sub`. */
  readonly claim?: SubjectClaim | undefined;
  /** Default false. */
  readonly requireJti?: boolean | undefined;
  readonly createdBy: string;
}

/** A secret or a trust, and where it is named, the connection that its client must be of. */
export interface CredentialTarget extends ClientCredentialName {
  readonly connection?: string | undefined;
}

/** 365 days, in milliseconds. */
const DEFAULT_SECRET_MS = 31_536_000_000;
/** Three years, in milliseconds: 1096 days, since one of them may be longer. */
const LONGEST_SECRET_MS = 94_694_400_000;
/** Secrets of a client that are not expired, at most. */
const MOST_SECRETS = 10;
/** Trusts of a client at most. */
const MOST_TRUSTS = 10;

/**
 * Makes a secret, beside those that the client has. Resolves to its text, which nothing can show again, and to what is
 * stored of it. Secrets go that are expired for as long as an access token may be good.
 * @throws TenancyError `notFound`, `invalid`, `refused`
 */
export async function addClientSecret(
  ports: Omit<ClientPorts, "tenants" | "connections">,
  name: ClientTarget,
  { expires: wanted, createdBy }: NewSecret,
): Promise<{ readonly text: string; readonly secret: ClientSecret }> {
  const { clients, hasher, randomBytes, now, newId } = ports;
  const { tenant, id } = await findClient(ports, name);
  const created = now();
  const expires = checkedExpiry(wanted, created);
  for (const secret of await clients.listSecrets({ tenant, id })) {
    // Access tokens go with their secret, and one that was given just before its end is good still.
    const isOver = Date.parse(secret.expires) + LONGEST_LIFETIME * 1000 <= Date.parse(created);
    if (isOver) await clients.removeSecret(secret, toldOfSecret(ports, [secret, null]));
  }
  const text = newSecretText(randomBytes);
  const secret: ClientSecret = {
    ...hasher.sign(text),
    tenant,
    client: id,
    id: newId(),
    created,
    createdBy,
    expires,
    lastUsed: null,
  };
  if (await clients.addSecret(secret, toldOfSecret(ports, [null, secret]), MOST_SECRETS))
    return { text, secret };
  await findClient(ports, name);
  throw new TenancyError("refused", `A client has at most ${MOST_SECRETS} secrets; revoke one first.`);
}

/**
 * Revokes a secret, with the access tokens that were given for it: servers refuse them within one second.
 * @throws TenancyError `notFound`
 */
export async function revokeClientSecret(
  ports: Pick<ClientPorts, "clients"> & Acting,
  { client, ...name }: CredentialTarget,
): Promise<void> {
  const { tenant, id } = await findClient(ports, { ...name, id: client });
  const secret = (await ports.clients.listSecrets({ tenant, id })).find((each) => each.id === name.id);
  if (
    secret !== undefined &&
    (await ports.clients.removeSecret(secret, toldOfSecret(ports, [secret, null])))
  ) {
    return;
  }
  throw new TenancyError("notFound", `Client '${client}' has no secret '${name.id}'.`);
}

/**
 * Lets JWTs of a foreign issuer stand for a client.
 * @throws TenancyError `notFound`, `invalid`, `refused`, and `exists` where access tokens with these claims lead to a
 *   client already, or assertions with them stand for this client already
 */
export async function addClientTrust(
  ports: Pick<ClientPorts, "clients" | "newId" | "keyAddressFault"> & Acting,
  name: ClientTarget,
  wanted: NewTrust,
): Promise<ClientTrust> {
  const { tenant, id } = await findClient(ports, name);
  const trust: ClientTrust = {
    tenant,
    client: id,
    id: ports.newId(),
    purpose: wanted.purpose,
    issuer: checkedText("issuer", wanted.issuer),
    jwksUri: checkedAddress(wanted.jwksUri, ports),
    audience: checkedText("audience", wanted.audience.replace(/\/\.default$/, "")),
    claim: wanted.claim ?? "sub",
    subject: checkedText("subject", wanted.subject),
    requireJti: wanted.requireJti ?? false,
    created: ports.now(),
    createdBy: wanted.createdBy,
  };
  if (await ports.clients.addTrust(trust, toldOfTrust(ports, [null, trust]), MOST_TRUSTS)) return trust;
  await findClient(ports, name);
  throw trustRefused(trust, await ports.clients.listTrusts({ tenant, id }));
}

/** Why a trust was not added beside those that its client has. */
function trustRefused(trust: ClientTrust, others: readonly ClientTrust[]): TenancyError {
  if (others.length >= MOST_TRUSTS)
    return new TenancyError("refused", `A client has at most ${MOST_TRUSTS} trusts; remove one first.`);
  const same = others.find((other) => isSameTrust(other, trust));
  return new TenancyError(
    "exists",
    same === undefined
      ? `Access tokens with this issuer, audience and subject lead to a client of tenant '${trust.tenant}' already.`
      : `The client has a trust for this purpose with this issuer, audience and subject, '${same.id}'; remove that one first.`,
  );
}

/**
 * Takes a trust back, with the access tokens that were given for it: servers refuse them within one second.
 * @throws TenancyError `notFound`
 */
export async function removeClientTrust(
  ports: Pick<ClientPorts, "clients"> & Acting,
  { client, ...name }: CredentialTarget,
): Promise<void> {
  const { tenant, id } = await findClient(ports, { ...name, id: client });
  const trust = (await ports.clients.listTrusts({ tenant, id })).find((each) => each.id === name.id);
  if (trust !== undefined && (await ports.clients.removeTrust(trust, toldOfTrust(ports, [trust, null]))))
    return;
  throw new TenancyError("notFound", `Client '${client}' has no trust '${name.id}'.`);
}

/** What was before, and what is: one of the two. */
type Change<Row> = readonly [before: null, after: Row] | readonly [before: Row, after: null];

function toldOfSecret(acting: Acting, [before, after]: Change<ClientSecret>): AdminAct {
  return told(acting, after ?? before, {
    type: "ClientSecret",
    before: before === null ? null : toldSecret(before),
    after: after === null ? null : toldSecret(after),
  });
}

function toldOfTrust(acting: Acting, [before, after]: Change<ClientTrust>): AdminAct {
  return told(acting, after ?? before, {
    type: "ClientTrust",
    before: before === null ? null : toldTrust(before),
    after: after === null ? null : toldTrust(after),
  });
}

function told(
  acting: Acting,
  { tenant, client, id }: ClientCredentialName,
  states: Pick<AdminAct, "type" | "before" | "after">,
): AdminAct {
  const revision = states.before === null ? 1 : 2;
  return actOf(acting, { ...states, id: `${tenant}/${client}/${id}`, revision });
}

function checkedExpiry(given: string | undefined, now: string): string {
  const present = Date.parse(now);
  const instant = given === undefined ? present + DEFAULT_SECRET_MS : Date.parse(given);
  if (instant > present && instant <= present + LONGEST_SECRET_MS) return new Date(instant).toISOString();
  throw new TenancyError("invalid", "A secret expires in the future, and within three years.");
}
