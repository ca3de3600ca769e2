/**
 * Statements whose text is always the same.
 * @module
 */
import type { Dialect } from "./dialect.ts";
import type { Sql, SqlValue } from "./sql.ts";

/** The values of a statement, by name. */
type Values<Name extends string> = Readonly<Record<Name, SqlValue>>;

/** The text of a statement, and what is bound in each of its places: a value by its name, or what is always bound. */
interface Fixed<Name extends string> {
  readonly text: string;
  readonly places: readonly (Name | { readonly always: SqlValue })[];
}

/**
 * A statement that is built once for each dialect, and not for each run: one that most requests run.
 * @param names of the values that it is given
 * @param build must use the values as parameters alone
 *
 * @example
 * const bodyOf = fixedSql(
 *   ["tenant", "id"],
 *   (_dialect, { tenant, id }) => sql`SELECT body FROM resources WHERE tenant = ${tenant} AND id = ${id}`,
 * );
 * const { text, params } = bodyOf(dialect, { tenant: "acme", id: "2819c223" });
 */
export function fixedSql<Name extends string>(
  names: readonly Name[],
  build: (dialect: Dialect, values: Values<Name>) => Sql,
): (dialect: Dialect, values: Values<Name>) => Sql {
  const known = new WeakMap<Dialect, Fixed<Name>>();
  return (dialect, values) => {
    const fixed = known.get(dialect) ?? fixedOf(names, (marks) => build(dialect, marks));
    known.set(dialect, fixed);
    const params = fixed.places.map((place) => (typeof place === "string" ? values[place] : place.always));
    return { text: fixed.text, params };
  };
}

/** Builds a statement of marks: nothing else is one of them, so that each is found again among the parameters. */
function fixedOf<Name extends string>(
  names: readonly Name[],
  build: (marks: Values<Name>) => Sql,
): Fixed<Name> {
  const named = new Map(names.map((name): [SqlValue, Name] => [new Uint8Array(), name]));
  const marks = Object.fromEntries([...named].map(([mark, name]) => [name, mark])) as Values<Name>;
  const { text, params } = build(marks);
  const places = params.map((value) => named.get(value) ?? { always: value });
  return { text, places };
}
