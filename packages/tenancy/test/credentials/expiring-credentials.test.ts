import { expect, test } from "vitest";
import {
  addClientSecret,
  changeTenant,
  createClient,
  createTenant,
  createToken,
  expiringCredentials,
  revokeToken,
} from "../../src/index.ts";
import { testPorts } from "../administration/ports.ts";

const DAY_MS = 86_400_000;

test("tokens and secrets that end within thirty days are found, tenant by tenant, and no others", async () => {
  const ports = testPorts();
  const now = Date.parse(ports.now());
  const inDays = (days: number): string => new Date(now + days * DAY_MS).toISOString();
  for (const tenant of ["acme", "globex", "idle"]) await createTenant(ports, { tenant });
  const names = new Map<string, string>();
  const token = async (tenant: string, name: string, expires: string | null) => {
    const made = await createToken(ports, { tenant, name, expires, createdBy: "ann" });
    names.set(made.id, name);
    return made;
  };
  await token("globex", "soon", inDays(30));
  await token("globex", "later", inDays(30.001));
  await token("globex", "never", null);
  await token("acme", "tomorrow", inDays(1));
  const { id } = await token("acme", "revoked", inDays(2));
  await revokeToken(ports, { tenant: "acme", id });
  await token("idle", "of a suspended tenant", inDays(1));
  await changeTenant(ports, { tenant: "idle", expected: null }, { state: "suspended" });
  await token("admin", "administrator", inDays(29));
  const client = await createClient(ports, { tenant: "acme", createdBy: "ann" });
  for (const [name, expires] of [
    ["secret", inDays(20)],
    ["lasting secret", inDays(300)],
  ] as const) {
    const { secret } = await addClientSecret(ports, client, { expires, createdBy: "ann" });
    names.set(secret.id, name);
  }

  const namesAt = async (present: number): Promise<readonly (string | undefined)[]> => {
    const found: (string | undefined)[] = [];
    for await (const { id: of } of expiringCredentials({ ...ports, now: present })) found.push(names.get(of));
    return found;
  };
  expect(await namesAt(now)).toEqual(["administrator", "tomorrow", "secret", "soon"]);
  // What has ended needs no notice any more.
  expect(await namesAt(now + DAY_MS)).toEqual(["administrator", "secret", "soon", "later"]);
});
