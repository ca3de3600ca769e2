/**
 * Cursors for tests: readable, and told apart from forged ones by a digest.
 * @module
 */
import { createHash } from "node:crypto";
import { isJsonObject, type JsonValue } from "@scim/schemas";
import type { CursorSeal, ListAnswer } from "../../src/index.ts";
import type { Query, TestClient } from "./client.ts";

function digestOf(text: string): string {
  return createHash("sha256").update(`test\n${text}`).digest("base64url");
}

/** Seals by a digest, and hides nothing. */
export const TEST_SEAL: CursorSeal = {
  seal: (text) => `${Buffer.from(text).toString("base64url")}.${digestOf(text)}`,
  open: (cursor) => {
    const [body = "", digest] = cursor.split(".");
    const text = Buffer.from(body, "base64url").toString();
    return digest === digestOf(text) ? text : null;
  },
};

/** Pages that no walk of a test has. */
const LONGEST_WALK = 1000;

/** The pages of a list from a cursor on, to the last; backward: to the first. */
export async function walk(
  client: TestClient,
  type: string | null,
  {
    query,
    member = "nextCursor",
  }: { readonly query: Query; readonly member?: "nextCursor" | "previousCursor" },
): Promise<readonly ListAnswer[]> {
  const pages: ListAnswer[] = [];
  for (let cursor = query.cursor ?? ""; ;) {
    const page = await client.list(type, { ...query, cursor });
    pages.push(page);
    const next = page[member];
    if (next === null) return pages;
    if (pages.length > LONGEST_WALK) throw new Error("The walk does not end.");
    cursor = next;
  }
}

/** What the resources of pages are called. */
export function namesOf(pages: readonly ListAnswer[]): readonly (JsonValue | undefined)[] {
  return pages.flatMap((page) =>
    page.resources.filter(isJsonObject).map((each) => each["userName"] ?? each["displayName"]),
  );
}
