/**
 * The secrets that values of resources are hashed with in the audit log: one for each resource that has entries.
 * @module
 */
import type { FeedEvent } from "@scim/core";
import type { AuditChain, SecretOf } from "@scim/events";
import type { Dialect } from "../dialect.ts";
import { insertions } from "../imports/many-rows.ts";
import { sql, type SqlValue } from "../sql.ts";
import { type Answer, type BatchStatement, type Steps, textOf } from "../steps.ts";

/** The secrets of some resources of a tenant. */
export class SubjectSecrets {
  readonly #known: Map<string, string>;
  readonly #made: (readonly [id: string, type: string, secret: string])[] = [];
  readonly #newSecret: () => string;

  constructor(known: Map<string, string>, newSecret: () => string) {
    this.#known = known;
    this.#newSecret = newSecret;
  }

  /** The secret of a resource, made where it has none. */
  readonly of: SecretOf = (type, id) => {
    const name = nameOf(type, id);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const secret = this.#newSecret();
    this.#known.set(name, secret);
    this.#made.push([id, type, secret]);
    return secret;
  };

  /** The statements that keep what was made since they were asked for last. */
  keep(tenant: string, { orRollBack }: Pick<Dialect, "orRollBack">): readonly BatchStatement[] {
    const made = this.#made.splice(0);
    const write = (row: number, params: SqlValue[]): string => {
      const [id = "", type = "", secret = ""] = made[row] ?? [];
      params.push(tenant, id, type, secret);
      return "(?, ?, ?, ?)";
    };
    const into = `INSERT${orRollBack} INTO subject_secrets (tenant, id, type, secret)`;
    return [...insertions({ into, rows: made.length, write, known: "fails" })];
  }
}

/** Reads the secrets of the resources of events. Whoever makes new ones holds the tenant's row in `event_heads`. */
export function* readSubjectSecrets(
  { audit, dialect }: { readonly audit: AuditChain; readonly dialect: Pick<Dialect, "idList"> },
  tenant: string,
  events: readonly FeedEvent[],
): Steps<SubjectSecrets> {
  const ids = [...new Set(events.map(({ id }) => id))];
  const { rows }: Answer = yield sql`SELECT s.id, s.type, s.secret
    FROM ${dialect.idList(ids)} l CROSS JOIN subject_secrets s WHERE s.tenant = ${tenant} AND s.id = l.value`;
  const known = new Map(
    rows.map((row) => [nameOf(textOf(row, "type"), textOf(row, "id")), textOf(row, "secret")]),
  );
  return new SubjectSecrets(known, audit.newSecret);
}

function nameOf(type: string, id: string): string {
  return `${type} ${id}`;
}
