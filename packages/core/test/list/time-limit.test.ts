import { describe, expect, test } from "vitest";
import type { ResourceStore, StoreScope } from "../../src/index.ts";
import { user } from "../support/bodies.ts";
import { refusal } from "../support/refusal.ts";
import { testService, type TestService } from "../support/service.ts";
import { recordingStore } from "../support/store-wrappers.ts";

const NEVER = 600_000;
const AT_ONCE = 1;

/** A service whose store goes through resources until it is told to stop. */
function endless(queryTimeout: number): TestService {
  const stopped = (signal: AbortSignal | undefined): Promise<never> =>
    new Promise((_, reject) => {
      const leave = (): void => reject(signal?.reason);
      if (signal?.aborted === true) leave();
      else signal?.addEventListener("abort", leave, { once: true });
    });
  const wrap = (store: ResourceStore): ResourceStore => ({
    ...recordingStore(store, {}),
    query: ({ signal }) => stopped(signal),
  });
  return testService(undefined, { limits: { queryTimeout }, wrap });
}

describe("R7644-3.4.2-05 a query that takes too long", () => {
  test.each(["User", null])("of %s is refused, and says what to do", async (type) => {
    const { answer, detail } = await refusal(endless(AT_ONCE).as().list(type, { filter: "userName pr" }));
    expect(answer).toBe("400 tooMany");
    expect(detail).toMatch(/longer than 0\.001 s: narrow the filter .* index/);
  });

  test("ends with its client, whose reason it tells", async () => {
    const client = new AbortController();
    const context = { signal: client.signal };
    const gone = new Error("gone");
    const query = endless(NEVER).as("strict", context).list("User", { filter: "userName pr" });
    client.abort(gone);
    await expect(query).rejects.toBe(gone);
    await expect(endless(NEVER).as("strict", context).list("User")).rejects.toBe(gone);
  });
});

test("what goes on after a query ends with the client alone", async () => {
  const scopes: StoreScope[] = [];
  const wrap = (store: ResourceStore): ResourceStore => ({
    ...recordingStore(store, {}),
    query: (scope, query) => {
      scopes.push(scope);
      return store.query(scope, query);
    },
  });
  const { as } = testService(undefined, { limits: { queryTimeout: AT_ONCE }, wrap });
  await as().post("User", user({ userName: "anna" }));
  const client = new AbortController();
  const page = await as("strict", { signal: client.signal }).list("User");
  expect(page.totalResults).toBe(1);
  // First asked for after the query: there is no time to be over.
  expect(scopes[0]?.signal).toBe(client.signal);
});
