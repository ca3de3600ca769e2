/**
 * What the service served a tenant by when it last started, in SQL.
 * @module
 */
import type { ServedDefinitions } from "@scim/tenancy";
import { sql } from "../sql.ts";
import { type Answer, numberOf, type Outcome, type Steps, textOf } from "../steps.ts";

/** What was served last; null where no start has told. */
export function* served(tenant: string): Steps<ServedDefinitions | null> {
  const { rows }: Answer = yield sql`SELECT definitions, revision FROM served_definitions
    WHERE tenant = ${tenant}`;
  const [row] = rows;
  if (row === undefined) return null;
  // Written below, of definitions that a registry had accepted.
  const definitions = JSON.parse(textOf(row, "definitions")) as Pick<
    ServedDefinitions,
    "served" | "remembered"
  >;
  return { tenant, ...definitions, revision: numberOf(row, "revision") };
}

/** Writes what is served, where the stored one has the revision before. */
export function* recordServed(definitions: ServedDefinitions): Steps<Outcome<boolean>> {
  const { tenant, served: now, remembered, revision } = definitions;
  const text = JSON.stringify(now);
  // At first they are the same, and with hundreds of types it takes some time to write them.
  const whole = `{"served":${text},"remembered":${remembered === now ? text : JSON.stringify(remembered)}}`;
  const { changes }: Answer =
    revision === 1
      ? yield sql`INSERT INTO served_definitions (tenant, definitions, revision)
          VALUES (${tenant}, ${whole}, ${revision}) ON CONFLICT DO NOTHING`
      : yield sql`UPDATE served_definitions SET definitions = ${whole}, revision = ${revision}
          WHERE tenant = ${tenant} AND revision = ${revision - 1}`;
  return { keep: changes > 0, result: changes > 0 };
}
