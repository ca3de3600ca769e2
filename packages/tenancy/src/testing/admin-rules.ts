/**
 * Rules of stores of administrators who sign in elsewhere.
 * @module
 */
import { type ContractRule, expectEqual } from "@scim/core/testing";
import type { AdminIdentity, AdminIssuer } from "../admins/admin-identity.ts";
import type { AdminStore } from "../admins/admin-store.ts";
import { addedAtOnce, MOST } from "./room-rules.ts";

/** A rule of stores of administrators. */
export type AdminStoreRule = ContractRule<{ readonly admins: AdminStore }>;

const EIGHT = "2026-03-01T08:00:00.000Z";
const NINE = "2026-03-01T09:00:00.000Z";
const TEN = "2026-03-01T10:00:00.000Z";

/** An issuer, active unless something else is said. */
export function sampleIssuer(id: string, of: Partial<AdminIssuer> = {}): AdminIssuer {
  return {
    id,
    issuer: "https://id.example",
    jwksUri: "https://id.example/keys",
    audience: "https://scim.example/admin",
    claim: "sub",
    algorithms: ["RS256"],
    groups: null,
    state: "active",
    created: EIGHT,
    createdBy: "ann",
    revision: 1,
    ...of,
  };
}

/** An owner by issuer `i1`, unless something else is said. */
export function sampleIdentity(id: string, of: Partial<AdminIdentity> = {}): AdminIdentity {
  return {
    id,
    issuer: "i1",
    subject: `subject-of-${id}`,
    name: "Ann",
    role: "owner",
    tenant: null,
    expires: null,
    lastUsed: null,
    created: EIGHT,
    createdBy: null,
    revision: 1,
    ...of,
  };
}

/** The contract of stores of administrators, as data without a test runner. */
export const ADMIN_STORE_CONTRACT: readonly AdminStoreRule[] = [
  {
    rule: "admin/issuers",
    name: "an issuer is found as it was added, once for its name and audience, and of two changes the first is kept",
    run: async (open) => {
      const { admins } = await open();
      const one = sampleIssuer("i1", { claim: "oid", algorithms: ["ES256", "EdDSA"], createdBy: null });
      const groups = {
        claim: "groups",
        roles: [
          { group: "Scim Owners", role: "owner", tenant: null },
          { group: "acme-people", role: "tenant-admin", tenant: "acme" },
        ],
      } as const;
      const two = sampleIssuer("i2", { audience: "b", created: NINE, groups });
      const other = sampleIssuer("i3", { issuer: "https://other.example", created: TEN });
      for (const row of [other, two, one]) expectEqual(await admins.addIssuer(row), true, row.id);
      expectEqual(await admins.addIssuer(sampleIssuer("i4")), false, "the same name and audience");
      expectEqual(await admins.addIssuer(sampleIssuer("i1", { audience: "c" })), false, "the same id");
      expectEqual(await admins.listIssuers(), [one, two, other], "all");
      expectEqual(await admins.findIssuers("https://id.example"), [one, two], "of a name");
      for (const name of ["https://id.example/", "https://id.exampl", "https://ID.example"])
        expectEqual(await admins.findIssuers(name), [], "of another name");
      const changed: AdminIssuer = {
        ...one,
        state: "suspended",
        jwksUri: "https://id.example/new",
        algorithms: ["RS256"],
        groups,
        revision: 7,
      };
      expectEqual(await admins.replaceIssuer(changed, 1), true, "first");
      expectEqual(await admins.replaceIssuer({ ...one, revision: 9 }, 1), false, "second");
      expectEqual(await admins.listIssuers(), [changed, two, other], "changed, and the others not");
      expectEqual(await admins.removeIssuer(one), false, "as it was before");
      expectEqual(await admins.removeIssuer(changed), true, "as it is");
      expectEqual((await admins.listIssuers()).length, 2, "left");
    },
  },
  {
    rule: "admin/identities",
    name: "an administrator is found by issuer and subject, is there once, and holds its issuer",
    run: async (open) => {
      const { admins } = await open();
      expectEqual(await admins.addIdentity(sampleIdentity("a")), false, "without its issuer");
      const issuer = sampleIssuer("i1");
      await admins.addIssuer(issuer);
      await admins.addIssuer(sampleIssuer("i2", { audience: "b" }));
      const one = sampleIdentity("a", {
        role: "tenant-admin",
        tenant: "acme",
        expires: TEN,
        createdBy: "ann",
      });
      const two = sampleIdentity("b", { subject: one.subject, issuer: "i2", role: "support", created: NINE });
      expectEqual(await admins.addIdentity(two), true, "first");
      expectEqual(await admins.addIdentity(one), true, "second");
      expectEqual(await admins.addIdentity({ ...one, id: "c" }), false, "the same subject");
      expectEqual(await admins.addIdentity({ ...one, subject: "other" }), false, "the same id");
      expectEqual(await admins.listIdentities(), [one, two], "all");
      expectEqual(await admins.findIdentity(one), one, "found");
      expectEqual(await admins.findIdentity(two), two, "of the other issuer");
      expectEqual(await admins.findIdentity({ issuer: "i1", subject: "other" }), null, "another subject");
      const changed: AdminIdentity = {
        ...one,
        role: "operator",
        tenant: null,
        expires: null,
        name: "B",
        revision: 7,
      };
      expectEqual(await admins.replaceIdentity(changed, 1), true, "changed");
      expectEqual(await admins.replaceIdentity({ ...one, revision: 9 }, 1), false, "second change");
      expectEqual(await admins.findIdentity(one), changed, "as it is now");
      expectEqual(await admins.removeIssuer(issuer), false, "the issuer is held");
      expectEqual(await admins.removeIdentity(one), false, "as it was before");
      expectEqual(await admins.removeIdentity(changed), true, "as it is");
      expectEqual(await admins.findIdentity(one), null, "gone");
      expectEqual(await admins.removeIssuer(issuer), true, "the issuer is free");
    },
  },
  {
    rule: "admin/room",
    name: "of issuers and of administrators over all issuers that are added at once there are no more than may be",
    run: async (open) => {
      const { admins } = await open();
      const issuer = (number: number): Promise<boolean> =>
        admins.addIssuer(sampleIssuer(`i${number}`, { audience: `a${number}` }), undefined, MOST);
      expectEqual(await addedAtOnce(issuer), MOST, "issuers");
      const issuers = await admins.listIssuers();
      expectEqual(issuers.length, MOST, "issuers that there are");
      const identity = (number: number): Promise<boolean> => {
        const of = issuers[number % MOST]?.id ?? "";
        return admins.addIdentity(sampleIdentity(`a${number}`, { issuer: of }), undefined, MOST);
      };
      expectEqual(await addedAtOnce(identity), MOST, "administrators");
      const [first, ...others] = await admins.listIdentities();
      expectEqual(others.length, MOST - 1, "administrators that there are");
      if (first !== undefined) await admins.removeIdentity(first);
      expectEqual(await identity(20), true, "in the place of one that was removed");
      expectEqual(await identity(21), false, "beyond them");
      expectEqual(await admins.addIssuer(sampleIssuer("i20")), true, "where as many may be as come");
    },
  },
  {
    rule: "admin/held-issuer",
    name: "of an administrator that is added and the issuer that is removed at once one is there, and not the other",
    run: async (open) => {
      const { admins } = await open();
      for (let number = 0; number < 12; number += 1) {
        const issuer = sampleIssuer(`i${number}`, { audience: `a${number}` });
        await admins.addIssuer(issuer);
        const [isAdded, isRemoved] = await Promise.all([
          admins.addIdentity(sampleIdentity(`a${number}`, { issuer: issuer.id })),
          admins.removeIssuer(issuer),
        ]);
        expectEqual(isRemoved, !isAdded, "one of both");
      }
    },
  },
  {
    rule: "admin/last-use",
    name: "the last use of an administrator is noted where the one before is long ago, and stays when it is changed",
    run: async (open) => {
      const { admins } = await open();
      await admins.addIssuer(sampleIssuer("i1"));
      const row = sampleIdentity("a");
      await admins.addIdentity(row);
      const other = sampleIdentity("c");
      await admins.addIdentity(other);
      await admins.noteUse("a", { at: NINE, before: EIGHT });
      await admins.noteUse("b", { at: NINE, before: EIGHT });
      const used = { ...row, lastUsed: NINE };
      expectEqual(await admins.listIdentities(), [used, other], "noted of one");
      await admins.noteUse("a", { at: TEN, before: NINE });
      expectEqual(await admins.findIdentity(row), used, "not long ago");
      expectEqual(await admins.replaceIdentity({ ...row, name: "B", revision: 2 }, 1), true, "changed");
      const changed = { ...used, name: "B", revision: 2 };
      expectEqual(await admins.findIdentity(row), changed, "it stays");
      await admins.noteUse("a", { at: TEN, before: TEN });
      expectEqual(await admins.findIdentity(row), { ...changed, lastUsed: TEN }, "later");
    },
  },
  {
    rule: "admin/owner",
    name: "there is an owner while one has not ended and its issuer is active",
    run: async (open) => {
      const { admins } = await open();
      const issuer = sampleIssuer("i1");
      await admins.addIssuer(issuer);
      await admins.addIssuer(sampleIssuer("i2", { audience: "b" }));
      await admins.addIdentity(sampleIdentity("a", { role: "operator" }));
      expectEqual(await admins.hasOwner(EIGHT), false, "an operator is none");
      const owner = sampleIdentity("b", { expires: NINE });
      await admins.addIdentity(owner);
      expectEqual(await admins.hasOwner(EIGHT), true, "an owner");
      expectEqual(await admins.hasOwner(NINE), false, "that has ended");
      const changed = { ...owner, expires: null, revision: 2 };
      await admins.replaceIdentity(changed, 1);
      expectEqual(await admins.hasOwner(TEN), true, "that does not end");
      await admins.replaceIssuer({ ...issuer, state: "suspended", revision: 2 }, 1);
      expectEqual(await admins.hasOwner(TEN), false, "of a suspended issuer");
      await admins.replaceIssuer({ ...issuer, revision: 3 }, 2);
      expectEqual(await admins.hasOwner(TEN), true, "that is active again");
      await admins.removeIdentity(changed);
      expectEqual(await admins.hasOwner(TEN), false, "removed");
    },
  },
];
