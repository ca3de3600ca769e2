import { expect, test } from "vitest";
import { inLanes } from "../../src/delivery/lanes.ts";

test("work that rejects begins nothing more, and is told when nothing is under way any more", async () => {
  const begun: string[] = [];
  const ended: string[] = [];
  const work = async (item: string): Promise<boolean> => {
    begun.push(item);
    if (item === "b1") throw new TypeError("The database is gone.");
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
    ended.push(item);
    return true;
  };
  const items = ["a1", "b1", "a2", "c1", "b2", "d", "e", "f", "g", "h", "i"];
  await expect(inLanes(items, (item) => item.slice(0, 1), work)).rejects.toThrow("The database is gone.");
  const toldAt = ended.length;
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
  expect(ended).toHaveLength(toldAt);
  expect(begun.toSorted()).toEqual(["b1", ...ended].toSorted());
  expect(begun).not.toContain("a2");
});
