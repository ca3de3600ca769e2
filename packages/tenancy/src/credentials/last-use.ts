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
  /** Writes what was noted. Where a write fails, it rejects; what is not written then is written with the next. */
  write(): Promise<void>;
}

const MINUTE_MS = 60_000;

/** A use of a token, in milliseconds since 1970. */
interface Use extends Pick<StoredToken, "tenant" | "id"> {
  readonly at: number;
}

/** Makes a collector. Whoever runs it calls `write` every few seconds. */
export function createLastUse({ store, now }: LastUseOptions): LastUse {
  /** When the next use of a token is worth a write, by tenant and id. */
  let next = new Map<string, number>();
  /** The uses to write, by tenant and id. */
  let pending = new Map<string, Use>();
  return {
    used: ({ tenant, id }) => {
      const at = now();
      const key = `${tenant} ${id}`;
      const due = next.get(key) ?? Number.NEGATIVE_INFINITY;
      // Where the clock was set back, the instants ahead of it say nothing.
      if (at < due && due - at <= MINUTE_MS) return;
      next.set(key, at + MINUTE_MS);
      pending.set(key, { tenant, id, at });
    },
    write: async () => {
      const uses = pending;
      pending = new Map();
      const present = now();
      next = new Map([...next].filter(([, due]) => due > present));
      try {
        for (const [key, { tenant, id, at }] of uses) {
          await store.noteUse({ tenant, id }, { at: instant(at), before: instant(at - MINUTE_MS) });
          uses.delete(key);
        }
      } catch (error) {
        // Behind all others: what cannot be written holds up nothing.
        const [failed, ...others] = [...uses];
        pending = new Map([...others, ...(failed === undefined ? [] : [failed]), ...pending]);
        throw error;
      }
    },
  };
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
