/**
 * Checks statements against what a database that is distributed by tenant asks of them, as Citus does: each table
 * that a statement names is held to one and the same tenant, by a value or by a join on the tenant within the same query:
 * a query within another that is held by rows around it alone is asked of all nodes. Citus takes no query
 * among VALUES, and where rows of a table are inserted with another tenant than that of their table, it fetches them
 * first, and counts those that were there already.
 * @module
 */
import type { Sql } from "../../src/sql.ts";

/** A word, a sign or a parameter of a statement. */
interface Token {
  readonly text: string;
  /** Which parameter it is, from 0; -1 where it is none. */
  readonly parameter: number;
}

type Node = Token | readonly Node[];

/**
 * What is wrong with a statement.
 * @param tables names of the tables that have a tenant
 */
export function tenantFaults({ text, params }: Sql, tables: ReadonlySet<string>): readonly string[] {
  const check: Check = { tables, faults: [], tenants: new Set() };
  checkQuery(parse(text), check);
  const values = new Set([...check.tenants].map((parameter) => params[parameter]));
  return values.size > 1 ? [...check.faults, "names several tenants"] : check.faults;
}

interface Check {
  readonly tables: ReadonlySet<string>;
  readonly faults: string[];
  /** Parameters that tables are held to. */
  readonly tenants: Set<number>;
}

/** What the tables of a query are held to: a parameter by alias. */
type Held = ReadonlyMap<string, number>;

const TOKEN = /'(?:[^']|'')*'|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?|\d+|[^\s]/g;

function parse(text: string): readonly Node[] {
  const stack: Node[][] = [[]];
  let parameters = 0;
  for (const [word] of text.matchAll(TOKEN)) {
    const inner = stack.at(-1) ?? [];
    if (word === "(") stack.push([]);
    else if (word === ")") {
      stack.pop();
      stack.at(-1)?.push(inner);
    } else inner.push({ text: word, parameter: word === "?" ? parameters++ : -1 });
  }
  return stack[0] ?? [];
}

const QUERY = new Set(["SELECT", "WITH", "INSERT", "UPDATE", "DELETE"]);
const COMBINES = new Set(["UNION", "EXCEPT", "INTERSECT"]);

function isQuery(nodes: readonly Node[]): boolean {
  const [first] = nodes;
  return first !== undefined && (isGroup(first) ? isQuery(first) : QUERY.has(first.text.toUpperCase()));
}

function isGroup(node: Node | undefined): node is readonly Node[] {
  return Array.isArray(node);
}

function wordOf(node: Node | undefined): string {
  return node === undefined || isGroup(node) ? "" : node.text.toUpperCase();
}

/** Splits at words of one level. */
function split(nodes: readonly Node[], at: (word: string) => boolean): readonly (readonly Node[])[] {
  const parts: Node[][] = [[]];
  for (const node of nodes) {
    if (at(wordOf(node))) parts.push([]);
    else parts.at(-1)?.push(node);
  }
  return parts;
}

/** A query within another is held by itself: rows around it tell of a tenant too late to choose a node by. */
function checkQuery(nodes: readonly Node[], check: Check): void {
  for (const part of split(nodes, (word) => COMBINES.has(word))) checkPart(part, check);
}

function checkPart(nodes: readonly Node[], check: Check): void {
  const queries: (readonly Node[])[] = [];
  const words = flatten(nodes, queries);
  const named = namedTables(words, check.tables);
  const held = heldTables(words, named);
  for (const [alias, table] of named) {
    const parameter = held.get(alias);
    if (parameter === undefined) check.faults.push(`${table} ${alias} is held to no tenant`);
    else check.tenants.add(parameter);
  }
  checkInsert(nodes, held, check);
  for (const query of queries) checkQuery(query, check);
}

/** The words of a query without those of the queries in it, which are put aside. */
function flatten(nodes: readonly Node[], queries: (readonly Node[])[]): readonly Token[] {
  return nodes.flatMap((node) => {
    if (!isGroup(node)) return [node];
    if (!isQuery(node)) return flatten(node, queries);
    queries.push(node);
    return [{ text: "(query)", parameter: -1 }];
  });
}

/** Tables by alias. The target of an INSERT is not among them. */
function namedTables(words: readonly Token[], tables: ReadonlySet<string>): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  words.forEach(({ text }, at) => {
    if (!tables.has(text) || !namesTable(words, at)) return;
    const next = words[at + 1]?.text ?? "";
    const alias = next.toUpperCase() === "AS" ? (words[at + 2]?.text ?? "") : next;
    named.set(/^[a-z]\w*$/.test(alias) ? alias : text, text);
  });
  return named;
}

function namesTable(words: readonly Token[], at: number): boolean {
  const before = words[at - 1]?.text.toUpperCase() ?? "";
  // DO UPDATE and FOR UPDATE are followed by no table.
  return ["FROM", "JOIN", "UPDATE", ",", "USING"].includes(before);
}

function heldTables(words: readonly Token[], named: ReadonlyMap<string, string>): Held {
  const held = new Map<string, number>();
  const [only] = named.size === 1 ? named.keys() : [];
  const ownerOf = (text: string | undefined): string | undefined => {
    if (text === "tenant") return only;
    return text?.endsWith(".tenant") === true ? text.slice(0, -".tenant".length) : undefined;
  };
  // Twice: a join may stand before the condition that holds its other side.
  for (let turn = 0; turn < 2; turn += 1) {
    words.forEach(({ text }, at) => {
      const owner = ownerOf(text);
      const right = words[at + 2];
      if (owner === undefined || words[at + 1]?.text !== "=" || right === undefined) return;
      const other = ownerOf(right.text) ?? "";
      const parameter = right.parameter >= 0 ? right.parameter : held.get(other);
      if (parameter !== undefined) held.set(owner, parameter);
      const own = held.get(owner);
      if (own !== undefined && other !== "") held.set(other, own);
    });
  }
  return held;
}

function checkInsert(nodes: readonly Node[], held: Held, check: Check): void {
  const into = nodes.findIndex((node) => wordOf(node) === "INTO");
  const table = nodes[into + 1];
  if (into < 0 || table === undefined || isGroup(table) || !check.tables.has(table.text)) return;
  const place = placeOfTenant(nodes[into + 2]);
  const source = nodes.slice(into + 3);
  const rows = insertedRows(source);
  for (const row of rows) {
    const value = row[place]?.[0];
    const parameter = value === undefined || isGroup(value) ? undefined : tenantOf(value, held);
    if (parameter === undefined) check.faults.push(`${table.text} is given a row of no tenant`);
    else check.tenants.add(parameter);
  }
  checkSource(table.text, { source, tenants: rows.map((row) => row[place]?.[0]) }, check);
  const conflict = nodes.findIndex((node) => wordOf(node) === "CONFLICT");
  const target = nodes[conflict + 1];
  if (conflict >= 0 && isGroup(target) && placeOfTenant(target) < 0)
    check.faults.push(`${table.text} has a conflict target without tenant`);
}

/** Where inserted rows come from, and what is the tenant of each. */
interface InsertSource {
  readonly source: readonly Node[];
  readonly tenants: readonly (Node | undefined)[];
}

function checkSource(table: string, { source, tenants }: InsertSource, check: Check): void {
  if (wordOf(source[0]) === "VALUES") {
    if (holdsQuery(source)) check.faults.push(`${table} is given a query among values`);
    return;
  }
  const readsTable = source.some((node) => wordOf(node) === "FROM");
  if (
    readsTable &&
    tenants.some((tenant) => tenant !== undefined && !isGroup(tenant) && tenant.parameter >= 0)
  )
    check.faults.push(`${table} is given rows of a table, and not its tenant`);
}

/** Whether there is a query within brackets. */
function holdsQuery(nodes: readonly Node[]): boolean {
  return nodes.some((node) => isGroup(node) && (isQuery(node) || holdsQuery(node)));
}

function tenantOf({ text, parameter }: Token, held: Held): number | undefined {
  return parameter >= 0 ? parameter : held.get(text.replace(/\.?tenant$/, ""));
}

function placeOfTenant(columns: Node | undefined): number {
  if (!isGroup(columns)) return -1;
  return split(columns, (word) => word === ",").findIndex(([column]) => wordOf(column) === "TENANT");
}

/** The rows of VALUES, or the columns of the SELECT in their place. */
function insertedRows(nodes: readonly Node[]): readonly (readonly (readonly Node[])[])[] {
  const comma = (word: string): boolean => word === ",";
  if (wordOf(nodes[0]) === "VALUES") {
    const end = nodes.findIndex((node, at) => at > 0 && !isGroup(node) && node.text !== ",");
    return nodes
      .slice(1, end < 0 ? undefined : end)
      .filter(isGroup)
      .map((row) => split(row, comma));
  }
  const from = nodes.findIndex((node) => wordOf(node) === "FROM");
  return [split(nodes.slice(1, from < 0 ? undefined : from), comma)];
}
