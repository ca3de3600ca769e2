/**
 * A store of OAuth clients in memory: the reference implementation of its port.
 * @module
 */
import type { AdminAct } from "../acts/admin-act.ts";
import type { ConnectionName } from "../connections/connection.ts";
import {
  type AccessToken,
  type ClientCredentialName,
  type ClientName,
  type ClientSecret,
  type ClientTrust,
  isSameTrust,
  type OAuthClient,
} from "../oauth/client.ts";
import { onPage } from "../key-page.ts";
import type { ClientStore } from "../oauth/client-store.ts";

/** Rows of one kind, taken away as a condition says. */
class Rows<Row> {
  #rows: readonly Row[] = [];

  where(condition: (row: Row) => boolean): readonly Row[] {
    return this.#rows.filter(condition);
  }

  add(row: Row): void {
    this.#rows = [...this.#rows, row];
  }

  change(condition: (row: Row) => boolean, changed: (row: Row) => Row): void {
    this.#rows = this.#rows.map((row) => (condition(row) ? changed(row) : row));
  }

  /** Resolves to whether there was one. */
  remove(condition: (row: Row) => boolean): boolean {
    const before = this.#rows.length;
    this.#rows = this.#rows.filter((row) => !condition(row));
    return this.#rows.length < before;
  }
}

/**
 * Makes an empty store of clients.
 * @param acts told acts are put behind those that are there
 * @param isThere tells whether there is a connection; default every one is
 */
export function createMemoryClientStore(
  acts: AdminAct[] = [],
  isThere: (of: ConnectionName) => boolean = () => true,
): ClientStore {
  const clients = new Rows<OAuthClient>();
  const secrets = new Rows<ClientSecret>();
  const trusts = new Rows<ClientTrust>();
  const tokens = new Rows<AccessToken>();
  const used = new Rows<ClientName & { readonly jti: string; readonly expires: string }>();

  /** Whether the secret or trust that a token was given for is there. */
  const hasCredential = ({ tenant, client, credential }: AccessToken): boolean =>
    [secrets, trusts].some(
      (rows) =>
        rows.where((row) => row.tenant === tenant && row.client === client && row.id === credential).length >
        0,
    );

  const told = (done: boolean, act: AdminAct | undefined): boolean => {
    if (done && act !== undefined) acts.push(act);
    return done;
  };
  const clientOf = ({ tenant, client: id }: { readonly tenant: string; readonly client: string }) =>
    clients.where(isNamed({ tenant, id }));
  const removeCredential = <Row extends ClientCredentialName>(
    rows: Rows<Row>,
    { tenant, client, id }: ClientCredentialName,
  ): boolean => {
    tokens.remove((row) => row.tenant === tenant && row.client === client && row.credential === id);
    return rows.remove((row) => row.tenant === tenant && row.client === client && row.id === id);
  };
  const add = <Row extends ClientCredentialName>(rows: Rows<Row>, row: Row): void => {
    const taken = rows.where(
      ({ tenant, client, id }) => tenant === row.tenant && client === row.client && id === row.id,
    );
    if (taken.length > 0) throw new TypeError(`Client ${row.client} has ${row.id} already`);
    rows.add(row);
  };

  return {
    findClient: async (name) => clients.where(isNamed(name))[0] ?? null,
    listClients: async (tenant, connection, page) => {
      const own = clients.where(
        (row) => row.tenant === tenant && (connection === null || row.connection === connection),
      );
      const inOrderOfIds = own.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return onPage(inOrderOfIds, ({ id }) => id, page);
    },
    addClient: async (client, act, of) => {
      if (of !== undefined && !isThere(of)) return false;
      const { tenant, connection } = client;
      const beside = clients.where((row) => row.tenant === tenant && row.connection === connection);
      if (beside.length >= (of?.most ?? Number.POSITIVE_INFINITY)) return false;
      if (clients.where(isNamed(client)).length > 0) {
        throw new TypeError(`Tenant ${client.tenant} has a client ${client.id} already`);
      }
      clients.add(client);
      return told(true, act);
    },
    replaceClient: async (client, before, act) => {
      const isBefore = ({ revision, ...row }: OAuthClient): boolean =>
        isNamed(client)(row) && revision === before;
      if (clients.where(isBefore).length === 0) return false;
      clients.change(isBefore, () => client);
      return told(true, act);
    },
    removeClient: async (name, act) => {
      const isStored = (client: OAuthClient): boolean =>
        isNamed(name)(client) && client.revision === name.revision;
      if (clients.where(isStored).length === 0) return false;
      const isOf = (row: { readonly tenant: string; readonly client: string }): boolean =>
        row.tenant === name.tenant && row.client === name.id;
      for (const rows of [secrets, trusts]) rows.remove(isOf);
      tokens.remove(isOf);
      used.remove(isNamed(name));
      return told(clients.remove(isNamed(name)), act);
    },
    listSecrets: async ({ tenant, id }) =>
      inOrder(secrets.where((row) => row.tenant === tenant && row.client === id)),
    addSecret: async (secret, act, most = Number.POSITIVE_INFINITY) => {
      const good = secrets.where(
        ({ tenant, client, expires }) =>
          tenant === secret.tenant && client === secret.client && expires > secret.created,
      );
      if (clientOf(secret).length === 0 || good.length >= most) return false;
      add(secrets, secret);
      return told(true, act);
    },
    removeSecret: async (name, act) => told(removeCredential(secrets, name), act),
    listTrusts: async ({ tenant, id }) =>
      inOrder(trusts.where((row) => row.tenant === tenant && row.client === id)),
    findAccessTrusts: async (tenant, { issuer, subjects }) =>
      trusts
        .where(
          (row) =>
            row.tenant === tenant &&
            row.purpose === "access-token" &&
            row.issuer === issuer &&
            subjects.includes(row.subject),
        )
        .flatMap((trust) => clientOf(trust).map((client) => ({ trust, client }))),
    addTrust: async (trust, act, most = Number.POSITIVE_INFINITY) => {
      const own = trusts.where(({ tenant, client }) => tenant === trust.tenant && client === trust.client);
      if (clientOf(trust).length === 0 || own.length >= most) return false;
      if (own.some((other) => isSameTrust(other, trust))) return false;
      const leadsTo = trusts.where(
        (row) =>
          row.tenant === trust.tenant &&
          row.purpose === "access-token" &&
          trust.purpose === "access-token" &&
          row.issuer === trust.issuer &&
          row.audience === trust.audience &&
          row.claim === trust.claim &&
          row.subject === trust.subject,
      );
      if (leadsTo.length > 0) return false;
      add(trusts, trust);
      return told(true, act);
    },
    removeTrust: async (name, act) => told(removeCredential(trusts, name), act),
    addAccessToken: async (token, assertion) => {
      const { tenant, client: id, created } = token;
      tokens.remove((row) => row.tenant === tenant && row.expires < created);
      used.remove((row) => row.tenant === tenant && row.expires < created);
      if (assertion !== null) {
        const isSame = (row: ClientName & { readonly jti: string }): boolean =>
          isNamed({ tenant, id })(row) && row.jti === assertion.jti;
        if (used.where(isSame).length > 0) return false;
        used.add({ tenant, id, ...assertion });
      }
      tokens.add(token);
      secrets.change(
        (row) => row.tenant === tenant && row.client === id && row.id === token.credential,
        (row) => ({ ...row, lastUsed: created }),
      );
      return true;
    },
    purgeSecrets: async (tenant, before, limit) => {
      const going = new Set(
        secrets.where((row) => row.tenant === tenant && row.expires < before).slice(0, limit),
      );
      secrets.remove((row) => going.has(row));
      return going.size;
    },
    purgeExpired: async (tenant, at, limit) => {
      const isOver = (row: { readonly tenant: string; readonly expires: string }): boolean =>
        row.tenant === tenant && row.expires < at;
      const going = new Set(tokens.where(isOver).slice(0, limit));
      tokens.remove((row) => going.has(row));
      const over = new Set(used.where(isOver).slice(0, limit));
      used.remove((row) => over.has(row));
      return going.size;
    },
    findAccessTokens: async (tenant, hashes) =>
      tokens
        .where((row) => row.tenant === tenant && hashes.includes(row.hash) && hasCredential(row))
        .flatMap((token) => clientOf(token).map((client) => ({ token, client }))),
  };
}

function isNamed({ tenant, id }: ClientName): (row: ClientName) => boolean {
  return (row) => row.tenant === tenant && row.id === id;
}

function inOrder<Row extends { readonly created: string; readonly id: string }>(
  rows: readonly Row[],
): readonly Row[] {
  return rows.toSorted((a, b) => (`${a.created} ${a.id}` < `${b.created} ${b.id}` ? -1 : 1));
}
