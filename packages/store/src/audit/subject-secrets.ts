/**
 * The secrets that values of resources are hashed with in the audit log: one for each resource that has entries.
 * @module
 */
import type { SecretOf } from "@scim/events";
import type { Dialect } from "../dialect.ts";
import type { UnlinkedEvent } from "../events/read-events.ts";
import { insertions } from "../imports/many-rows.ts";
import type { SqlValue } from "../sql.ts";
import type { BatchStatement } from "../steps.ts";

/** The secrets of the resources of some events. Whoever makes new ones holds the tenant's row in `event_heads`. */
export class SubjectSecrets {
  /** By type, by id. */
  readonly #known = new Map<string, Map<string, string>>();
  readonly #made: (readonly [id: string, type: string, secret: string])[] = [];
  readonly #newSecret: () => string;

  constructor(events: readonly UnlinkedEvent[], newSecret: () => string) {
    for (const { event, secret } of events) {
      if (secret !== null) this.#ofType(event.type).set(event.id, secret);
    }
    this.#newSecret = newSecret;
  }

  /** The secret of a resource, made where it has none. */
  readonly of: SecretOf = (type, id) => {
    const ofType = this.#ofType(type);
    const known = ofType.get(id);
    if (known !== undefined) return known;
    const secret = this.#newSecret();
    ofType.set(id, secret);
    this.#made.push([id, type, secret]);
    return secret;
  };

  /** The statements that keep what was made. */
  keep(tenant: string, { orRollBack }: Pick<Dialect, "orRollBack">): readonly BatchStatement[] {
    const made = this.#made;
    const write = (row: number, params: SqlValue[]): string => {
      const [id = "", type = "", secret = ""] = made[row] ?? [];
      params.push(tenant, id, type, secret);
      return "(?, ?, ?, ?)";
    };
    const into = `INSERT${orRollBack} INTO subject_secrets (tenant, id, type, secret)`;
    return [...insertions({ into, rows: made.length, write, known: "fails" })];
  }

  #ofType(type: string): Map<string, string> {
    const known = this.#known.get(type) ?? new Map<string, string>();
    this.#known.set(type, known);
    return known;
  }
}
