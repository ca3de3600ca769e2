import type { FeedEvent } from "@scim/core";
import { describe, expect, test } from "vitest";
import {
  currentSigningKey,
  listSigningKeys,
  publishedKeys,
  rotateSigningKey,
} from "../../src/security-events/signing-keys.ts";
import { createTokenSigner } from "../../src/security-events/sign.ts";
import { createMemorySigningKeys, sampleReceiver } from "../../src/testing/index.ts";
import { CATALOG } from "../delivery/service.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const EVENT: FeedEvent = {
  position: 1,
  at: "2026-03-01T00:00:00.000Z",
  connection: "first",
  subject: null,
  origin: null,
  kind: "deleted",
  type: "User",
  id: "u1",
  version: "2-x",
  versionBefore: "1-x",
  changed: [],
  before: { userName: "anna" },
  after: null,
  collections: [],
};

function keyService() {
  let [now, keys] = [Date.UTC(2026, 2, 1), 0];
  const ports = {
    signingKeys: createMemorySigningKeys(),
    seal: { seal: (text: string) => `sealed ${text}`, open: (text: string) => text.slice("sealed ".length) },
    newId: () => `k${(keys += 1)}`,
    now: () => now,
  };
  return {
    ports,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    current: async () => (await currentSigningKey(ports)).id,
    published: async () => (await publishedKeys(ports)).keys.map((key) => key["kid"]),
  };
}

describe("signing keys", () => {
  test("the first is made when it is needed, and stays", async () => {
    const { current, published, pass } = keyService();
    expect(await published()).toEqual([]);
    expect(await current()).toBe("k1");
    pass(89 * DAY);
    expect([await current(), await published()]).toEqual(["k1", ["k1"]]);
  });

  test("the next is published an hour before it signs, and the last one long after", async () => {
    const { current, published, pass } = keyService();
    await current();
    pass(90 * DAY);
    expect([await current(), await published()]).toEqual(["k1", ["k1", "k2"]]);
    expect([await current(), await published()], "once").toEqual(["k1", ["k1", "k2"]]);
    pass(HOUR);
    expect(await current()).toBe("k2");
    pass(39 * DAY);
    expect(await published()).toEqual(["k1", "k2"]);
    pass(2 * DAY);
    expect(await published()).toEqual(["k2"]);
    pass(60 * DAY);
    await current();
    expect((await keyNames()).length).toBe(0);

    async function keyNames(): Promise<readonly unknown[]> {
      return (await published()).filter((kid) => kid === "k1");
    }
  });

  test.each([
    ["the first", 0, ["k1"]],
    ["the next", 90 * DAY, ["k1", "k2"]],
  ])("of tokens that are signed at once one makes %s", async (_which, milliseconds, kids) => {
    const { ports, current, published, pass } = keyService();
    if (milliseconds > 0) await current();
    pass(milliseconds);
    const signer = createTokenSigner({ ...ports, catalog: CATALOG, issuerOf: () => "https://scim.example" });
    const receiver = sampleReceiver({ kind: "poll", audience: "them" });
    const tokens = Array.from({ length: 20 }, () => signer.sign(receiver, EVENT));
    expect(await Promise.all(tokens)).toHaveLength(20);
    expect(await published()).toEqual(kids);
  });

  test("one of a process whose clock is ahead signs where the clock is behind, and no other is made", async () => {
    const { current, published, pass } = keyService();
    await current();
    pass(-HOUR / 2);
    expect([await current(), await published()]).toEqual(["k1", ["k1"]]);
  });

  test("one that must not be used any more is changed at once", async () => {
    const { ports, current } = keyService();
    await current();
    await rotateSigningKey(ports, 0);
    expect(await current()).toBe("k2");
  });

  test("one that was changed signs no more after a second, also where the clock was set back", async () => {
    const { ports, current, pass } = keyService();
    await current();
    const signer = createTokenSigner({ ...ports, catalog: CATALOG, issuerOf: () => "https://scim.example" });
    const receiver = sampleReceiver({ kind: "poll", audience: "them" });
    const signedBy = async (): Promise<unknown> => {
      const [header = ""] = (await signer.sign(receiver, EVENT)).split(".");
      return JSON.parse(Buffer.from(header, "base64url").toString());
    };
    expect(await signedBy()).toMatchObject({ kid: "k1" });
    pass(-HOUR);
    await rotateSigningKey(ports, 0);
    pass(1001);
    expect(await signedBy()).toMatchObject({ kid: "k2" });
  });

  test("one that waits for its turn never signs where another is made at once, and ends when that begins", async () => {
    const { ports, current, published, pass } = keyService();
    await current();
    await rotateSigningKey(ports, HOUR);
    pass(HOUR / 2);
    const { signsFrom } = await rotateSigningKey(ports, 0);
    expect([await current(), await published()]).toEqual(["k3", ["k1", "k2", "k3"]]);
    const end = new Date(Date.parse(signsFrom) + 40 * DAY).toISOString();
    expect((await listSigningKeys(ports)).map(({ id, retires }) => [id, retires])).toEqual([
      ["k1", new Date(Date.parse(end) - 1).toISOString()],
      ["k2", end],
      ["k3", null],
    ]);
    pass(41 * DAY);
    expect([await current(), await published()]).toEqual(["k3", ["k3"]]);
  });

  test("what is published holds no private part, and what is stored is sealed", async () => {
    const { ports, current } = keyService();
    await current();
    const { keys } = await publishedKeys(ports);
    expect(Object.keys(keys[0] ?? {}).toSorted()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
    const [stored] = await ports.signingKeys.list();
    expect(stored?.sealed).toMatch(/^sealed \{.*"d":/);
  });
});
