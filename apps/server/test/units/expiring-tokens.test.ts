import { registerToken, tenantOfToken, createTokenHasher, type StoredToken } from "@scim/tenancy";
import { createMemoryTenancy, sampleClient, sampleSecret, sampleTenant } from "@scim/tenancy/testing";
import pino from "pino";
import { expect, test } from "vitest";
import { expiryNotice } from "../../src/credentials/expiry-notice.ts";
import { startExpiryWatch } from "../../src/credentials/expiry-watch.ts";
import { checkTokens } from "../../src/doctor/check-tokens.ts";
import { hmacSha256 } from "../../src/sources.ts";
import { newToken } from "../over-http/server.ts";

const NOW = Date.parse("2026-11-21T00:00:00.000Z");

/** A token of a tenant, with its end. */
async function withToken(
  tokens: ReturnType<typeof createMemoryTenancy>["tokens"],
  id: string,
  expires: string | null,
): Promise<StoredToken> {
  const text = newToken(id.split("-")[0]);
  const tenant = tenantOfToken(text) ?? "";
  const hasher = createTokenHasher([{ id: "1", secret: new Uint8Array(32) }], hmacSha256);
  const of = { id, tenant, connection: "okta", scopes: ["scim"], subject: null, expires } as const;
  const grant = { ...of, name: "laptop of Ann", createdBy: null };
  return registerToken(text, grant, { store: tokens, hasher, now: () => "2026-01-01T00:00:00.000Z" });
}

async function tenancyWithTokens() {
  const tenancy = createMemoryTenancy();
  const created = "2026-01-01T00:00:00.000Z";
  await tenancy.tenants.add(sampleTenant("acme", { created }));
  await withToken(tenancy.tokens, "acme-soon", "2026-12-01T00:00:00.000Z");
  await withToken(tenancy.tokens, "acme-later", "2027-12-01T00:00:00.000Z");
  await withToken(tenancy.tokens, "acme-never", null);
  await withToken(tenancy.tokens, "admin-soon", "2026-12-20T00:00:00.000Z");
  await tenancy.clients.addClient(sampleClient("c1", { tenant: "acme", connection: "okta" }));
  await tenancy.clients.addSecret(
    sampleSecret("s1", { tenant: "acme", expires: "2026-12-10T00:00:00.000Z" }),
  );
  return tenancy;
}

test("a server logs tokens and secrets that end soon, by id alone, and counts them", async () => {
  const tenancy = await tenancyWithTokens();
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  const watch = startExpiryWatch({
    ...tenancy,
    now: () => NOW,
    onExpiring: expiryNotice(log, async () => undefined),
    onError: (error) => {
      throw error;
    },
  });
  await expect.poll(() => watch.count()).toBe(3);
  await watch.stop();
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { event: "token.expiring", tenant: "admin", credential: "admin-soon" },
    {
      event: "token.expiring",
      tenant: "acme",
      connection: "okta",
      credential: "acme-soon",
      expires: "2026-12-01T00:00:00.000Z",
    },
    {
      event: "secret.expiring",
      tenant: "acme",
      connection: "okta",
      credential: "c1",
      secret: "s1",
      expires: "2026-12-10T00:00:00.000Z",
    },
  ]);
  expect(lines.join("")).not.toContain("Ann");
});

test("the doctor warns of them", async () => {
  const setting = { store: await tenancyWithTokens(), tenant: "acme", shared: true };
  expect(await checkTokens({ ...setting, now: NOW })).toMatchObject({
    outcome: "warning",
    detail: "3 end within 30 days, the first acme-soon of tenant 'acme' on 2026-12-01",
    remedy: expect.stringContaining("scim token create"),
  });
  expect(await checkTokens({ ...setting, now: Date.parse("2026-01-02") })).toMatchObject({ outcome: "ok" });
});
