/**
 * Parsing of the example filters of RFC 7644 §3.4.2.2.
 * @module
 */
import { createFilterCache, parseFilter } from "@scim/filter";
import { parse as parseScim2 } from "scim2-parse-filter";
import { compileFilter } from "scim-query-filter-parser";
import { fastest, geometricMean, sideBySide } from "../measure.ts";
import type { Report } from "../report.ts";

const EXAMPLES = [
  'userName eq "bjensen"',
  `name.familyName co "O'Malley"`,
  'userName sw "J"',
  'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"',
  "title pr",
  'meta.lastModified gt "2011-05-13T04:42:34Z"',
  'meta.lastModified le "2011-05-13T04:42:34Z"',
  'title pr and userType eq "Employee"',
  'title pr or userType eq "Intern"',
  'schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"',
  'userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")',
  'userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")',
  'userType eq "Employee" and (emails.type eq "work")',
  'userType eq "Employee" and emails[type eq "work" and value co "@example.com"]',
  'emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]',
];

const MANY_TERMS = 10_000;
const LONG_SAMPLES = 41;

/** Slowest that a single filter may be read, in microseconds. */
const SLOWEST_US = 15;

/** Measures each filter, and how time grows with length. */
export function measureParsing(report: Report): void {
  const cache = createFilterCache();
  const rows = EXAMPLES.map((filter) => ({
    filter,
    times: sideBySide(
      {
        ours: () => parseFilter(filter),
        cached: () => cache.parseFilter(filter),
        scim2: () => parseScim2(filter),
        query: () => compileQuery(filter),
      },
      15,
    ),
  }));
  const total = (side: keyof (typeof rows)[number]["times"]): number =>
    geometricMean(rows.map(({ times }) => times[side]));
  const side = (name: string, value: number) => ({ name, value, unit: "ns" as const });
  for (const { filter, times } of rows) {
    report.compare(
      `parse ${filter}`,
      side("@scim/filter", times.ours),
      side("scim2-parse-filter", times.scim2),
      null,
    );
  }
  const mean = "parse a filter, geometric mean";
  report.compare(mean, side("@scim/filter", total("ours")), side("scim2-parse-filter", total("scim2")), 1);
  report.compare(
    mean,
    side("@scim/filter", total("ours")),
    side("scim-query-filter-parser", total("query")),
    null,
  );
  report.compare(
    `${mean}, through the cache`,
    side("@scim/filter", total("cached")),
    side("scim2-parse-filter", total("scim2")),
    5,
  );
  const slowest = Math.max(...rows.map(({ times }) => times.ours)) / 1000;
  report.figure({
    work: "parse the slowest of the example filters",
    value: slowest,
    unit: "µs",
    most: SLOWEST_US,
  });
  report.figure({
    work: "parse twice as many terms: time against once",
    value: growth(),
    unit: "×",
    most: 2.5,
  });
}

/** Not every example is within what the package reads; refusing takes time too. */
function compileQuery(filter: string): unknown {
  try {
    return compileFilter(filter);
  } catch (problem) {
    return problem;
  }
}

function growth(): number {
  const terms = (count: number): string =>
    Array.from({ length: count }, (_, n) => `userName eq "u${n}"`).join(" or ");
  const limits = { maxLength: Number.POSITIVE_INFINITY };
  const [once, twice] = [terms(MANY_TERMS), terms(2 * MANY_TERMS)];
  const timeOf = (filter: string): number => fastest(() => parseFilter(filter, limits), LONG_SAMPLES);
  return timeOf(twice) / timeOf(once);
}
