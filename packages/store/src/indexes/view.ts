/**
 * What a process knows of the indexes of a resource type, and which of them a query may use.
 * @module
 */
import type { AttributeNode, TypeIndexes } from "@scim/core";
import type { RowSource } from "../resources/read.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, numberOf, type Steps } from "../steps.ts";

/** How far an index is. */
export type IndexState = "declared" | "building" | "ready" | "dropping";

/** What is known of a resource type of a tenant; a new object when it changes. */
export interface IndexView extends TypeIndexes {
  readonly states: ReadonlyMap<string, IndexState>;
}

/** Attributes that every program has indexed since the first migration, by resource type. */
const ALWAYS: ReadonlyMap<string, readonly string[]> = new Map([
  ["User", ["userName", "externalId", "displayName", "emails.value"]],
  ["Group", ["externalId", "displayName"]],
]);

/** Paths of a type that always have an index. */
export function alwaysIndexed(type: string): readonly string[] {
  return ALWAYS.get(type) ?? [];
}

/** A view of a type of which nothing is declared. */
export function emptyView(type: string): IndexView {
  return { revision: 0, declared: [], always: alwaysIndexed(type), states: new Map() };
}

/** The state of an attribute's index: none where nobody declared one. */
export function stateOf(view: IndexView, { path, indexed }: AttributeNode): IndexState | "none" {
  const state = view.states.get(path);
  if (state !== undefined) return state;
  return indexed && view.always.includes(path) ? "ready" : "none";
}

/** Whether an index must be looked after before it is used: not every program writes its entries. */
function isDeclared(view: IndexView, { path, indexed }: AttributeNode): boolean {
  return !(indexed && view.always.includes(path));
}

/** Which attributes a query finds by index. */
export type Serves = (node: AttributeNode) => boolean;

/** Which of the attributes that a query names are found by index, in the snapshot that it runs in. */
export function* servedAttributes(
  { tenant, type }: RowSource,
  view: IndexView,
  nodes: readonly AttributeNode[],
): Steps<Serves> {
  const ready = new Set(nodes.filter((node) => stateOf(view, node) === "ready"));
  const declared = [...ready].filter((node) => isDeclared(view, node));
  if (declared.length === 0) return (node) => ready.has(node);
  const { rows }: Answer = yield sql`SELECT ${revisionOf(tenant, type)} AS revision,
    (${unsettled({ tenant, type }, 1)}) AS unsettled`;
  const [row] = rows;
  const isSafe = row?.["unsettled"] === null && numberOf(row, "revision") === view.revision;
  if (!isSafe) for (const node of declared) ready.delete(node);
  return (node) => ready.has(node);
}

/** Whether the entries of all live resources of a type are those of their bodies, as far as they are declared. */
export function* isSettled(source: RowSource): Steps<boolean> {
  const { rows }: Answer = yield unsettled(source, 1);
  return rows.length === 0;
}

/** The resources whose entries may not be right. The order makes any planner take the index that holds them alone. */
export function unsettled({ tenant, type }: RowSource, limit: number): Sql {
  return sql`SELECT r.id FROM resources r WHERE r.tenant = ${tenant} AND r.type = ${type} AND r.deleted IS NULL
    AND r.indexed_version IS DISTINCT FROM r.version ORDER BY r.indexed_version, r.id LIMIT ${limit}`;
}

/** The revision of the catalog, as an expression. */
export function revisionOf(tenant: string, type: string): Sql {
  return sql`coalesce((SELECT v.revision FROM index_revisions v WHERE v.tenant = ${tenant} AND v.type = ${type}), 0)`;
}

/** What a query is told that an index is missing for, for operators; empty where none is on its way. */
export function unready(view: IndexView, nodes: readonly AttributeNode[]): string {
  const waiting = nodes.filter((node) => ["declared", "building"].includes(stateOf(view, node)));
  const names = [...new Set(waiting.map(({ path }) => path))];
  return names.length === 0 ? "" : `, the index of ${names.join(", ")} is being built`;
}
