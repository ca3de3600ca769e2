import { PROFILES } from "@scim/core";
import { describe, expect, test } from "vitest";
import {
  ADMIN_ROLES,
  administratorOf,
  hasRight,
  roleOfScopes,
  rolesWith,
  scopeOfRole,
  type AdminRight,
} from "../../src/index.ts";

describe("what roles may do", () => {
  test.each<[AdminRight, readonly string[]]>([
    ["read", ["owner", "operator", "support", "tenant-admin"]],
    ["readPersons", ["owner", "operator", "tenant-admin"]],
    ["change", ["owner", "operator", "tenant-admin"]],
    ["operate", ["owner", "operator"]],
    ["own", ["owner"]],
  ])("%s: %j", (right, roles) => {
    expect(rolesWith(right)).toEqual(roles);
    for (const role of ADMIN_ROLES.filter((each) => each !== "tenant-admin"))
      expect(hasRight({ role, tenant: null }, right, null)).toBe(roles.includes(role));
  });

  test.each([
    ["acme", true],
    ["globex", false],
    [null, false],
  ])("an administrator of acme reads %s: %s", (tenant, allowed) => {
    expect(hasRight({ role: "tenant-admin", tenant: "acme" }, "read", tenant)).toBe(allowed);
  });
});

test.each(ADMIN_ROLES)("the scope of %s leads back to it", (role) => {
  const tenant = role === "tenant-admin" ? "acme" : null;
  expect(roleOfScopes([scopeOfRole(role, tenant)])).toEqual({ role, tenant });
  expect(() => scopeOfRole(role, tenant === null ? "acme" : null)).toThrow(TypeError);
});

test.each([
  ["admin", ["admin:support"], { credential: "t1", name: "ann", role: "support", tenant: null }],
  ["admin", ["scim"], null],
  ["admin", [], null],
  ["acme", ["admin"], null],
])("a token of tenant %s with %j is %j", (tenant, scopes, administrator) => {
  const principal = {
    tenant,
    connection: "default",
    scopes: new Set(scopes),
    subject: null,
    profile: PROFILES.tolerant,
    credential: "t1",
    name: "ann",
  };
  expect(administratorOf(principal)).toEqual(administrator);
});
