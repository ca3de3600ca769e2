/**
 * What the store tells for metrics: nothing where it does not answer soon, so that metrics are told also then.
 * @module
 */
import type { Store } from "@scim/store/sqlite";
import { ADMIN_TENANT } from "@scim/tenancy";
import { inTime } from "../in-time.ts";
import { sharedWhileUnderWay } from "./shared-work.ts";

/** Milliseconds that the store has to answer: with those of who may read, less than a second. */
const ANSWER_MS = 400;

/** The store as metrics ask it. */
export interface StoreAnswers {
  /** Whether it answers, asked once for all who ask meanwhile. */
  readonly isUp: () => Promise<boolean>;
  /** Makes a figure of what is read, once for all who ask meanwhile: null where the store does not answer. */
  readonly figure: <Figure>(read: () => Promise<Figure>) => () => Promise<Figure | null>;
}

/** Asks a store by reading one row that every database has: how much there is to count says nothing of whether it answers. */
export function askStore({ tenants }: Pick<Store, "tenants">): StoreAnswers {
  const ask = sharedWhileUnderWay(() =>
    tenants.find(ADMIN_TENANT).then(
      () => true,
      () => false,
    ),
  );
  const isUp = sharedWhileUnderWay(() => inTime(ask(), { most: ANSWER_MS, late: () => false }));
  return {
    isUp,
    figure: (read) => sharedWhileUnderWay(async () => ((await isUp()) ? read().catch(() => null) : null)),
  };
}
