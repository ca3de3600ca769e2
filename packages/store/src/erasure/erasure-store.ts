/**
 * Erasures in SQL, for any database that an executor runs statements on.
 * @module
 */
import type { ChangeOrigin } from "@scim/core";
import type { ErasedRows, Erasure, ErasureOrder, ErasureStore, Subject } from "@scim/events";
import { ScimError } from "@scim/schemas";
import type { AdminAct } from "@scim/tenancy";
import type { Dialect } from "../dialect.ts";
import { sql } from "../sql.ts";
import {
  type Answer,
  type Executor,
  type Outcome,
  type Steps,
  textOf,
  type WriteTransaction,
} from "../steps.ts";
import {
  begunSubjects,
  forgetErased,
  hasErasedLately,
  noteBegun,
  noteEnded,
} from "../requests/erased-lately.ts";
import { toldWith } from "../tenancy/admin-acts.ts";
import { eraseCopies } from "./copies.ts";
import { eraseEvents } from "./events.ts";
import { eraseLateRequests, eraseRequests } from "./requests.ts";
import { isKnown, liveTypes, subjectIds, typesOf, typesOfSubject } from "./subjects.ts";
import { removeSubject } from "./subject-rows.ts";

/** What erasures are done with. */
export interface ErasureSetting {
  readonly executor: Executor;
  readonly dialect: Dialect;
  /** Takes what was removed out of the log of the database too; resolves to whether it could. Default: nothing has to be done. */
  readonly scrub?: () => Promise<boolean>;
}

/** Makes the erasures of a database. */
export function createErasureStore(setting: ErasureSetting): ErasureStore {
  const { executor } = setting;
  return {
    liveTypes: (subject) => executor.read(liveTypes(subject)),
    isKnown: (subject) => isKnown(executor, subject),
    types: (subject) => typesOfSubject(executor, subject),
    tenantTypes: (tenant) => executor.read(typesOf(tenant)),
    begin: (subject, at) => begin(executor, subject, at),
    erase: (order) => erase(setting, order),
    eraseLate: (subject) => eraseLate(setting, subject),
    end: (subject, at) => executor.write(() => noteEnded(subject, at)),
    begun: (tenant, before) => executor.read(begunSubjects(tenant, before)),
    tidy: (tenant, before) => tidy(setting, tenant, before),
    ids: (tenant) => subjectIds(executor, tenant),
    add: async (erasure, origin) => {
      await executor.write((transaction) => add(erasure, { transaction, origin }));
    },
    list: (tenant, after, limit) => executor.read(list(tenant, after, limit)),
    has: (erasure) => executor.read(has(erasure)),
  };
}

async function begin(executor: Executor, subject: Subject, at: string): Promise<void> {
  if (await executor.write(() => noteBegun(subject, at))) return;
  throw new ScimError(
    "unavailable",
    "The erasure of a resource of another type with this id has not ended: wait for its end, or erase that one again first.",
    { headers: { "retry-after": "1" } },
  );
}

/** What others hold comes first: it is found by the id, which stays where it is referred to. */
async function erase(setting: ErasureSetting, order: ErasureOrder): Promise<ErasedRows> {
  const copies = await eraseCopies(setting, order);
  const removed = await setting.executor.write(() => removeSubject(setting.dialect, order.subject));
  const requests = await eraseRequests(setting, order.subject);
  const events = await eraseEvents(setting, order.subject);
  return { ...removed, copies, requests, events };
}

/** What waited for its turn to be written is gone through at last. */
async function eraseLate(setting: ErasureSetting, subject: Subject): Promise<number> {
  const removed = await eraseLateRequests(setting, subject);
  await setting.scrub?.();
  return removed;
}

async function tidy({ executor, scrub }: ErasureSetting, tenant: string, before: string): Promise<void> {
  if (!(await executor.read(hasErasedLately(tenant)))) return;
  const isScrubbed = (await scrub?.()) ?? true;
  // Whoever was erased stays noted until nothing is left.
  if (isScrubbed) await executor.write(() => forgetErased(tenant, before));
}

interface Adding {
  readonly transaction: WriteTransaction;
  readonly origin: ChangeOrigin;
}

function* add(erasure: Erasure, { transaction, origin }: Adding): Steps<Outcome<boolean>> {
  const { tenant, subject, key, at } = erasure;
  const { changes }: Answer = yield sql`INSERT INTO erasures (tenant, subject, key_id, at)
    VALUES (${tenant}, ${subject}, ${key}, ${at})
    ON CONFLICT (tenant, subject) DO UPDATE SET at = excluded.at WHERE erasures.at < excluded.at`;
  const act: AdminAct = {
    at,
    origin,
    kind: "created",
    type: "Erasure",
    id: `${tenant}/${subject}`,
    before: null,
    after: { tenant },
    revision: 1,
  };
  return yield* toldWith({ transaction, act }, changes > 0);
}

function* list(tenant: string, after: string, limit: number): Steps<readonly Erasure[]> {
  const { rows }: Answer = yield sql`SELECT subject, key_id, at FROM erasures
    WHERE tenant = ${tenant} AND subject > ${after} ORDER BY subject LIMIT ${limit}`;
  return rows.map((row) => ({
    tenant,
    subject: textOf(row, "subject"),
    key: textOf(row, "key_id"),
    at: textOf(row, "at"),
  }));
}

function* has({ tenant, subject, at }: Omit<Erasure, "key">): Steps<boolean> {
  const { rows }: Answer = yield sql`SELECT subject FROM erasures
    WHERE tenant = ${tenant} AND subject = ${subject} AND at >= ${at}`;
  return rows.length > 0;
}
