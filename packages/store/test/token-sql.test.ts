import { describe, expect, test } from "vitest";
import { sql } from "../src/sql.ts";
import { createClientStore } from "../src/tenancy/client-store.ts";
import { createTokenStore } from "../src/tenancy/token-store.ts";
import { PLAIN_DATABASES } from "./support/plain-databases.ts";

test.each(PLAIN_DATABASES)(
  "a text that is no token makes %s read the tokens that must be tried, of however many",
  async (_name, make) => {
    const { executor, dialect } = await make();
    await executor.run(sql`WITH RECURSIVE numbers (n) AS
      (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
    INSERT INTO tokens (tenant, id, connection, hash, key_id, scopes, created, scheme, revoked)
    SELECT 'acme', 't' || n, 'default', 'h' || n, '1', '[]', '2026-01-01T00:00:00.000Z',
      CASE WHEN n < 1000 THEN 'keyed' WHEN n < 2000 THEN 'sha256' WHEN n < 2990 THEN 'bcrypt' ELSE 'hmac-sha256' END,
      CASE WHEN n >= 2000 AND n < 2990 THEN '2026-01-01T00:00:00.000Z' END FROM numbers`);
    await executor.run({ text: "ANALYZE", params: [] });
    const store = createTokenStore(executor, dialect);
    executor.statements.length = 0;
    expect(await store.findForeignTokens("acme", "2026-01-01T00:00:00.000Z")).toHaveLength(11);
    const [asked] = executor.statements;
    expect((await executor.explain(asked ?? sql``)).join("\n")).toContain("tokens_foreign");
  },
);

describe.each(PLAIN_DATABASES)("what is over on %s", (_name, make) => {
  test("goes by an index, however many tokens and access tokens there are", async () => {
    const { executor, dialect } = await make();
    await executor.run(sql`WITH RECURSIVE numbers (n) AS
      (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
    INSERT INTO tokens (tenant, id, connection, hash, key_id, scopes, created, created_by, expires, revoked)
    SELECT 'acme', 't' || n, 'default', 'h' || n, '1', '[]', '2026-01-01T00:00:00.000Z', 'ada',
      CASE WHEN n <= 10 THEN '2026-01-01T00:00:00.000Z' WHEN n <= 1500 THEN '2027-01-01T00:00:00.000Z' END,
      CASE WHEN n > 2990 THEN '2026-01-01T00:00:00.000Z' WHEN n > 1500 THEN '2027-01-01T00:00:00.000Z' END FROM numbers`);
    await executor.run(sql`WITH RECURSIVE numbers (n) AS
      (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
    INSERT INTO access_tokens (tenant, hash, key_id, client, credential, scopes, created, expires)
    SELECT 'acme', 'h' || n, '1', 'c', 's', '[]', '2026-01-01T00:00:00.000Z',
      CASE WHEN n <= 10 THEN '2026-01-01T00:00:00.000Z' ELSE '2027-01-01T00:00:00.000Z' END FROM numbers`);
    await executor.run({ text: "ANALYZE", params: [] });
    const [tokens, clients] = [createTokenStore(executor, dialect), createClientStore(executor, dialect)];
    executor.statements.length = 0;
    const before = "2026-06-01T00:00:00.000Z";
    expect(await tokens.purgeTokens("acme", before, 15)).toBe(15);
    expect(await tokens.purgeTokens("acme", before, 15)).toBe(5);
    expect(await clients.purgeExpired("acme", before, 6)).toBe(6);
    expect(await clients.purgeExpired("acme", before, 6)).toBe(4);
    // Of assertions there are none, and any way will do.
    const removals = executor.statements.filter(({ text }) => /^DELETE FROM (access_)?tokens/.test(text));
    for (const statement of removals)
      expect((await executor.explain(statement)).join("\n"), statement.text).toMatch(
        /tokens_(revoked|ended)|access_tokens_expires/,
      );
    expect(removals).toHaveLength(6);
  });
});
