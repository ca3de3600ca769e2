/**
 * Connections in SQL.
 * @module
 */
import { PROFILES, type ProfileName } from "@scim/core";
import {
  type Connection,
  type ConnectionStore,
  readSwitchFlips,
  type SwitchFlip,
  writeSwitchFlips,
} from "@scim/tenancy";
import type { Dialect } from "../dialect.ts";
import { sql } from "../sql.ts";
import {
  type Executor,
  numberOf,
  type Outcome,
  type Row,
  type Steps,
  textOf,
  textOrNullOf,
} from "../steps.ts";
import { type Telling, toldWith } from "./admin-acts.ts";
import { forgetHabits } from "./connection-habits.ts";
import { limitsOf } from "./connection-limits.ts";
import { removeClients } from "./client-rows.ts";
import { type BoundedRows, onPage } from "./on-page.ts";

/** Makes the store of connections of a database. */
export function createConnectionStore(executor: Executor, dialect: Dialect): ConnectionStore {
  return {
    find: async (tenant, connection) => {
      const [found] = await executor.read(select(tenant, { behind: sql` AND connection = ${connection}` }));
      return found ?? null;
    },
    list: (tenant, page) => executor.read(select(tenant, onPage(sql`connection`, page))),
    add: (connection, act) =>
      executor.write((transaction) => insertConnection(connection, { transaction, act })),
    replace: (connection, before, act) =>
      executor.write((transaction) => update(connection, before, { transaction, act })),
    remove: (connection, act) =>
      executor.write((transaction) => remove(connection, dialect, { transaction, act })),
  };
}

function* select(
  tenant: string,
  { behind, most = sql`` }: Partial<BoundedRows> & Pick<BoundedRows, "behind">,
): Steps<readonly Connection[]> {
  const { rows } = yield sql`SELECT tenant, connection, created, state, profile, switches, limits, revision
    FROM connections WHERE tenant = ${tenant}${behind} ORDER BY connection${most}`;
  return rows.map(connectionOf);
}

/** Adds a connection, unless its tenant has one of this name. */
export function* insertConnection(row: Connection, telling: Telling): Steps<Outcome<boolean>> {
  const { changes } = yield sql`INSERT INTO connections
      (tenant, connection, created, state, profile, switches, limits, revision)
    VALUES (${row.tenant}, ${row.connection}, ${row.created}, ${row.state}, ${row.profile},
      ${switchesText(row)}, ${limitsText(row)}, ${row.revision})
    ON CONFLICT DO NOTHING`;
  // What ended behind the removal of one of this name may have left something.
  if (changes > 0) yield* forgetHabits(row);
  return yield* toldWith(telling, changes > 0);
}

function* update(row: Connection, before: number, telling: Telling): Steps<Outcome<boolean>> {
  const { changes } = yield sql`UPDATE connections SET state = ${row.state}, profile = ${row.profile},
      switches = ${switchesText(row)}, limits = ${limitsText(row)}, revision = ${row.revision}
    WHERE tenant = ${row.tenant} AND connection = ${row.connection} AND revision = ${before}`;
  return yield* toldWith(telling, changes > 0);
}

function* remove(
  { tenant, connection, revision }: Connection,
  dialect: Dialect,
  telling: Telling,
): Steps<Outcome<boolean>> {
  const { changes } = yield sql`DELETE FROM connections
    WHERE tenant = ${tenant} AND connection = ${connection} AND revision = ${revision}`;
  if (changes > 0) {
    yield sql`DELETE FROM tokens WHERE tenant = ${tenant} AND connection = ${connection}`;
    yield* removeClients(tenant, sql`connection = ${connection}`, dialect);
    yield* forgetHabits({ tenant, connection });
  }
  return yield* toldWith(telling, changes > 0);
}

function switchesText({ switches }: Connection): string {
  return JSON.stringify(writeSwitchFlips(switches));
}

function limitsText({ rate, guard, silentAfter }: Connection): string {
  return JSON.stringify({
    ...(rate === null ? {} : { rate }),
    ...(guard === null ? {} : { guard }),
    ...(silentAfter === null ? {} : { silentAfter }),
  });
}

function connectionOf(row: Row): Connection {
  return {
    tenant: textOf(row, "tenant"),
    connection: textOf(row, "connection"),
    created: textOf(row, "created"),
    // A state that a later release gives, this one does not know: such a connection is served by no request.
    state: textOf(row, "state") === "active" ? "active" : "suspended",
    profile: profileOf(textOrNullOf(row, "profile")),
    switches: switchesOf(textOf(row, "switches")),
    ...limitsOf(textOf(row, "limits")),
    revision: numberOf(row, "revision"),
  };
}

/** A profile of a later release is none that this program has: it takes the one that it is set to. */
function profileOf(text: string | null): ProfileName | null {
  return text !== null && isProfile(text) ? text : null;
}

function isProfile(text: string): text is ProfileName {
  return Object.hasOwn(PROFILES, text);
}

function switchesOf(text: string): readonly SwitchFlip[] {
  const texts: unknown = JSON.parse(text);
  if (!Array.isArray(texts)) return [];
  return texts.flatMap((each: unknown) => (typeof each === "string" ? knownSwitch(each) : []));
}

/** A switch of a later release is left out. */
function knownSwitch(text: string): readonly SwitchFlip[] {
  try {
    return readSwitchFlips([text]);
  } catch {
    return [];
  }
}
