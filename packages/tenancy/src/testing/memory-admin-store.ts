/**
 * A store of administrators who sign in elsewhere, in memory: the reference implementation of its port.
 * @module
 */
import type { AdminAct } from "../acts/admin-act.ts";
import type { AdminIdentity, AdminIssuer } from "../admins/admin-identity.ts";
import type { AdminStore, Revised } from "../admins/admin-store.ts";

/**
 * Makes an empty store of administrators.
 * @param acts told acts are put behind those that are there
 */
export function createMemoryAdminStore(acts: AdminAct[] = []): AdminStore {
  const issuers = new Map<string, AdminIssuer>();
  const identities = new Map<string, AdminIdentity>();
  const done = (isDone: boolean, act: AdminAct | undefined): boolean => {
    if (isDone && act !== undefined) acts.push(act);
    return isDone;
  };
  const replace = <Row extends Revised>(rows: Map<string, Row>, row: Row, before: number): boolean => {
    if (rows.get(row.id)?.revision !== before) return false;
    rows.set(row.id, row);
    return true;
  };
  const remove = (rows: Map<string, Revised>, { id, revision }: Revised): boolean =>
    rows.get(id)?.revision === revision && rows.delete(id);

  return {
    listIssuers: async () => inOrder(issuers),
    findIssuers: async (name) => inOrder(issuers).filter(({ issuer }) => issuer === name),
    addIssuer: async (row, act, most = Number.POSITIVE_INFINITY) => {
      const isTaken = [...issuers.values()].some(
        ({ id, issuer, audience }) => id === row.id || (issuer === row.issuer && audience === row.audience),
      );
      const isGood = !isTaken && issuers.size < most;
      if (isGood) issuers.set(row.id, row);
      return done(isGood, act);
    },
    replaceIssuer: async (row, before, act) => done(replace(issuers, row, before), act),
    removeIssuer: async (row, act) => {
      const isUsed = [...identities.values()].some(({ issuer }) => issuer === row.id);
      return done(!isUsed && remove(issuers, row), act);
    },

    listIdentities: async () => inOrder(identities),
    findIdentity: async ({ issuer, subject }) =>
      [...identities.values()].find((row) => row.issuer === issuer && row.subject === subject) ?? null,
    addIdentity: async (row, act, most = Number.POSITIVE_INFINITY) => {
      const isTaken = [...identities.values()].some(
        ({ id, issuer, subject }) => id === row.id || (issuer === row.issuer && subject === row.subject),
      );
      const isGood = !isTaken && issuers.has(row.issuer) && identities.size < most;
      if (isGood) identities.set(row.id, row);
      return done(isGood, act);
    },
    replaceIdentity: async (row, before, act) => {
      const lastUsed = identities.get(row.id)?.lastUsed ?? null;
      return done(replace(identities, { ...row, lastUsed }, before), act);
    },
    noteUse: async (id, { at, before }) => {
      const row = identities.get(id);
      if (row === undefined || (row.lastUsed !== null && row.lastUsed >= before)) return;
      identities.set(id, { ...row, lastUsed: at });
    },
    removeIdentity: async (row, act) => done(remove(identities, row), act),
    hasOwner: async (at) =>
      [...identities.values()].some(
        ({ role, expires, issuer }) =>
          role === "owner" && (expires === null || expires > at) && issuers.get(issuer)?.state === "active",
      ),
  };
}

function inOrder<Row extends { readonly created: string; readonly id: string }>(
  rows: ReadonlyMap<string, Row>,
): readonly Row[] {
  return [...rows.values()].toSorted((a, b) => (`${a.created} ${a.id}` < `${b.created} ${b.id}` ? -1 : 1));
}
