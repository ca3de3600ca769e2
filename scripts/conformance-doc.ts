/**
 * Writes `docs/conformance.md` from the rules, the lists and the tests that cite them:
 * `node --conditions=@scim/source scripts/conformance-doc.ts`.
 * @module
 */
import { writeFileSync } from "node:fs";
import { findCitations, type Citation } from "../fixtures/rules/citations.ts";
import { loadRuleLists, loadRules, type Rule, type RuleLists } from "../fixtures/rules/rules.ts";

const ROOT = new URL("../", import.meta.url);

/** The headings of the documents, in the order of the page. */
const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ["rfc7642", "RFC 7642: concepts"],
  ["rfc7643", "RFC 7643: resources and schemas"],
  ["rfc7644-protocol", "RFC 7644: the protocol"],
  ["rfc7644-queries", "RFC 7644: queries and projection"],
  ["rfc7644-changes", "RFC 7644: PUT and PATCH"],
  ["rfc7644-service", "RFC 7644: discovery, strings, tenancy, security"],
  ["rfc7232", "RFC 7232: conditional requests"],
  ["rfc8265", "RFC 8265: user names and passwords"],
  ["rfc9865", "RFC 9865: cursors"],
  ["authorization", "RFC 6750, 8414 and 9728: tokens"],
  ["events", "RFC 8417, 8935, 8936, 9493 and 9967: events"],
  ["companions", "RFC 7240 and 9457"],
  ["ambiguities", "Questions that the RFCs leave open"],
]);

/** The page. */
export function conformancePage(): string {
  const lists = loadRuleLists();
  const rules = new Map(loadRules().flatMap((document) => document.rules.map((rule) => [rule.id, rule])));
  const citations = Map.groupBy(findCitations(ROOT), ({ id }) => id);
  const parts = [
    introduction(),
    replacedSection(lists),
    inapplicableSection(lists, rules),
    laterSection(lists, rules),
  ];
  return `${[...parts, ...ruleSections(lists, citations)].join("\n\n")}\n`;
}

function introduction(): string {
  return `# Conformance

The service holds to its own interface specification first, then to the decisions of its design, then to what the
RFCs demand. Every rule of the RFCs has a test that cites it, or stands in one of three lists: rules that a higher
source or a decision replaces, rules that do not apply, and rules of parts that are still to come.

An id names the RFC and the section: \`R7644-3.5.2-04\` is the fourth rule of RFC 7644 §3.5.2, \`-T-\` a row of a
table, \`R7644-F-\` a rule of what filters mean, \`A-\` a question that the RFCs leave open. DEC marks a decision of
ours where an RFC is silent or contradicts itself.

This page is made from \`fixtures/rules\` and the tests by \`scripts/conformance-doc.ts\`; a test fails while a rule is
neither cited nor listed. The requests of identity providers, and what each expects, are replayed in
${link("apps/server/test/replay/identity-providers.test.ts")}; every row holds in the default profile. What a profile adds
to the rules or takes from them, such as \`group-name-unique\`, stands in [profiles.md](profiles.md).`;
}

function replacedSection({ replaced }: RuleLists): string {
  const rows = replaced.map(({ id, instead, test }) => [id, instead, link(test)]);
  return `## Where the service does otherwise\n\n${table(["Rule", "What the service does", "Test"], rows)}`;
}

function inapplicableSection({ inapplicable }: RuleLists, rules: ReadonlyMap<string, Rule>): string {
  const rows = inapplicable.flatMap(({ reason, rules: ids }) =>
    ids.map((id) => [id, rules.get(id)?.subject ?? "", reason]),
  );
  return `## Rules that do not apply\n\n${table(["Rule", "Subject", "Reason"], rows)}`;
}

function laterSection({ later }: RuleLists, rules: ReadonlyMap<string, Rule>): string {
  const rows = later.flatMap(({ part, rules: ids }) =>
    ids.map((id) => [id, rules.get(id)?.subject ?? "", part]),
  );
  const body = rows.length === 0 ? "None." : table(["Rule", "Subject", "Comes with"], rows);
  return `## Rules of parts still to come\n\n${body}`;
}

function ruleSections(
  { inapplicable, later }: RuleLists,
  citations: ReadonlyMap<string, readonly Citation[]>,
): readonly string[] {
  const left = new Set([...inapplicable, ...later].flatMap(({ rules }) => rules));
  const byName = new Map(loadRules().map(({ name, rules }) => [name, rules]));
  return [...DOCUMENTS].flatMap(([name, heading]) => {
    const kept = (byName.get(name) ?? []).filter(({ id }) => !left.has(id));
    if (kept.length === 0) return [];
    const rows = kept.map(({ id, level, subject }) => [
      id,
      level,
      subject,
      (citations.get(id) ?? []).map(({ file }) => link(file)).join(", "),
    ]);
    return [`## ${heading}\n\n${table(["Rule", "Level", "Subject", "Tests"], rows)}`];
  });
}

/** A link to a file of the repository, named by its place without what all test files share. */
function link(file: string): string {
  const name = file
    .replace(/^(?:packages|apps)\//, "")
    .replace("/test/", "/")
    .replace(/\.test\.ts$|\.ts$/, "");
  return `[${name}](../${file})`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

if (import.meta.main) {
  writeFileSync(new URL("docs/conformance.md", ROOT), conformancePage());
}
