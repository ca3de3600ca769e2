import { isJsonArray, PATCH_OP_URN, ScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { createBodyReader, type ResourceStore } from "../src/index.ts";
import { testService, type TestService } from "./support/service.ts";
import { recordingStore } from "./support/store-wrappers.ts";

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

  const NOT_SENT = { kind: "resource", isPartial: true };

  test.each([
    ["a POST", "create", null, NOT_SENT],
    ["a PUT", "replace", null, NOT_SENT],
    ["a PATCH", "patch", null, { kind: "noContent" }],
    ["a PATCH that asks for it", "patch", "representation", { kind: "noContent" }],
  ] as const)("or is lost with the database behind the write: %s", async (_name, operation, prefer, told) => {
    const { scim, lost, request } = await losingGroup();
    const context = scim.context();
    const added = {
      schemas: [PATCH_OP_URN],
      Operations: [{ op: "add", path: "members", value: members(6) }],
    };
    const six = { schemas: [GROUP], displayName: "of 6", members: members(6) };
    lost.behindWrite = true;
    const answer = await {
      create: async () => scim.service.create(context, { ...request, ...(await staged(scim, six)) }),
      replace: () => scim.service.replace(context, { ...request, body: six }),
      patch: () => scim.service.patch(context, { ...request, body: added, prefer }),
    }[operation]();
    expect(lost.now).toBe(true);
    lost.now = false;
    const id = answer.location.split("/").at(-1) ?? "";
    const stored = await scim.service.read(context, { ...request, id, streams: false });
    if (stored.kind !== "resource") throw new TypeError("no resource");
    const { version, location } = stored;
    expect(stored.resource["members"]).toHaveLength(6);
    expect(answer).toMatchObject({ ...told, version, location });
  });

  /** A service whose database is lost behind the next write, and a group of five in it. */
  async function losingGroup() {
    const lost = { behindWrite: false, now: false };
    const unlessLost = <Answer>(answer: () => Promise<Answer>): Promise<Answer> =>
      lost.now ? Promise.reject(new ScimError("unavailable", "The database cannot be reached.")) : answer();
    const losing = (store: ResourceStore): ResourceStore => ({
      ...recordingStore(store, {}),
      read: (...asked) => unlessLost(() => store.read(...asked)),
      references: (...asked) => unlessLost(() => store.references(...asked)),
      write: async (...asked) => {
        const result = await store.write(...asked);
        lost.now = lost.behindWrite;
        return result;
      },
    });
    const scim = testService(undefined, { limits: { heldReferences: 3 }, wrap: losing });
    const body = { schemas: [GROUP], displayName: "of 5", members: members(5) };
    await scim.service.create(scim.context(), { type: "Group", body, ...ALL });
    const precondition = { ifMatch: null, ifNoneMatch: null };
    return { scim, lost, request: { type: "Group", id: "id-1", precondition, ...ALL, streams: true } };
  }

  /** A body whose members are staged. */
  async function staged({ service, context }: TestService, body: JsonObject) {
    const long = await service.longBody(context(), "Group")?.();
    const reader = long === undefined ? null : createBodyReader(long.reading).collection(["members"]);
    const list = body["members"];
    if (long === undefined || reader === null || !isJsonArray(list)) throw new TypeError("nothing to stage");
    const batch = reader.read(list);
    if (batch !== null) await long.stage(reader.path, batch);
    const stand: JsonValue = [];
    const lists = new Map([[stand, reader.found()]]);
    return { body: { ...body, members: stand }, staged: { stage: long.target, lists } };
  }

  test("is a failure where it is a read", async () => {
    const { scim, request } = await groupOfFive();
    await expect(scim.service.read(scim.context(), request)).rejects.toMatchObject({ code: "unavailable" });
  });
});
