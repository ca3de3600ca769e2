import { ScimError } from "@scim/schemas";
import { expect, test } from "vitest";
import { ScanTurns } from "../src/query/scan-turns.ts";

/** Takes a turn for each name in order, ends each as soon as it begins, and answers the order in which they began. */
async function order(turns: ScanTurns, names: readonly string[]): Promise<readonly string[]> {
  const begun: string[] = [];
  const first = await turns.take("first");
  const others = names.map(async (name) => {
    const end = await turns.take(name.slice(0, 1));
    begun.push(name);
    end();
  });
  first();
  await Promise.all(others);
  return begun;
}

test("tenants take turns, whoever came first within each", async () => {
  const turns = new ScanTurns({ atOnce: 1 });
  expect(await order(turns, ["a1", "a2", "a3", "a4", "b1", "b2", "c1"])).toEqual([
    "a1",
    "b1",
    "c1",
    "a2",
    "b2",
    "a3",
    "a4",
  ]);
});

test("no more run than may at once", async () => {
  const turns = new ScanTurns({ atOnce: 2 });
  const ends = [await turns.take("a"), await turns.take("b")];
  let third = "waits";
  const waiting = turns.take("c").then((end) => {
    third = "runs";
    return end;
  });
  await Promise.resolve();
  expect(third).toBe("waits");
  ends[0]?.();
  (await waiting)();
  ends[1]?.();
  expect(third).toBe("runs");
});

test("who comes when the queue is full is told to come again", async () => {
  const turns = new ScanTurns({ atOnce: 1, waiting: 1 });
  const end = await turns.take("a");
  const waiting = turns.take("a");
  const refused = await turns.take("b").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ScimError);
  expect(refused).toMatchObject({ code: "unavailable", status: 503, headers: { "retry-after": "5" } });
  end();
  (await waiting)();
  (await turns.take("b"))();
});

test("who goes away while waiting leaves the turn to others", async () => {
  const turns = new ScanTurns({ atOnce: 1 });
  const client = new AbortController();
  const end = await turns.take("a");
  const gone = turns.take("a", client.signal);
  const next = turns.take("b");
  client.abort(new Error("gone"));
  await expect(gone).rejects.toThrow("gone");
  end();
  (await next)();
  await expect(turns.take("a", client.signal)).rejects.toThrow("gone");
});

test("a tenant has no more turns than it may, and another begins at once beside it", async () => {
  const turns = new ScanTurns({ atOnce: 3, perTenant: 2 });
  const ends = [await turns.take("a"), await turns.take("a")];
  let third = "waits";
  const waiting = turns.take("a").then((end) => {
    third = "runs";
    return end;
  });
  ends.push(await turns.take("b"));
  expect(third).toBe("waits");
  // A turn of another tenant is none for it.
  ends.pop()?.();
  await Promise.resolve();
  expect(third).toBe("waits");
  expect(turns.load).toEqual({ running: 2, waiting: 1 });
  ends.pop()?.();
  (await waiting)();
  ends.pop()?.();
  expect(turns.load).toEqual({ running: 0, waiting: 0 });
});

test("a tenant that waits in crowds leaves half of the places to others", async () => {
  const turns = new ScanTurns({ atOnce: 1, waiting: 4 });
  const end = await turns.take("a");
  const crowd = [turns.take("a"), turns.take("a")];
  await expect(turns.take("a")).rejects.toMatchObject({ code: "unavailable" });
  const other = turns.take("b");
  end();
  (await other)();
  (await crowd[0])?.();
  (await crowd[1])?.();
});
