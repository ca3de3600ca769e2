/**
 * What every store of signing keys must do, as data without a test runner.
 * @module
 */
import { type ContractRule, expectEqual } from "@scim/core/testing";
import {
  currentSigningKey,
  publishedKeys,
  rotateSigningKey,
  type SigningKey,
  type SigningKeyPorts,
  type SigningKeyStore,
} from "../security-events/signing-keys.ts";

/** A rule of a store of signing keys. */
export type SigningKeyRule = ContractRule<{ readonly signingKeys: SigningKeyStore }>;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const BEGINNING = Date.UTC(2026, 2, 1);

/** The n-th of March. */
function day(n: number): string {
  return new Date(BEGINNING + (n - 1) * DAY_MS).toISOString();
}

/** Just before the n-th of March. */
function before(n: number): string {
  return new Date(Date.parse(day(n)) - 1).toISOString();
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
  };
}

/** Keys that several processes make and sign with, so many milliseconds behind the beginning. */
function processesOf(signingKeys: SigningKeyStore) {
  let made = 0;
  return (milliseconds: number): SigningKeyPorts => ({
    signingKeys,
    seal: { seal: (text) => text, open: (text) => text },
    newId: () => `k${(made += 1)}`,
    now: () => BEGINNING + milliseconds,
  });
}

/** Ways in which there come to be keys that were made at one time. */
const ROTATIONS: readonly (readonly [
  name: string,
  rotate: (portsAt: (milliseconds: number) => SigningKeyPorts) => Promise<unknown>,
])[] = [
  [
    "keys are made at once while another waits for its turn",
    async (portsAt) => {
      await rotateSigningKey(portsAt(0), 60 * MINUTE_MS);
      await rotateSigningKey(portsAt(MINUTE_MS), 0);
      await rotateSigningKey(portsAt(2 * MINUTE_MS), 0);
    },
  ],
  [
    "two processes whose clocks differ change the key together, and the one behind is the last to add its own",
    async (portsAt) => {
      const behind = portsAt(90 * DAY_MS);
      const keys = await behind.signingKeys.list();
      await currentSigningKey(portsAt(90 * DAY_MS + 20));
      await currentSigningKey({ ...behind, signingKeys: { ...behind.signingKeys, list: async () => keys } });
    },
  ],
];

/** The contract of a store's signing keys. */
export const SIGNING_KEY_CONTRACT: readonly SigningKeyRule[] = [
  {
    rule: "signing-keys/kept",
    name: "keys are in the order in which they sign, and those go whose successor signs since an instant",
    run: async (open) => {
      const { signingKeys } = await open();
      expectEqual(await signingKeys.list(), [], "none");
      const [first, second, third] = [key(1, 5), key(2, 3), key(3, 4)];
      for (const each of [first, second, third]) await signingKeys.add(each, before(1));
      expectEqual(await signingKeys.list(), [first, second, third], "kept");
      await signingKeys.removeReplaced(before(2));
      expectEqual(await signingKeys.list(), [first, second, third], "the second does not sign yet");
      await signingKeys.removeReplaced(day(2));
      expectEqual(await signingKeys.list(), [second, third], "the second signs");
      await signingKeys.removeReplaced(day(9));
      expectEqual(await signingKeys.list(), [third], "the last stays");
    },
  },
  {
    rule: "signing-keys/last",
    name: "a key that is added is the last to sign: those that would sign with it or later make way",
    run: async (open) => {
      const { signingKeys } = await open();
      const [first, second, fourth] = [key(1, 1), key(2, 2), key(4, 3)];
      for (const each of [first, second, fourth]) await signingKeys.add(each, before(1));
      const last = { ...second, id: "k0" };
      await signingKeys.add(last, before(2));
      const making = { signsFrom: before(2) };
      expectEqual(
        await signingKeys.list(),
        [first, { ...fourth, ...making }, { ...second, ...making }, last],
        "kept",
      );
      await signingKeys.removeReplaced(before(2));
      expectEqual(
        await signingKeys.list(),
        [{ ...second, ...making }, last],
        "the last of two that make way",
      );
    },
  },
  {
    rule: "signing-keys/behind",
    name: "a key that is to come behind another is added where that is still the last",
    run: async (open) => {
      const { signingKeys } = await open();
      const [first, second, third] = [key(1, 1), key(2, 2), key(3, 3)];
      const tries: readonly (readonly [last: string | null, added: SigningKey, is: boolean])[] = [
        ["k8", first, false],
        [null, first, true],
        [null, second, false],
        [first.id, second, true],
        [first.id, third, false],
      ];
      for (const [last, added, is] of tries)
        expectEqual(await signingKeys.addBehind(last, added, before(1)), is, `${added.id} behind ${last}`);
      expectEqual(await signingKeys.list(), [first, second], "kept");
      // As for a process whose clock is behind.
      const early = { ...third, signsFrom: day(2) };
      expectEqual(await signingKeys.addBehind(second.id, early, before(2)), true, "of the same time");
      expectEqual(await signingKeys.list(), [first, { ...second, signsFrom: before(2) }, early], "the last");
    },
  },
  {
    rule: "signing-keys/behind",
    name: "of the processes that find the next key missing at once, one makes it",
    run: async (open) => {
      const { signingKeys } = await open();
      const portsAt = processesOf(signingKeys);
      const { id } = await currentSigningKey(portsAt(0));
      const processes = [0, 20, 5, 40, 0].map((milliseconds) => portsAt(90 * DAY_MS + milliseconds));
      const current = await Promise.all(processes.map(async (ports) => (await currentSigningKey(ports)).id));
      expectEqual(current, [id, id, id, id, id], "what signs meanwhile");
      expectEqual((await signingKeys.list()).length, 2, "keys");
    },
  },
  {
    rule: "signing-keys/behind",
    name: "of the processes that find no key at once, one makes the first",
    run: async (open) => {
      const { signingKeys } = await open();
      const processes = [0, 20, 5, 40, 0].map(processesOf(signingKeys));
      const current = await Promise.all(processes.map(async (ports) => (await currentSigningKey(ports)).id));
      const keys = (await signingKeys.list()).map(({ id }) => id);
      expectEqual(keys.length, 1, "keys");
      expectEqual(
        current,
        processes.map(() => keys[0]),
        "what signs",
      );
    },
  },
  ...ROTATIONS.map(([name, rotate]): SigningKeyRule => ({
    rule: "signing-keys/published",
    name: `what signs is published, and for 40 days behind, where ${name}`,
    run: async (open) => {
      const { signingKeys } = await open();
      const portsAt = processesOf(signingKeys);
      const signed = new Map([[(await currentSigningKey(portsAt(0))).id, 0]]);
      await rotate(portsAt);
      for (let n = 0; n <= 300; n += 1) {
        signed.set((await currentSigningKey(portsAt(n * DAY_MS))).id, n);
        const { keys } = await publishedKeys(portsAt(n * DAY_MS));
        const published = new Set(keys.map(({ kid }) => kid));
        const lacking = [...signed].filter(([id, last]) => last > n - 40 && !published.has(id));
        expectEqual(lacking, [], `not published on day ${n}`);
      }
    },
  })),
];
