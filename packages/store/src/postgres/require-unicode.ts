/**
 * Makes sure that a new database can hold all text.
 * @module
 */
import type { Client } from "pg";
import { StoreError } from "../errors.ts";

/** @throws StoreError `databaseUnusable` where the encoding of the database is another than UTF-8 */
export async function requireUnicode(client: Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(
    "SELECT current_setting('server_encoding') AS encoding",
  );
  const encoding = rows[0]?.encoding ?? "";
  if (encoding === "UTF8") return;
  throw new StoreError(
    "databaseUnusable",
    `The encoding of the database is ${encoding}, and it must be UTF8 to hold every name; make it anew with: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`,
  );
}
