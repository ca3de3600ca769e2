import type { AuditPurge } from "@scim/events";
import { AUDIT_CONTRACT } from "@scim/events/testing";
import { expect, test } from "vitest";
import { ANYWHERE, LIMIT, type Planted, violations } from "../support/planted-statements.ts";

/** Before which instant entries of a tenant go. */
async function of({ before }: AuditPurge, tenant: string): Promise<string> {
  return typeof before === "string" ? before : before(tenant);
}

/** Bugs of audit logs. */
const PLANTED: Planted = [
  [
    "audit/linked",
    "reads entries of every tenant",
    [
      "SELECT position, at, type, id, entry, hash, octet_length(entry) AS size FROM audit_entries",
      "tenant = ? AND position IN",
      "? <> '' AND position IN",
    ],
  ],
  [
    "audit/by-member",
    "finds entries of a resource by its id alone",
    [
      "SELECT position, at, type, id, entry, hash, octet_length(entry)",
      "AND type = ? AND id = ?",
      "AND ? <> '' AND id = ?",
    ],
  ],
  [
    "audit/tenants",
    "reads checkpoints behind a position, not from it on",
    ["SELECT position, hash, at, key_id", "position >= ?", "position > ?"],
  ],
  [
    "audit/tenants",
    "reads checkpoints of every tenant",
    [
      "SELECT position, hash, at, key_id, signature FROM audit_checkpoints WHERE tenant = ? AND position >= ?",
      "tenant = ?",
      ANYWHERE,
    ],
  ],
  [
    "audit/tenants",
    "reads more checkpoints than it may",
    [
      "SELECT position, hash, at, key_id, signature FROM audit_checkpoints WHERE tenant = ? AND position >= ?",
      LIMIT,
      `${LIMIT} + 1`,
    ],
  ],
  [
    "audit/tenants",
    "finds the last checkpoint of any tenant",
    [
      "SELECT position, hash, at, key_id, signature FROM audit_checkpoints WHERE tenant = ? AND position <= ?",
      "tenant = ?",
      ANYWHERE,
    ],
  ],
  [
    "audit/checkpoints",
    "puts a checkpoint in the place of one that is there",
    [
      "INSERT INTO audit_checkpoints",
      "DO NOTHING",
      "DO UPDATE SET hash = excluded.hash, at = excluded.at, signature = excluded.signature",
    ],
  ],
  [
    "audit/tenants",
    "removes more entries than it may",
    ["SELECT position, at, hash, id FROM audit_entries", LIMIT, `${LIMIT} + 1`],
  ],
  [
    "audit/tenants",
    "removes entries of other tenants",
    ["DELETE FROM audit_entries", "tenant = ?", ANYWHERE],
  ],
  [
    "audit/tenants",
    "removes checkpoints behind what goes",
    ["DELETE FROM audit_checkpoints", "position <= ?", "position + ? > 0"],
  ],
  [
    "audit/tenants",
    "removes checkpoints of other tenants",
    ["DELETE FROM audit_checkpoints", "tenant = ?", ANYWHERE],
  ],
  [
    "audit/secrets",
    "keeps a secret behind the last entry",
    ["DELETE FROM subject_secrets", "tenant = ?", "1 = 0 AND tenant = ?"],
  ],
  [
    "audit/secrets",
    "removes a secret before the last entry",
    ["DELETE FROM subject_secrets", /AND id IS DISTINCT FROM.*$/, "AND (? <> '')"],
  ],
  [
    "audit/secrets",
    "removes secrets of other tenants",
    ["DELETE FROM subject_secrets", "WHERE tenant = ?", "WHERE ? <> ''"],
  ],
  [
    "audit/secrets",
    "hashes under the secret of another tenant",
    ["SELECT position, type, id, version", "s.tenant = ?", "s.tenant <> '' AND ? <> ''"],
  ],
  [
    "audit/secrets",
    "hashes under the secret of another type",
    ["SELECT position, type, id, version", "AND s.type = events.type", ""],
  ],
  [
    "audit/linked",
    "reads entries from a position on, not behind it",
    ["SELECT position, at, type, id, entry, hash, octet_length(entry)", "position > ?", "position >= ?"],
  ],
  [
    "audit/tenants",
    "removes as many entries of each tenant as it may of all",
    ({ audit }) => ({
      audit: {
        ...audit,
        purge: async (purge) => {
          let removed = 0;
          for (const one of await audit.tenants("", 10)) {
            const before = async (tenant: string): Promise<string> => (tenant === one ? of(purge, one) : "");
            removed += await audit.purge({ ...purge, before });
          }
          return removed;
        },
      },
    }),
  ],
  [
    "audit/tenants",
    "removes entries of the instant itself",
    ({ audit }) => ({
      audit: {
        ...audit,
        purge: (purge) =>
          audit.purge({
            ...purge,
            before: async (tenant) => new Date(Date.parse(await of(purge, tenant)) + 1).toISOString(),
          }),
      },
    }),
  ],
  [
    "audit/tenants",
    "removes the entries of every tenant by the instant of one",
    ({ audit }) => ({
      audit: {
        ...audit,
        purge: async (purge) => audit.purge({ ...purge, before: await of(purge, "north") }),
      },
    }),
  ],
];

test.each(PLANTED)("%s finds out a store that %s", async (rule, _, plant) => {
  expect(await violations(AUDIT_CONTRACT, rule, plant)).toContain("broken");
});
