import { inOtherWords, resources, worlds } from "@scim/fixtures/arbitraries";
import fc from "fast-check";
import { expect, test } from "vitest";
import { idOf } from "../support/client.ts";
import { BASE_URL } from "../support/service.ts";
import { answersTo } from "./normal-form.ts";
import { tryWorld, withoutMeta } from "./try-world.ts";

/** Resources for each schema. */
const BODIES = 3;

test("the answer to a valid resource, in whatever words it is sent, is its normal form", async () => {
  await fc.assert(
    fc.asyncProperty(worlds({ hidden: true, defaults: true }), fc.gen(), async (world, draw) => {
      const { as, thing } = tryWorld(world);
      for (let body = 0; body < BODIES; body += 1) {
        const client = as("strict", { tenant: `tenant ${String(body)}` });
        const sent = draw(inOtherWords, draw(resources, thing), thing);
        const { posted, read } = answersTo(sent, thing, BASE_URL);
        const created = await client.post("Thing", sent);
        expect(withoutMeta(created.resource)).toEqual(posted);
        expect(withoutMeta(await client.resource("Thing", idOf(created)))).toEqual(read);
      }
    }),
    { numRuns: 90 },
  );
});
