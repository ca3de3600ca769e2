import { PATCH_OP_URN, ScimError } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { ResourceStore } from "../src/index.ts";
import { testService } from "./support/service.ts";

const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const ALL = { attributes: null, excludedAttributes: null };

const members = (count: number) => Array.from({ length: count }, (_, at) => ({ value: `m${at}` }));

describe("a change whose answer cannot be read, since too many are being sent,", () => {
  const busy = (store: ResourceStore): ResourceStore => ({
    ...store,
    snapshot: () => Promise.reject(new ScimError("unavailable", "Too many long answers are being sent now.")),
  });

  async function groupOfFive() {
    const scim = testService(undefined, { limits: { heldReferences: 3 }, wrap: busy });
    const body = { schemas: [GROUP], displayName: "of 5", members: members(5) };
    const { resource } = await scim.service.create(scim.context(), { type: "Group", body, ...ALL });
    const precondition = { ifMatch: null, ifNoneMatch: null };
    const request = { type: "Group", id: String(resource["id"]), precondition, ...ALL, streams: true };
    return { scim, request };
  }

  test.each(["replace", "patch"] as const)("is told as done, without the resource: %s", async (operation) => {
    const { scim, request } = await groupOfFive();
    const added = { op: "add", path: "members", value: [{ value: "m5" }] };
    const body = { schemas: [PATCH_OP_URN], Operations: [added] };
    const whole = { schemas: [GROUP], displayName: "of 6", members: members(6) };
    const answer =
      operation === "patch"
        ? await scim.service.patch(scim.context(), { ...request, body, prefer: "representation" })
        : await scim.service.replace(scim.context(), { ...request, body: whole });
    const stored = await scim.service.read(scim.context(), { ...request, streams: false });
    if (stored.kind !== "resource") throw new TypeError("no resource");
    expect(stored.resource["members"]).toHaveLength(6);
    expect(answer).toMatchObject({ isPartial: true, version: stored.version, location: stored.location });
  });

  test("is a failure where it is a read", async () => {
    const { scim, request } = await groupOfFive();
    await expect(scim.service.read(scim.context(), request)).rejects.toMatchObject({ code: "unavailable" });
  });
});
