/**
 * Removes the rows that are a subject's own: its tombstone with everything beside it, its secrets, and its tokens.
 * @module
 */
import type { ErasedRows, Subject } from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { ownRows, removeRows } from "../resources/collections.ts";
import { sql } from "../sql.ts";
import { removeHashes } from "../secrets/hash-rows.ts";
import type { Answer, Outcome, Steps } from "../steps.ts";
import { eraseGuardNames } from "./guard-names.ts";
import { ofType, typesMeant } from "./subjects.ts";

/** Rows that go in the one transaction. */
type OwnRows = Pick<ErasedRows, "resources" | "tokens" | "secrets">;

/**
 * Removes them. Nobody gives positions to the tenant's events meanwhile: an entry that is linked beside this would bring
 * a secret back. Events without position lose their content here, so that they are never hashed.
 */
export function* removeSubject(dialect: Dialect, subject: Subject): Steps<Outcome<OwnRows>> {
  const { tenant, id } = subject;
  const typed = ofType(subject);
  // Whoever gives the first ones makes the row that all others hold.
  yield sql`INSERT INTO event_heads (tenant, position) VALUES (${tenant}, 0) ON CONFLICT DO NOTHING`;
  yield sql`SELECT position FROM event_heads WHERE tenant = ${tenant} ${dialect.lockedRows}`;
  let resources = 0;
  for (const type of yield* typesMeant(subject)) {
    yield* eraseGuardNames(dialect, { tenant, id }, type);
    resources += yield* removeResource({ tenant, type, id });
  }
  yield sql`UPDATE events SET before = NULL, after = NULL, changed = '[]', collections = NULL
    WHERE tenant = ${tenant} AND position IS NULL AND id = ${id}${typed}`;
  // Of a request whose process died, for a day.
  yield sql`UPDATE staged_references SET rest = '{}', settled = NULL WHERE tenant = ${tenant} AND value = ${id}`;
  // What a guard holds of it shows pseudonyms, which who has the keys can guess.
  yield sql`DELETE FROM guard_held WHERE tenant = ${tenant} AND resource = ${id}${typed}`;
  const secrets: Answer =
    yield sql`DELETE FROM subject_secrets WHERE tenant = ${tenant} AND id = ${id}${typed}`;
  const tokens: Answer = yield sql`DELETE FROM tokens WHERE tenant = ${tenant} AND subject = ${id}`;
  return {
    keep: true,
    result: { resources, secrets: secrets.changes, tokens: tokens.changes },
  };
}

/** A live resource stays: it came back meanwhile, and is somebody's wish. */
function* removeResource({ tenant, type, id }: Subject & { readonly type: string }): Steps<number> {
  const { changes }: Answer = yield sql`DELETE FROM resources
    WHERE tenant = ${tenant} AND type = ${type} AND id = ${id} AND deleted IS NOT NULL`;
  if (changes === 0) return 0;
  yield removeHashes({ tenant, type, id });
  yield* removeRows(ownRows({ tenant, type, owner: id }));
  yield sql`DELETE FROM attribute_index WHERE tenant = ${tenant} AND type = ${type} AND id = ${id}`;
  yield sql`DELETE FROM unique_values WHERE tenant = ${tenant} AND type = ${type} AND id = ${id}`;
  return changes;
}
