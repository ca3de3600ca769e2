import { RECEIVER_CONTRACT, SIGNING_KEY_CONTRACT } from "@scim/events/testing";
import { expect, test } from "vitest";
import { ANYWHERE, LIMIT, type Planted, violations } from "../support/planted-statements.ts";

/** Bugs of stores of receivers and of signing keys. */
const PLANTED: Planted = [
  [
    "receivers/kept",
    "finds a receiver by its id alone",
    [
      "SELECT tenant, id, kind",
      "WHERE tenant = ? AND id = ? ORDER BY id",
      "WHERE ? <> '' AND id = ? ORDER BY id",
    ],
  ],
  [
    "receivers/kept",
    "lists more tenants than it may",
    ["SELECT DISTINCT tenant FROM event_receivers", LIMIT, `${LIMIT} + 100`],
  ],
  [
    "receivers/neighbours",
    "replaces a receiver in every tenant",
    ["UPDATE event_receivers SET url", "WHERE tenant = ?", "WHERE ? <> ''"],
  ],
  [
    "receivers/neighbours",
    "replaces every receiver of a tenant",
    ["UPDATE event_receivers SET url", "AND id = ?", "AND ? <> ''"],
  ],
  [
    "receivers/changed",
    "forgets since when a receiver fails with each change of it",
    ["UPDATE event_receivers SET url", "state <> 'active' AND", ""],
  ],
  [
    "receivers/kept",
    "removes what was changed meanwhile",
    ["DELETE FROM event_receivers", "AND revision = ?", "AND ? > 0"],
  ],
  [
    "receivers/neighbours",
    "removes what is set aside in other tenants with a receiver",
    ["DELETE FROM event_deliveries WHERE tenant = ? AND receiver = ?", "tenant = ?", ANYWHERE],
  ],
  [
    "receivers/neighbours",
    "removes what is set aside for others with a receiver",
    ["DELETE FROM event_deliveries WHERE tenant = ? AND receiver = ?", "receiver = ?", ANYWHERE],
  ],
  [
    "receivers/due",
    "finds work in what is set aside for another receiver",
    ["SELECT r.id", "d.receiver = r.id", "d.receiver <> ''"],
  ],
  [
    "receivers/due",
    "finds no work where a position was never given",
    ["SELECT r.id", "r.position <> COALESCE", "r.position < COALESCE"],
  ],
  [
    "receivers/lease",
    "gives a lease that another holds",
    ["UPDATE event_receivers SET lease_holder", "lease_holder IS NULL", "1 = 1"],
  ],
  [
    "receivers/neighbours",
    "gives the leases of all receivers of a tenant at once",
    ["UPDATE event_receivers SET lease_holder = ?", "AND id = ?", "AND ? <> ''"],
  ],
  [
    "receivers/neighbours",
    "gives the lease of an id in every tenant",
    ["UPDATE event_receivers SET lease_holder = ?", "tenant = ?", ANYWHERE],
  ],
  [
    "receivers/lease",
    "does not lengthen a lease",
    [
      "UPDATE event_receivers SET lease_holder = ?",
      "lease_until = ? WHERE",
      "lease_until = COALESCE(lease_until, ?) WHERE",
    ],
  ],
  [
    "receivers/neighbours",
    "gives leases back in every tenant",
    ["UPDATE event_receivers SET lease_holder = NULL", "tenant = ?", ANYWHERE],
  ],
  [
    "receivers/neighbours",
    "gives all leases of a holder back",
    ["UPDATE event_receivers SET lease_holder = NULL", "AND id = ?", "AND ? <> ''"],
  ],
  [
    "receivers/neighbours",
    "writes progress in every tenant",
    ["UPDATE event_receivers SET position = ?, failing", "tenant = ?", ANYWHERE],
  ],
  [
    "receivers/neighbours",
    "writes progress of every receiver of a holder",
    ["UPDATE event_receivers SET position = ?, failing", "AND id = ?", "AND ? <> ''"],
  ],
  [
    "receivers/progress",
    "counts progress of who holds no lease",
    ["UPDATE event_receivers SET position = ?, failing", "lease_holder = ?", ANYWHERE],
  ],
  [
    "receivers/progress",
    "counts progress at an address that was changed",
    ["UPDATE event_receivers SET position = ?, failing", "url = ?", ANYWHERE],
  ],
  [
    "receivers/progress",
    "never goes back to where the feed ends",
    ["UPDATE event_receivers SET position = ?, failing", "position = ?,", "position = max(position, ?),"],
  ],
  [
    "receivers/progress",
    "keeps the last delivery of an earlier step",
    [
      "UPDATE event_receivers SET position = ?, failing",
      "last_delivery = ?",
      "last_delivery = COALESCE(?, last_delivery)",
    ],
  ],
  [
    "receivers/progress",
    "keeps since when a receiver failed",
    [
      "UPDATE event_receivers SET position = ?, failing",
      "failing_since = ?",
      "failing_since = COALESCE(failing_since, ?)",
    ],
  ],
  [
    "receivers/neighbours",
    "disables a receiver in every tenant",
    ["UPDATE event_receivers SET state = 'disabled'", "tenant = ?", ANYWHERE],
  ],
  [
    "receivers/neighbours",
    "disables every receiver of a tenant",
    ["UPDATE event_receivers SET state = 'disabled'", "AND id = ?", "AND ? <> ''"],
  ],
  [
    "receivers/progress",
    "keeps the attempts of what is set aside again",
    ["INSERT INTO event_deliveries", "attempts = excluded.attempts,", ""],
  ],
  [
    "receivers/progress",
    "keeps since when what is set aside again was tried",
    ["INSERT INTO event_deliveries", "since = excluded.since,", ""],
  ],
  [
    "receivers/progress",
    "keeps when what is set aside again was due",
    ["INSERT INTO event_deliveries", "next = excluded.next,", ""],
  ],
  [
    "receivers/progress",
    "keeps the problem of what is set aside again",
    ["INSERT INTO event_deliveries", ", problem = excluded.problem", ""],
  ],
  [
    "receivers/neighbours",
    "takes what was delivered from other receivers",
    [
      "DELETE FROM event_deliveries WHERE tenant = ? AND receiver = ? AND position IN",
      "receiver = ?",
      ANYWHERE,
    ],
  ],
  [
    "receivers/neighbours",
    "takes what was delivered from other tenants",
    [
      "DELETE FROM event_deliveries WHERE tenant = ? AND receiver = ? AND position IN",
      "tenant = ?",
      ANYWHERE,
    ],
  ],
  [
    "receivers/progress",
    "reads what is set aside from a position on, not behind it",
    ["SELECT position, type, id, state", "position > ?", "position >= ?"],
  ],
  [
    "receivers/neighbours",
    "reads what is set aside for other receivers",
    ["SELECT position, type, id, state", "receiver = ?", ANYWHERE],
  ],
  [
    "receivers/neighbours",
    "reads what is set aside in other tenants",
    ["SELECT position, type, id, state", "tenant = ?", ANYWHERE],
  ],
  [
    "receivers/replay",
    "leaves the lease of a receiver that is set back",
    [
      "UPDATE event_receivers SET position = ?, lease",
      "lease_holder = NULL, lease_until = NULL",
      "lease_until = lease_until",
    ],
  ],
  [
    "receivers/neighbours",
    "sets a receiver back in every tenant",
    ["UPDATE event_receivers SET position = ?, lease", "tenant = ?", ANYWHERE],
  ],
  [
    "receivers/replay",
    "removes what is set aside at the position that it goes back to",
    [
      "DELETE FROM event_deliveries WHERE tenant = ? AND receiver = ? AND position > ?",
      "position > ?",
      "position >= ?",
    ],
  ],
  [
    "receivers/neighbours",
    "removes what is set aside for others when it goes back",
    [
      "DELETE FROM event_deliveries WHERE tenant = ? AND receiver = ? AND position > ?",
      "receiver = ?",
      ANYWHERE,
    ],
  ],
  [
    "receivers/neighbours",
    "removes what is set aside in other tenants when it goes back",
    [
      "DELETE FROM event_deliveries WHERE tenant = ? AND receiver = ? AND position > ?",
      "tenant = ?",
      ANYWHERE,
    ],
  ],
  [
    "receivers/neighbours",
    "tries again what was given up for other receivers",
    ["UPDATE event_deliveries", "receiver = ?", ANYWHERE],
  ],
  [
    "receivers/neighbours",
    "tries again what was given up in other tenants",
    ["UPDATE event_deliveries", "tenant = ?", ANYWHERE],
  ],
  [
    "receivers/neighbours",
    "drops what was given up for other receivers",
    [
      "DELETE FROM event_deliveries WHERE tenant = ? AND receiver = ? AND state = 'dead'",
      "receiver = ?",
      ANYWHERE,
    ],
  ],
  [
    "receivers/neighbours",
    "drops what was given up in other tenants",
    [
      "DELETE FROM event_deliveries WHERE tenant = ? AND receiver = ? AND state = 'dead'",
      "tenant = ?",
      ANYWHERE,
    ],
  ],
  [
    "signing-keys/kept",
    "lists keys in the order of their making",
    ["SELECT id, public_key", "ORDER BY signs_from, id", "ORDER BY created, id"],
  ],
  [
    "signing-keys/kept",
    "lists keys in the order of their ids",
    ["SELECT id, public_key", "ORDER BY signs_from, id", "ORDER BY id"],
  ],
  [
    "signing-keys/behind",
    "looks at the first key for the last",
    ["SELECT id FROM signing_keys", "signs_from DESC, id DESC", "signs_from, id"],
  ],
  [
    "signing-keys/last",
    "lets a key sign that was to sign at the same time",
    ["UPDATE signing_keys", "signs_from >= ?", "signs_from > ?"],
  ],
  [
    "signing-keys/last",
    "begins every key anew",
    ["UPDATE signing_keys", "AND signs_from >= ?", "AND ? <> ''"],
  ],
  [
    "signing-keys/last",
    "lets a key take over that waited for its turn",
    ["UPDATE signing_keys", "AND signs_from >= ?", "AND ? = ''"],
  ],
  [
    "signing-keys/kept",
    "keeps a key whose successor signs at the instant",
    ["DELETE FROM signing_keys", "<= ?", "< ?"],
  ],
  [
    "signing-keys/kept",
    "removes a key whose successor does not sign yet",
    ["DELETE FROM signing_keys", "AND signs_from <= ?", "AND ? <> ''"],
  ],
  [
    "signing-keys/published",
    "removes the key that signs when another is made",
    ["DELETE FROM signing_keys", "AND signs_from <= ?", "AND ? <> ''"],
  ],
];

test.each(PLANTED)("%s finds out a store that %s", async (rule, _, plant) => {
  expect(await violations([...RECEIVER_CONTRACT, ...SIGNING_KEY_CONTRACT], rule, plant)).toContain("broken");
});
