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

/** A key that signs from the n-th on; ids and making are in other orders. */
function key(n: number, created: number): SigningKey {
  const [id, at] = [`k${9 - n}`, day(n)];
  return {
    id,
    publicKey: { kty: "EC", kid: id },
    sealed: `sealed ${id}`,
    created: day(created),
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
      const [first, second, third] = [key(1, 1), key(2, 4), key(3, 3)];
      await signingKeys.add(first, day(11));
      await signingKeys.add(third, day(13));
      await signingKeys.add(second, day(12));
      expectEqual(
        await signingKeys.list(),
        [{ ...first, retires: day(13) }, second, { ...third, retires: day(12) }],
        "kept",
      );
      await signingKeys.removeRetired(day(12));
      expectEqual(
        (await signingKeys.list()).map(({ id }) => id),
        [first.id, second.id],
        "those that are not over",
      );
    },
  },
];
