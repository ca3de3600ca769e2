import { inOtherWords, resources, shapeOf, worlds } from "@scim/fixtures/arbitraries";
import fc from "fast-check";
import { expect, test } from "vitest";
import { idOf } from "../support/client.ts";
import { BASE_URL } from "../support/service.ts";
import { answersTo } from "./normal-form.ts";
import { tryWorld, withoutMeta } from "./try-world.ts";

test("the answer to a valid resource, in whatever words it is sent, is its normal form", async () => {
  await fc.assert(
    fc.asyncProperty(worlds({ hidden: true, defaults: true }), fc.gen(), async (world, draw) => {
      const { client, registry } = tryWorld(world);
      const thing = shapeOf(registry, "Thing");
      const plain = draw(resources, thing);
      const body = draw(inOtherWords, plain, thing);
      const { posted, read } = answersTo(body, thing, BASE_URL);
      const created = await client.post("Thing", body);
      expect(withoutMeta(created.resource)).toEqual(posted);
      expect(withoutMeta(await client.resource("Thing", idOf(created)))).toEqual(read);
    }),
    { numRuns: 300 },
  );
});
