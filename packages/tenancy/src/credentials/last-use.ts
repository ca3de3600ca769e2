/**
 * When tokens were last used: noted beside the requests, at most once a minute for each token.
 * @module
 */
import type { StoredToken, TokenStore } from "./port.ts";

/** What noting uses needs. */
export interface LastUseOptions {
  readonly store: Pick<TokenStore, "noteUse">;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
}

/** Collects uses until they are written. */
export interface LastUse {
  /** Notes a use, in memory alone. */
  used(token: Pick<StoredToken, "tenant" | "id">): void;
  /** Writes what was noted. What fails is noted again with the next use. */
  write(): Promise<void>;
}

const MINUTE_MS = 60_000;

/** Makes a collector. Whoever runs it calls `write` every few seconds. */
export function createLastUse({ store, now }: LastUseOptions): LastUse {
  /** When the next use of a token is worth a write, by tenant and id. */
  let next = new Map<string, number>();
  let pending: { readonly tenant: string; readonly id: string; readonly at: number }[] = [];
  return {
    used: ({ tenant, id }) => {
      const at = now();
      const key = `${tenant} ${id}`;
      const due = next.get(key) ?? Number.NEGATIVE_INFINITY;
      // Where the clock was set back, the instants ahead of it say nothing.
      if (at < due && due - at <= MINUTE_MS) return;
      next.set(key, at + MINUTE_MS);
      pending.push({ tenant, id, at });
    },
    write: async () => {
      const uses = pending;
      pending = [];
      const present = now();
      next = new Map([...next].filter(([, due]) => due > present));
      for (const { tenant, id, at } of uses) {
        const use = { at: instant(at), before: instant(at - MINUTE_MS) };
        await store.noteUse({ tenant, id }, use);
      }
    },
  };
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
