/**
 * Who holds a unique value that another resource lacks.
 * @module
 */
import type { UniqueEntry } from "@scim/core";
import type { RowSource } from "../resources/read.ts";
import { parseObject } from "../resources/rows.ts";
import { sql } from "../sql.ts";
import { type Answer, type Steps, textOf } from "../steps.ts";
import type { CompareSetting } from "./compare-resources.ts";
import { uniqueRowName } from "./stored-rows.ts";

/** The id of a live resource that holds a value, and has it; null where nobody does, or holds it for nothing. */
export function* rightfulHolder(
  { dialect, source }: CompareSetting,
  { tenant }: RowSource,
  entry: UniqueEntry,
): Steps<string | null> {
  const { keys } = dialect;
  const { rows }: Answer = yield sql`SELECT r.type, r.id, r.connection, r.body
    FROM unique_values u CROSS JOIN resources r
    WHERE u.tenant = ${tenant} AND u.scope = ${entry.scope} AND u.path = ${entry.path}
      AND u.key = ${keys.bounded(entry.key)}
      AND r.tenant = ${tenant} AND r.type = u.type AND r.id = u.id AND r.deleted IS NULL`;
  const [row] = rows;
  if (row === undefined) return null;
  const resource = { connection: textOf(row, "connection"), body: parseObject(textOf(row, "body")) };
  const values = source.values(textOf(row, "type"), resource);
  // Of what the service does not know, nobody can tell that it is wrong.
  if (values === null) return textOf(row, "id");
  const name = uniqueRowName(keys, entry);
  const has = [...values.demanded, ...values.ruled].some((each) => uniqueRowName(keys, each) === name);
  return has ? textOf(row, "id") : null;
}
