/**
 * How the references of a tenant hold together, counted, with the first findings of each list.
 * @module
 */
import {
  FINDING_LISTS,
  type Finding,
  type FindingList,
  type RequestContext,
  type ScimService,
} from "@scim/core";
import { counted } from "../progress/progress.ts";
import { type Check, fine, warning } from "./check.ts";

/** Findings of one list. */
export interface ListedFindings {
  readonly list: FindingList;
  readonly count: number;
  /** The first of them. */
  readonly first: readonly Finding[];
}

/** Findings of a list that are kept. */
const KEPT = 100;

/** Goes through the whole report. */
export async function listFindings(
  service: Pick<ScimService, "diagnose">,
  context: RequestContext,
): Promise<readonly ListedFindings[]> {
  const report = await service.diagnose(context, { count: null, cursor: null });
  if (report.kind === "page") throw new TypeError("A whole report was asked for");
  try {
    const found: ListedFindings[] = [];
    for (const { name, batches } of report.lists) found.push(await countFindings(name, batches));
    return found;
  } finally {
    await report.close();
  }
}

async function countFindings(
  list: FindingList,
  batches: AsyncIterable<readonly Finding[]>,
): Promise<ListedFindings> {
  const first: Finding[] = [];
  let count = 0;
  for await (const batch of batches) {
    count += batch.length;
    first.push(...batch.slice(0, KEPT - first.length));
  }
  return { list, count, first };
}

const WORDS: Readonly<Record<FindingList, readonly [one: string, many: string]>> = {
  orphanedGroupMembers: ["member that names nothing", "members that name nothing"],
  inconsistentUserGroups: ["inconsistent membership", "inconsistent memberships"],
  cyclicGroupMembers: ["member in a circle", "members in a circle"],
};

/** Clients answer for references: what is found is told, and no fault of the installation. */
export function checkReferences(found: readonly ListedFindings[]): Check {
  const name = "references";
  if (found.every(({ count }) => count === 0)) return fine(name, "all hold together");
  const counts = FINDING_LISTS.map((list) => {
    const count = found.find((each) => each.list === list)?.count ?? 0;
    return counted(count, ...WORDS[list]);
  });
  return warning(
    name,
    counts.join(", "),
    "Let the clients of the tenant put them right; see docs/diagnostics.md.",
  );
}
