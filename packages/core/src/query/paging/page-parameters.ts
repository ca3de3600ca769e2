/**
 * Reads `startIndex`, `count` and `cursor` (RFC 7644 §3.4.2.4, RFC 9865 §2).
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { QueryRequest } from "../../requests.ts";
import type { CursorSeal } from "./cursor-seal.ts";

/** A page by number: at most `limit` resources from the one at `startIndex`, 1 or more. */
export interface NumberedPage {
  readonly kind: "index";
  readonly startIndex: number;
  readonly limit: number;
}

/** How a request pages. */
export type Paging =
  | NumberedPage
  /** `text`: the cursor, empty for the first page. */
  | {
      readonly kind: "cursor";
      readonly text: string;
      readonly limit: number;
      readonly seal: CursorSeal;
    };

/**
 * Reads the paging of a request. A service without cursor paging ignores the parameter (R9865-2.4-03).
 * @throws ScimError `invalidValue` for startIndex and cursor together; `invalidCount` for a count above the
 *   maximum on a page by cursor, where the profile refuses that
 */
export function readPaging(
  { limits, cursorSeal }: Environment,
  request: Pick<QueryRequest, "startIndex" | "count" | "cursor">,
  context: RequestContext,
): Paging {
  const { startIndex, count, cursor } = request;
  const { pageSize, maxResults } = limits;
  const limit = Math.min(Math.max(0, count ?? pageSize), maxResults);
  if (cursor === null || cursorSeal === null) {
    return { kind: "index", startIndex: Math.max(1, startIndex ?? 1), limit };
  }
  if (startIndex !== null) throw new ScimError("invalidValue", "Give 'startIndex' or 'cursor', not both.");
  if (count !== null && count > maxResults) {
    if (!context.profile.switches.has("excessive-count")) {
      throw new ScimError("invalidCount", `'count' must be ${maxResults} or less with 'cursor'.`);
    }
    context.onSwitch("excessive-count", "count");
  }
  return { kind: "cursor", text: cursor, limit, seal: cursorSeal };
}
