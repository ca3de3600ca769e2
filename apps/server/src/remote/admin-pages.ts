/**
 * Lists of the admin API, read page by page until nothing is left.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { type AdminClient, type AdminRequest, objectsIn, typedOf } from "./admin-requests.ts";

/** Entries that are asked for at once. */
const PAGE = 500;

/** A list in the order of its keys. */
export interface PagedList {
  readonly path: string;
  /** The member of an answer that holds the entries. */
  readonly name: string;
  readonly query?: AdminRequest["query"];
}

/** The entries of all pages, and the last answer, which may say more than entries. */
export interface ReadList {
  readonly entries: readonly JsonObject[];
  readonly last: JsonObject;
}

/** Reads a list to its end. A server whose list has no pages yet answers with all of it. */
export async function pagesOf(
  admin: Pick<AdminClient, "send">,
  { path, name, query }: PagedList,
): Promise<ReadList> {
  const entries: JsonObject[] = [];
  for (let after: string | null = null; ;) {
    const last = await admin.send({ method: "GET", path, query: { ...query, after, limit: PAGE } });
    entries.push(...objectsIn(last, name));
    const { next } = last;
    if (typeof next !== "string") return { entries, last };
    after = next;
  }
}

/** The entries of a list. */
export async function allOf(
  admin: Pick<AdminClient, "send">,
  list: PagedList,
): Promise<readonly JsonObject[]> {
  return (await pagesOf(admin, list)).entries;
}

/** The entries of a list, each as what it was made of: see `typedOf`. */
export async function allTypedOf<Value extends object>(
  admin: Pick<AdminClient, "send">,
  list: PagedList,
  members: readonly (keyof Value & string)[],
): Promise<readonly Value[]> {
  return (await allOf(admin, list)).map((object) => typedOf<Value>(object, members));
}
