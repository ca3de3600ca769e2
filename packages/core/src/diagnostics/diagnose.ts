/**
 * Tells how the references of a tenant hold together: as one report that is made while it is read, or page by page.
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import { createCursors, type Cursors, type ListPlace } from "../query/paging/cursor.ts";
import { readPaging } from "../query/paging/page-parameters.ts";
import type { ResourceSnapshot } from "../store/resource-snapshot.ts";
import { scopeOf } from "../store/scope.ts";
import {
  FINDING_LISTS,
  type DiagnosticsAnswer,
  type DiagnosticsPage,
  type DiagnosticsReport,
  type DiagnosticsRequest,
  type Finding,
  type FindingList,
} from "./report.ts";
import { walk, walkParts, type WalkPart, type WalkStart } from "./walk.ts";
import { walkedCollections } from "./walked-collection.ts";

/** Most rows that one page looks at: it ends there though it is not full. */
const ROWS_OF_PAGE = 20_000;

/**
 * Looks at the references of a tenant.
 * @throws ScimError `unavailable` where as many long reads are open as the store can have; `invalidCursor`,
 *   `expiredCursor`, `invalidCount`
 */
export async function diagnose(
  environment: Environment,
  context: RequestContext,
  request: DiagnosticsRequest,
): Promise<DiagnosticsAnswer> {
  const parts = walkParts(walkedCollections(environment.catalog));
  const paging = pagingOf(environment, context, { request, parts });
  const snapshot = await environment.store.snapshot(scopeOf(context));
  if (paging === null) return reportOf(context, snapshot, parts);
  try {
    return await pageOf(context, snapshot, { ...paging, parts });
  } finally {
    await snapshot.close();
  }
}

function reportOf(
  context: RequestContext,
  snapshot: ResourceSnapshot,
  parts: readonly WalkPart[],
): DiagnosticsReport {
  const lists = FINDING_LISTS.map((name) => ({
    name,
    batches: findings(
      context,
      snapshot,
      parts.filter(({ list }) => list === name),
    ),
  }));
  return { kind: "report", lists, close: () => snapshot.close() };
}

async function* findings(
  context: RequestContext,
  snapshot: ResourceSnapshot,
  parts: readonly WalkPart[],
): AsyncGenerator<readonly Finding[], void, undefined> {
  for await (const { found } of walk(context, snapshot, { parts, from: BEGINNING })) {
    yield found.map(({ finding }) => finding);
  }
}

const BEGINNING: WalkStart = { part: 0, after: null };

/** How a page is asked for. */
interface Paging {
  readonly from: WalkStart;
  readonly limit: number;
  readonly cursors: Cursors;
}

function pagingOf(
  environment: Environment,
  context: RequestContext,
  asked: { readonly request: DiagnosticsRequest; readonly parts: readonly WalkPart[] },
): Paging | null {
  const { count, cursor } = asked.request;
  if (count === null && cursor === null) return null;
  const given = { startIndex: null, count, cursor: cursor ?? "" };
  const paging = readPaging(environment, given, context);
  if (paging.kind === "index") return null;
  const limit = Math.max(1, paging.limit);
  const query = { request: { ...NO_QUERY, ...given }, types: ["ReferentialConsistency"], limit };
  const cursors = createCursors(environment, { ...query, seal: paging.seal }, context);
  const from = paging.text === "" ? BEGINNING : startOf(cursors.read(paging.text).from, asked.parts);
  return { from, limit, cursors };
}

const NO_QUERY = {
  type: null,
  filter: null,
  sortBy: null,
  sortOrder: null,
  attributes: null,
  excludedAttributes: null,
  source: "address",
} as const;

async function pageOf(
  context: RequestContext,
  snapshot: ResourceSnapshot,
  { parts, from, limit, cursors }: Paging & { readonly parts: readonly WalkPart[] },
): Promise<DiagnosticsPage> {
  const lists: Record<FindingList, Finding[]> = {
    orphanedGroupMembers: [],
    inconsistentUserGroups: [],
    cyclicGroupMembers: [],
  };
  let left = limit;
  let rows = 0;
  let next: WalkStart | null = null;
  for await (const step of walk(context, snapshot, { parts, from })) {
    const taken = step.found.slice(0, left);
    lists[step.list].push(...taken.map(({ finding }) => finding));
    left -= taken.length;
    rows += step.rows;
    const last = taken.at(-1);
    next =
      taken.length < step.found.length && last !== undefined
        ? { part: step.part, after: last.row }
        : step.next;
    if (left === 0 || rows >= ROWS_OF_PAGE) break;
  }
  return { kind: "page", lists, nextCursor: next === null ? null : cursorOf(next, parts, cursors) };
}

/** A cursor holds the part as the type, the owner of the last row as the id, and its position as the key. */
function cursorOf({ part, after }: WalkStart, parts: readonly WalkPart[], cursors: Cursors): string {
  const place: ListPlace = {
    type: nameOf(parts[part]),
    id: after?.owner ?? "",
    key: after?.position ?? null,
    value: after?.value,
  };
  return cursors.write({ direction: "forward", from: place });
}

/** Names a part so that a cursor holds though resource types come and go. */
function nameOf(part: WalkPart | undefined): string {
  return part === undefined ? "" : `${part.list} ${part.collection.type}.${part.collection.path}`;
}

function startOf(place: ListPlace | null, parts: readonly WalkPart[]): WalkStart {
  const part = parts.findIndex((each) => nameOf(each) === place?.type);
  if (place === null || part === -1) {
    throw new ScimError(
      "invalidCursor",
      "The resource types have changed: begin again with an empty 'cursor'.",
    );
  }
  const { id, key, value } = place;
  return { part, after: id === "" ? null : { owner: id, position: Number(key), value } };
}
