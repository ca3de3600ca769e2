/**
 * What every store of signing keys must do, as data without a test runner.
 * @module
 */
import { type ContractRule, expectEqual } from "@scim/core/testing";
import type { SigningKey, SigningKeyStore } from "../security-events/signing-keys.ts";

/** A rule of a store of signing keys. */
export type SigningKeyRule = ContractRule<{ readonly signingKeys: SigningKeyStore }>;

/** The n-th of March. */
function day(n: number): string {
  return new Date(Date.UTC(2026, 2, n)).toISOString();
}

function key(n: number): SigningKey {
  const [id, at] = [`k${n}`, day(n)];
  return {
    id,
    publicKey: { kty: "EC", kid: id },
    sealed: `sealed ${id}`,
    created: at,
    signsFrom: at,
    retires: null,
  };
}

/** The contract of a store's signing keys. */
export const SIGNING_KEY_CONTRACT: readonly SigningKeyRule[] = [
  {
    rule: "signing-keys/kept",
    name: "keys are in the order in which they sign; each ends where the next one says, and goes then",
    run: async (open) => {
      const { signingKeys } = await open();
      expectEqual(await signingKeys.list(), [], "none");
      await signingKeys.add(key(1), day(11));
      await signingKeys.add(key(3), day(13));
      await signingKeys.add(key(2), day(12));
      const [first, second, third] = [key(1), key(2), key(3)];
      expectEqual(
        await signingKeys.list(),
        [{ ...first, retires: day(13) }, second, { ...third, retires: day(12) }],
        "kept",
      );
      await signingKeys.removeRetired(day(12));
      expectEqual(
        (await signingKeys.list()).map(({ id }) => id),
        ["k1", "k2"],
        "those that are not over",
      );
    },
  },
];
