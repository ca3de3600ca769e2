import { resources, worlds } from "@scim/fixtures/arbitraries";
import { ENTERPRISE_USER_URN, type JsonObject } from "@scim/schemas";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ResourceStore } from "../../src/index.ts";
import { user } from "../support/bodies.ts";
import { idOf } from "../support/client.ts";
import { testService, type TestService } from "../support/service.ts";
import { tryWorld } from "./try-world.ts";

/** A store whose texts are written in another way. */
function writing(write: (body: JsonObject) => string): (store: ResourceStore) => ResourceStore {
  return (store) => ({
    ...store,
    readText: async (scope, target, select) => {
      const stored = await store.read(scope, target, select);
      if (stored === null) return null;
      const { body, ...others } = stored;
      return { ...others, text: write(body) };
    },
  });
}

const MARKS = ['"', "\\", '\\"', '"}', '","title":"x', "{[", "\\\\", "]}", ":", "\u2028", "\ud83d\ude00"];

/** What is hard to find the end of. */
const HARD = user({
  displayName: MARKS.join(" "),
  title: "\\",
  nickName: '"',
  emails: MARKS.map((mark) => ({ value: mark, display: `${mark}\\` })),
  name: { formatted: '{"value":"}', familyName: "]" },
  active: false,
  [ENTERPRISE_USER_URN]: { department: '"},{', manager: { value: "m1", displayName: '{"' } },
});

/** The resource that a caller is answered who takes it as text. */
async function readAsText({ service, context }: TestService, type: string, id: string): Promise<JsonObject> {
  const request = { type, id, attributes: null, excludedAttributes: null, asText: true };
  const precondition = { ifMatch: null, ifNoneMatch: null };
  const answer = await service.read(context(), { ...request, precondition });
  if (answer.kind !== "resource" || answer.text === undefined) throw new TypeError("There is no text");
  const resource = JSON.parse(answer.text) as JsonObject;
  expect(answer.resource).toEqual(resource);
  return resource;
}

describe("the text of an answer", () => {
  test("holds the resource, whatever the schema and the resource", async () => {
    await fc.assert(
      fc.asyncProperty(worlds({ hidden: true, defaults: true }), fc.gen(), async (world, draw) => {
        const tried = tryWorld(world);
        const id = idOf(await tried.client.post("Thing", draw(resources, tried.thing)));
        expect(await readAsText(tried, "Thing", id)).toEqual(await tried.client.resource("Thing", id));
      }),
      { numRuns: 150 },
    );
  });

  test.each([
    ["as it was written", JSON.stringify],
    ["with white space", (body: JsonObject) => JSON.stringify(body, null, 1)],
    ["with white space at its end", (body: JsonObject) => `${JSON.stringify(body)}\n`],
  ])("is made of a body %s, whatever stands in its strings", async (_, write) => {
    const tested = testService(undefined, { wrap: writing(write) });
    const client = tested.as("tolerant");
    const id = idOf(await client.post("User", HARD));
    const resource = await client.resource("User", id);
    expect(resource).toMatchObject({ displayName: HARD["displayName"], emails: HARD["emails"] });
    expect(await readAsText(tested, "User", id)).toEqual(resource);
  });

  test("leaves out what the schema does not know any more", async () => {
    const write = (body: JsonObject): string => JSON.stringify({ ...body, forgotten: { secret: "x" } });
    const tested = testService(undefined, { wrap: writing(write) });
    const id = idOf(await tested.as().post("User", user({ title: "Dr" })));
    const shown = await readAsText(tested, "User", id);
    expect(shown).toMatchObject({ title: "Dr" });
    expect(shown).not.toHaveProperty("forgotten");
  });

  test("takes over what is shown as it is stored: it comes behind `schemas` and `id`, and before the rest", async () => {
    const write = ({ [ENTERPRISE_USER_URN]: extension = {}, ...others }: JsonObject): string =>
      JSON.stringify({ [ENTERPRISE_USER_URN]: extension, ...others });
    const tested = testService(undefined, { wrap: writing(write) });
    const id = idOf(await tested.as("tolerant").post("User", HARD));
    const names = Object.keys(await readAsText(tested, "User", id));
    expect(names.slice(0, 3)).toEqual(["schemas", "id", "userName"]);
    expect(names.slice(-2)).toEqual([ENTERPRISE_USER_URN, "meta"]);
  });
});
