/**
 * Signing keys in SQL: rows of the tenant of the administration.
 * @module
 */
import type { SigningKey, SigningKeyStore } from "@scim/events";
import { isJsonObject, type JsonValue } from "@scim/schemas";
import { ADMIN_TENANT } from "@scim/tenancy";
import type { Dialect } from "../dialect.ts";
import { sql } from "../sql.ts";
import { type Answer, type Executor, type Outcome, type Row, type Steps, textOf } from "../steps.ts";
import { type Decided, tellSigningKey } from "./told-receivers.ts";

/** Makes the store of signing keys of a database. */
export function createSigningKeyStore(
  executor: Pick<Executor, "read" | "write">,
  dialect: Pick<Dialect, "administratorLock">,
): SigningKeyStore {
  return {
    list: () => executor.read(readKeys()),
    add: (key, before, decision) =>
      executor.write((transaction) => insert(key, before, { transaction, decision })),
    addBehind: (last, key, before) => executor.write(() => insertBehind(dialect, last, { key, before })),
    removeReplaced: (at) => executor.write(() => removeReplaced(at)),
  };
}

function* readKeys(): Steps<readonly SigningKey[]> {
  const { rows }: Answer = yield sql`SELECT id, public_key, sealed, created, signs_from FROM signing_keys
    WHERE tenant = ${ADMIN_TENANT} ORDER BY signs_from, id`;
  return rows.map(keyOf);
}

function* insert(key: SigningKey, before: string, decided: Decided): Steps<Outcome<void>> {
  yield* write({ key, before });
  yield* tellSigningKey(decided, key);
  return { keep: true, result: undefined };
}

/** A key, and when those sign that would sign with it or later. */
interface AddedKey {
  readonly key: SigningKey;
  readonly before: string;
}

// The column `retires` is of the previous release: ends follow from when the next key signs.
function* write({ key, before }: AddedKey): Steps<void> {
  yield sql`UPDATE signing_keys SET signs_from = ${before}
    WHERE tenant = ${ADMIN_TENANT} AND signs_from >= ${key.signsFrom}`;
  yield sql`INSERT INTO signing_keys (tenant, id, public_key, sealed, created, signs_from)
    VALUES (${ADMIN_TENANT}, ${key.id}, ${JSON.stringify(key.publicKey)}, ${key.sealed}, ${key.created},
      ${key.signsFrom})`;
}

function* insertBehind(
  { administratorLock }: Pick<Dialect, "administratorLock">,
  last: string | null,
  added: AddedKey,
): Steps<Outcome<boolean>> {
  // Held before they are looked at, also where there is none yet: who waited for another process sees what that added.
  if (administratorLock !== null) yield administratorLock;
  const { rows }: Answer = yield sql`SELECT id FROM signing_keys WHERE tenant = ${ADMIN_TENANT}
    ORDER BY signs_from DESC, id DESC LIMIT 1`;
  const [row] = rows;
  const isLast = (row === undefined ? null : textOf(row, "id")) === last;
  if (isLast) yield* write(added);
  return { keep: isLast, result: isLast };
}

function* removeReplaced(at: string): Steps<Outcome<void>> {
  yield sql`DELETE FROM signing_keys WHERE tenant = ${ADMIN_TENANT} AND (signs_from, id) <
    (SELECT signs_from, id FROM signing_keys WHERE tenant = ${ADMIN_TENANT} AND signs_from <= ${at}
      ORDER BY signs_from DESC, id DESC LIMIT 1)`;
  return { keep: true, result: undefined };
}

function keyOf(row: Row): SigningKey {
  // Any JSON text is a JSON value.
  const publicKey = JSON.parse(textOf(row, "public_key")) as JsonValue;
  return {
    id: textOf(row, "id"),
    publicKey: isJsonObject(publicKey) ? publicKey : {},
    sealed: textOf(row, "sealed"),
    created: textOf(row, "created"),
    signsFrom: textOf(row, "signs_from"),
  };
}
