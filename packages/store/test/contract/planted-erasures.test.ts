import { ERASURE_CONTRACT } from "@scim/events/testing";
import { expect, test } from "vitest";
import { ANYWHERE, LIMIT, type Planted, violations } from "../support/planted-statements.ts";

/** Bugs of erasures. */
const PLANTED: Planted = [
  [
    "erasure/apart",
    "destroys the secrets of an id in every tenant",
    ["DELETE FROM subject_secrets WHERE tenant = ? AND id = ?", "tenant = ?", ANYWHERE],
  ],
  [
    "erasure/rows",
    "destroys the secrets of all subjects",
    ["DELETE FROM subject_secrets WHERE tenant = ? AND id = ?", "AND id = ?", "AND ? <> ''"],
  ],
  [
    "erasure/rows",
    "keeps the secret",
    ["DELETE FROM subject_secrets WHERE tenant = ? AND id = ?", "tenant = ?", "1 = 0 AND tenant = ?"],
  ],
  [
    "erasure/apart",
    "removes the rows of an id in every tenant",
    ["DELETE FROM resources WHERE tenant = ? AND type = ? AND id = ? AND deleted", "tenant = ?", ANYWHERE],
  ],
  [
    "erasure/restored",
    "removes a row that came back",
    [
      "DELETE FROM resources WHERE tenant = ? AND type = ? AND id = ? AND deleted",
      " AND deleted IS NOT NULL",
      "",
    ],
  ],
  [
    "erasure/apart",
    "removes all that is deleted",
    [
      "DELETE FROM resources WHERE tenant = ? AND type = ? AND id = ? AND deleted",
      "AND id = ?",
      "AND ? <> ''",
    ],
  ],
  [
    "erasure/apart",
    "frees the unique values of an id in every tenant",
    ["DELETE FROM unique_values WHERE tenant = ? AND type = ? AND id = ?", "tenant = ?", ANYWHERE],
  ],
  [
    "erasure/apart",
    "empties events without position in every tenant",
    ["UPDATE events SET before = NULL", "tenant = ?", ANYWHERE],
  ],
  [
    "erasure/waiting-copies",
    "empties all events without position",
    ["UPDATE events SET before = NULL", "AND id = ?", "AND ? <> ''"],
  ],
  [
    "erasure/copies",
    "tells from where the subject asked for changes",
    ["SELECT transaction_number, sequence", "OR subject = ?", "OR subject = ? || '-'"],
  ],
  [
    "erasure/apart",
    "takes names beside members in every tenant",
    ["UPDATE reference_values", "tenant = ?", ANYWHERE],
  ],
  [
    "erasure/copies",
    "leaves the name beside a member",
    ["UPDATE reference_values", "tenant = ?", "1 = 0 AND tenant = ?"],
  ],
  [
    "erasure/copies",
    "leaves the name beside a reference",
    ["UPDATE resources SET body", "body = ?", "body = COALESCE(body, ?)"],
  ],
  [
    "erasure/list",
    "has the list of another tenant",
    ["SELECT subject FROM erasures", "tenant = ?", ANYWHERE],
  ],
  ["erasure/list", "lists more erasures than it may", ["SELECT subject, key_id", LIMIT, `${LIMIT} + 5`]],
  ["erasure/list", "lists erasures by time", ["SELECT subject, key_id", "ORDER BY subject", "ORDER BY at"]],
  [
    "erasure/list",
    "puts an older entry in the place of a newer one",
    ["INSERT INTO erasures", " WHERE erasures.at < excluded.at", ""],
  ],
  [
    "erasure/unended",
    "tells what began at the instant itself",
    ["SELECT id, type FROM erased_lately WHERE tenant = ? AND at >= ? AND at < ?", "at < ?", "at <= ?"],
  ],
  ["erasure/ids", "forgets whose erasure ended half-way", ["DELETE FROM erased_lately", "at < ?", "at <> ?"]],
  ["erasure/ids", "forgets nobody", ["DELETE FROM erased_lately", "tenant = ?", "1 = 0 AND tenant = ?"]],
  [
    "erasure/apart",
    "knows who is of another tenant",
    ["SELECT id FROM subject_secrets WHERE tenant = ? AND id = ? UNION", "tenant = ?", ANYWHERE],
  ],
  [
    "erasure/ids",
    "does not know who is in the audit log alone",
    [
      "SELECT id FROM resources WHERE tenant = ? AND type = ? AND id = ? UNION",
      "FROM audit_entries WHERE tenant = ?",
      "FROM audit_entries WHERE 1 = 0 AND tenant = ?",
    ],
  ],
  [
    "erasure/apart",
    "finds a live resource of another tenant",
    [
      "SELECT id FROM resources WHERE tenant = ? AND type = ? AND id = ? AND deleted IS NULL",
      "tenant = ?",
      ANYWHERE,
    ],
  ],
  [
    "erasure/ids",
    "tells no ids of resources that were never audited",
    [
      "SELECT id FROM resources WHERE tenant = ? AND type = ? AND id > ?",
      "tenant = ?",
      "1 = 0 AND tenant = ?",
    ],
  ],
  [
    "erasure/ids",
    "tells no ids of what is deleted",
    [
      "SELECT id FROM resources WHERE tenant = ? AND type = ? AND id > ?",
      "tenant = ?",
      "deleted IS NULL AND tenant = ?",
    ],
  ],
  [
    "erasure/ids",
    "tells ids of every tenant",
    ["SELECT id FROM resources WHERE tenant = ? AND type = ? AND id > ?", "tenant = ?", ANYWHERE],
  ],
  [
    "erasure/ids",
    "tells no ids that are in the audit log alone",
    ["SELECT id FROM subject_secrets WHERE tenant = ? AND id > ?", "tenant = ?", "1 = 0 AND tenant = ?"],
  ],
  [
    "erasure/half-way",
    "tells no ids of who is being erased",
    ["SELECT id FROM erased_lately WHERE tenant = ? AND id > ?", "tenant = ?", "1 = 0 AND tenant = ?"],
  ],
  [
    "erasure/feed",
    "does not know whom an event is about",
    [
      "SELECT transaction_number, sequence FROM events WHERE tenant = ?",
      "((id = ?) OR",
      "((id || '-' = ?) OR",
    ],
  ],
  [
    "erasure/feed",
    "does not know who asked for a change",
    [
      "SELECT transaction_number, sequence FROM events WHERE tenant = ?",
      "OR subject = ?)",
      "OR subject = ? || '-')",
    ],
  ],
  [
    "erasure/feed-waiting",
    "does not look at events without position",
    ["SELECT transaction_number, sequence, CASE WHEN (id", "OR subject = ?", "OR subject = ? || '-'"],
  ],
  [
    "erasure/feed",
    "tells no ids of whom events alone are about",
    ["SELECT transaction_number, sequence, id, subject FROM events", "tenant = ?", "1 = 0 AND tenant = ?"],
  ],
  [
    "erasure/types",
    "empties the events of another type with the id",
    ["SELECT type, id, subject, before, after", "SELECT type,", "SELECT 'User' AS type,"],
  ],
  [
    "erasure/types",
    "removes the secret of another type with the id",
    ["DELETE FROM subject_secrets", "AND type = ?", "AND ? <> ''"],
  ],
  [
    "erasure/types-before",
    "does not know of what types the resources are that events tell of",
    ["SELECT transaction_number, sequence, type FROM events", "tenant = ?", "1 = 0 AND tenant = ?"],
  ],
  [
    "erasure/types-half-way",
    "begins an erasure while that of another type with the id goes on",
    ["INSERT INTO erased_lately", /WHERE erased_lately.at < \? .*$/, "WHERE erased_lately.at <> ?"],
  ],
];

test.each(PLANTED)("%s finds out a store that %s", async (rule, _, plant) => {
  expect(await violations(ERASURE_CONTRACT, rule, plant)).toContain("broken");
});
