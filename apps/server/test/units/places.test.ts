import { expect, test } from "vitest";
import { createPlaces } from "../../src/places.ts";

test("a place is free again once its request was answered, and nobody takes those of others", () => {
  const places = createPlaces(2);
  const [first, second] = [places.enter("ours"), places.enter("ours")];
  expect([places.enter("ours"), places.enter("theirs")]).toEqual([null, expect.any(Function)]);
  first?.();
  expect([places.enter("ours"), places.enter("ours")]).toEqual([expect.any(Function), null]);
  second?.();
  expect(places.enter("ours")).not.toBeNull();
});
