import { expect, test } from "vitest";
import { Turns } from "../src/turns.ts";

test("who had a turn comes behind all who wait, also where more of them were there first", async () => {
  const turns = new Turns({
    atOnce: 1,
    perTenant: () => 1,
    waiting: 10,
    patience: null,
    refusal: "Come again.",
  });
  const begun: string[] = [];
  const end = await turns.take("flooding");
  const waiting = ["flooding", "flooding", "quiet"].map(async (tenant) => {
    const endOne = await turns.take(tenant);
    begun.push(tenant);
    endOne();
  });
  end();
  await Promise.all(waiting);
  expect(begun).toEqual(["quiet", "flooding", "flooding"]);
});
