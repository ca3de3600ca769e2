/**
 * Statements as text and parameters: values are always bound, never written into the text.
 * @module
 */

/** What a database column holds. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** A statement or a part of one. Parameters stand as `?` in the text, in order. */
export interface Sql {
  readonly text: string;
  readonly params: readonly SqlValue[];
}

/** Texts of templates without parts of their own, so that one place in the code always yields the same string. */
const constantTexts = new WeakMap<TemplateStringsArray, string>();

/**
 * Builds a statement. A value in the template becomes a parameter; a part made by `sql` is put in its place.
 *
 * @example
 * sql`SELECT body FROM resources WHERE tenant = ${tenant} AND ${condition}`;
 */
export function sql(strings: TemplateStringsArray, ...values: readonly (SqlValue | Sql)[]): Sql {
  const params: SqlValue[] = [];
  const parts: string[] = [];
  let constant = true;
  values.forEach((value, index) => {
    parts.push(strings[index] ?? "");
    if (isSql(value)) {
      constant = false;
      parts.push(value.text);
      params.push(...value.params);
    } else {
      parts.push("?");
      params.push(value);
    }
  });
  parts.push(strings[values.length] ?? "");
  return { text: constant ? constantText(strings) : parts.join(""), params };
}

/** Puts parts together with a separator. */
export function joinSql(parts: readonly Sql[], separator: string): Sql {
  return {
    text: parts.map((part) => part.text).join(separator),
    params: parts.flatMap((part) => part.params),
  };
}

/** A condition that always or never holds. */
export function constantSql(value: boolean): Sql {
  return value ? TRUE : FALSE;
}

const TRUE: Sql = { text: "1 = 1", params: [] };
const FALSE: Sql = { text: "1 = 0", params: [] };

function isSql(value: SqlValue | Sql): value is Sql {
  return typeof value === "object" && value !== null && "text" in value;
}

function constantText(strings: TemplateStringsArray): string {
  const known = constantTexts.get(strings);
  if (known !== undefined) return known;
  const text = strings.join("?");
  constantTexts.set(strings, text);
  return text;
}
