import { expect, test } from "vitest";
import { sql } from "../src/sql.ts";
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
