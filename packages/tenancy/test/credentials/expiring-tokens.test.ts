import { expect, test } from "vitest";
import { changeTenant, createTenant, createToken, expiringTokens, revokeToken } from "../../src/index.ts";
import { testPorts } from "../administration/ports.ts";

const DAY_MS = 86_400_000;

test("tokens that end within thirty days are found, tenant by tenant, and no others", async () => {
  const ports = testPorts();
  const now = Date.parse(ports.now());
  const inDays = (days: number): string => new Date(now + days * DAY_MS).toISOString();
  for (const tenant of ["acme", "globex", "idle"]) await createTenant(ports, { tenant });
  const token = (tenant: string, name: string, expires: string | null) =>
    createToken(ports, { tenant, name, expires, createdBy: "ann" });
  await token("globex", "soon", inDays(30));
  await token("globex", "later", inDays(30.001));
  await token("globex", "never", null);
  await token("acme", "tomorrow", inDays(1));
  const { id } = await token("acme", "revoked", inDays(2));
  await revokeToken(ports, { tenant: "acme", id });
  await token("idle", "of a suspended tenant", inDays(1));
  await changeTenant(ports, { tenant: "idle", expected: null }, { state: "suspended" });
  await token("admin", "administrator", inDays(29));

  const namesAt = async (present: number): Promise<readonly (string | null)[]> => {
    const names: (string | null)[] = [];
    for await (const { name } of expiringTokens({ ...ports, now: present })) names.push(name);
    return names;
  };
  expect(await namesAt(now)).toEqual(["administrator", "tomorrow", "soon"]);
  // What has ended needs no notice any more.
  expect(await namesAt(now + DAY_MS)).toEqual(["administrator", "soon", "later"]);
});
