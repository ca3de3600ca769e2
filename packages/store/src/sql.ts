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

/**
 * What a template becomes with parts of its own: one place in the code yields the same string each time, which is found
 * among the prepared statements by its hash without being read again.
 */
interface KnownText {
  text: string | null;
  /** By the text of the next part. */
  readonly next: Map<string, KnownText>;
}

interface Template extends KnownText {
  /** How many more texts are remembered: parts made of what clients ask for are without number. */
  room: number;
}

const MOST_KNOWN = 64;
const templates = new WeakMap<TemplateStringsArray, Template>();

/**
 * Builds a statement. A value in the template becomes a parameter; a part made by `sql` is put in its place.
 *
 * @example
 * sql`SELECT body FROM resources WHERE tenant = ${tenant} AND ${condition}`;
 */
export function sql(strings: TemplateStringsArray, ...values: readonly (SqlValue | Sql)[]): Sql {
  const params: SqlValue[] = [];
  const template = templateOf(strings);
  let known: KnownText | null = template;
  for (const value of values) {
    if (isSql(value)) {
      known = known === null ? null : knownWith(template, known, value.text);
      params.push(...value.params);
    } else {
      params.push(value);
    }
  }
  const text = known?.text ?? textWith(strings, values);
  if (known !== null) known.text = text;
  return { text, params };
}

function templateOf(strings: TemplateStringsArray): Template {
  const known = templates.get(strings);
  if (known !== undefined) return known;
  const made = { text: null, next: new Map<string, KnownText>(), room: MOST_KNOWN };
  templates.set(strings, made);
  return made;
}

/** What is known of a template behind one more part; null where no more is remembered. */
function knownWith(template: Template, { next }: KnownText, part: string): KnownText | null {
  const known = next.get(part);
  if (known !== undefined) return known;
  if (template.room === 0) return null;
  template.room -= 1;
  const made: KnownText = { text: null, next: new Map<string, KnownText>() };
  next.set(part, made);
  return made;
}

function textWith(strings: TemplateStringsArray, values: readonly (SqlValue | Sql)[]): string {
  return strings.reduce((text, string, index) => {
    const value = values[index - 1];
    return text + (value !== undefined && isSql(value) ? value.text : "?") + string;
  });
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
