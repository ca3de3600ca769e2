/**
 * The guards of connections as a process knows them.
 */
import type { Connection, ConnectionGuard } from "@scim/tenancy";
import { expect, onTestFinished, test, vi } from "vitest";
import { connectionGuards } from "../../src/serve/guard.ts";

const OBSERVE: ConnectionGuard = { mode: "observe", atLeast: 50, percent: 10, window: 60, named: [] };
const HOLD: ConnectionGuard = { ...OBSERVE, mode: "hold" };

test("what changes of a guard acts within a second, also where the clock goes back", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const connection: { guard: ConnectionGuard | null } = { guard: null };
  const find = vi.fn<() => Promise<Connection>>(async () => connection as Connection);
  const connections = { find } as unknown as Parameters<typeof connectionGuards>[0]["store"]["connections"];
  const guardOf = connectionGuards({ store: { connections }, guard: OBSERVE });
  expect([await guardOf("acme", "okta"), await guardOf("acme", "okta")]).toEqual([OBSERVE, OBSERVE]);
  expect(find).toHaveBeenCalledOnce();
  connection.guard = HOLD;
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(1000);
  expect(await guardOf("acme", "okta")).toEqual(HOLD);
});
