/**
 * Whether what the store derives from resources is right: indexes, unique values, counters, and nothing of resources that are
 * gone. All of it is read, which takes its time, and can be made right.
 * @module
 */
import type { DerivedFinding, DerivedPage, Store } from "@scim/store/sqlite";
import { derivedSource } from "@scim/core";
import { toldAtBothEnds } from "../administration/told-command.ts";
import type { Operator } from "../operator/operator.ts";
import { counted, grouped } from "../progress/progress.ts";
import { type Check, fine, warning, wrong } from "./check.ts";

/** What was found of derived rows: types, ids and attribute paths, and no values. */
export interface DerivedReport {
  /** Resources that were compared. */
  readonly compared: number;
  /** Resources among them whose declared indexes a server has still to bring up to date: those indexes were left out. */
  readonly unsettled: number;
  /** How often each kind was found. */
  readonly counts: Readonly<Record<DerivedFinding["kind"], number>>;
  /** The first findings. */
  readonly first: readonly DerivedFinding[];
  /** What was made right before; null where nothing was to be. */
  readonly repaired: Readonly<Record<DerivedFinding["kind"], number>> | null;
}

/** What is looked at, and whether it is made right. */
export interface DerivedSetting extends Pick<Operator, "catalog"> {
  readonly store: Pick<Store, "derived" | "trail">;
  readonly tenant: string;
  readonly repair: boolean;
}

/** Findings that are kept. */
const KEPT = 100;

/** Compares derived rows with resources; where they are to be made right, that comes first. */
export async function derivedReport({
  store,
  catalog,
  tenant,
  repair,
}: DerivedSetting): Promise<DerivedReport> {
  const source = derivedSource(catalog);
  const { derived } = store;
  const repaired = repair
    ? await toldAtBothEnds(store, { command: "scim doctor --repair", about: tenant }, () =>
        gather(derived.repair(tenant, source)),
      )
    : null;
  const found = await gather(derived.check(tenant, source));
  return { ...found, repaired: repaired === null ? null : madeRight(repaired.counts, found.counts) };
}

type Gathered = Omit<DerivedReport, "repaired">;

async function gather(pages: AsyncIterable<DerivedPage>): Promise<Gathered> {
  const counts = { ...NONE };
  const first: DerivedFinding[] = [];
  let [compared, unsettled] = [0, 0];
  for await (const page of pages) {
    compared += page.compared;
    unsettled += page.unsettled;
    for (const finding of page.findings) counts[finding.kind] += 1;
    first.push(...page.findings.slice(0, KEPT - first.length));
  }
  return { compared, unsettled, counts, first };
}

const NONE: Record<DerivedFinding["kind"], number> = {
  index: 0,
  unique: 0,
  duplicate: 0,
  orphan: 0,
  count: 0,
  unknown: 0,
};

/** What is left was not made right; duplicates and what is not known never are. */
function madeRight(found: DerivedReport["counts"], left: DerivedReport["counts"]): DerivedReport["counts"] {
  const less = (kind: DerivedFinding["kind"]): number => Math.max(0, found[kind] - left[kind]);
  return {
    ...NONE,
    index: less("index"),
    unique: less("unique"),
    orphan: less("orphan"),
    count: less("count"),
  };
}

const WORDS: Readonly<Record<DerivedFinding["kind"], readonly [one: string, many: string]>> = {
  index: ["resource with wrong index entries", "resources with wrong index entries"],
  unique: ["resource with wrong unique values", "resources with wrong unique values"],
  duplicate: ["value that two resources have", "values that two resources have"],
  orphan: ["resource that is gone and left rows", "resources that are gone and left rows"],
  count: ["wrong counter", "wrong counters"],
  unknown: ["type or attribute that is not known here", "types or attributes that are not known here"],
};

const KINDS = ["index", "unique", "duplicate", "orphan", "count", "unknown"] as const;

function inWords(counts: DerivedReport["counts"]): string {
  return KINDS.filter((kind) => counts[kind] > 0)
    .map((kind) => counted(counts[kind], ...WORDS[kind]))
    .join(", ");
}

/** Tells what was found, and what to do. */
export function checkDerived({ compared, counts, repaired }: DerivedReport): Check {
  const name = "derived rows";
  const done = repaired === null ? "" : inWords(repaired);
  const before = done === "" ? "" : `made right: ${done}; `;
  const left = inWords(counts);
  if (left === "") return fine(name, `${before}those of ${counted(compared, "resource")} are right`);
  const { unknown: _unknown, duplicate, ...others } = counts;
  const detail = `${before}${left}; ${grouped(compared)} compared`;
  if (Object.values(others).some((count) => count > 0)) return wrong(name, detail, REPAIR);
  return duplicate > 0 ? wrong(name, detail, DECIDE) : warning(name, detail, GIVE_SCHEMAS);
}

const REPAIR = "Run 'scim doctor --repair', also while servers run; see docs/diagnostics.md.";
const DECIDE =
  "Give one of the two another value, or delete it; then run 'scim doctor --repair'. See docs/diagnostics.md.";
const GIVE_SCHEMAS =
  "Give this command the schemas that servers have (SCIM_SCHEMAS). What no schema has any more was left as it is.";

/** What a finding says, behind the id. */
export function findingText(finding: DerivedFinding): string {
  switch (finding.kind) {
    case "index":
      return `index entries: ${differenceText(finding)}`;
    case "unique":
      return `unique values: ${differenceText(finding)}`;
    case "duplicate":
      return `has the same ${finding.path} as ${finding.holder}`;
    case "orphan":
      return `is gone, and left ${LEFT[finding.rows]}`;
    case "count":
      return `counted ${grouped(finding.counted)}, and there are ${grouped(finding.live)}`;
    case "unknown":
      return finding.path === null ? "is not known here" : `attribute ${finding.path} is not known here`;
  }
}

const LEFT = { index: "index entries", unique: "unique values", references: "references" } as const;

function differenceText({
  missing,
  stray,
}: {
  readonly missing: readonly string[];
  readonly stray: readonly string[];
}): string {
  return [
    ...(missing.length === 0 ? [] : [`missing of ${missing.join(", ")}`]),
    ...(stray.length === 0 ? [] : [`too many of ${stray.join(", ")}`]),
  ].join("; ");
}
