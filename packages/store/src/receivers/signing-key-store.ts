/**
 * Signing keys in SQL: rows of the tenant of the administration.
 * @module
 */
import type { SigningKey, SigningKeyStore } from "@scim/events";
import { isJsonObject, type JsonValue } from "@scim/schemas";
import { ADMIN_TENANT } from "@scim/tenancy";
import { sql } from "../sql.ts";
import {
  type Answer,
  type Executor,
  type Outcome,
  type Row,
  type Steps,
  textOf,
  textOrNullOf,
} from "../steps.ts";
import { type Decided, tellSigningKey } from "./told-receivers.ts";

/** Makes the store of signing keys of a database. */
export function createSigningKeyStore(executor: Pick<Executor, "read" | "write">): SigningKeyStore {
  return {
    list: () => executor.read(readKeys()),
    add: (key, retires, decision) =>
      executor.write((transaction) => insert(key, retires, { transaction, decision })),
    removeRetired: (at) => executor.write(() => removeRetired(at)),
  };
}

function* readKeys(): Steps<readonly SigningKey[]> {
  const { rows }: Answer =
    yield sql`SELECT id, public_key, sealed, created, signs_from, retires FROM signing_keys
    WHERE tenant = ${ADMIN_TENANT} ORDER BY signs_from, id`;
  return rows.map(keyOf);
}

function* insert(key: SigningKey, retires: string, decided: Decided): Steps<Outcome<void>> {
  yield sql`UPDATE signing_keys SET retires = ${retires} WHERE tenant = ${ADMIN_TENANT} AND retires IS NULL`;
  yield sql`INSERT INTO signing_keys (tenant, id, public_key, sealed, created, signs_from, retires)
    VALUES (${ADMIN_TENANT}, ${key.id}, ${JSON.stringify(key.publicKey)}, ${key.sealed}, ${key.created},
      ${key.signsFrom}, ${key.retires})`;
  yield* tellSigningKey(decided, key);
  return { keep: true, result: undefined };
}

function* removeRetired(at: string): Steps<Outcome<void>> {
  yield sql`DELETE FROM signing_keys WHERE tenant = ${ADMIN_TENANT} AND retires <= ${at}`;
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
    retires: textOrNullOf(row, "retires"),
  };
}
