import { expect, test } from "vitest";
import { foreignHashes } from "../../src/credentials/foreign-hashes.ts";

test("a sealed key is opened once, and the oldest of many is forgotten", () => {
  const opened: string[] = [];
  const seal = {
    seal: (text: string) => text,
    open: (sealed: string) => {
      opened.push(sealed);
      return sealed === "lost" ? null : `key ${sealed}`;
    },
  };
  const hashes = foreignHashes(seal, { compare: async () => false });
  const open = (sealed: string): string | null => hashes.open(sealed);
  for (let times = 0; times < 3; times += 1) expect([open("a"), open("lost")]).toEqual(["key a", null]);
  expect(opened).toEqual(["a", "lost"]);
  for (let at = 0; at < 5000; at += 1) expect(open(`b${at}`)).toBe(`key b${at}`);
  expect(open("b4999")).toBe("key b4999");
  expect(open("a")).toBe("key a");
  expect(opened.filter((each) => each === "b4999")).toHaveLength(1);
  expect(opened.filter((each) => each === "a")).toHaveLength(2);
});
