import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { BULK_REQUEST, GROUP, USER } from "../over-http/client.ts";
import { useInProcess } from "../over-http/use-server.ts";

const client = useInProcess();
let made = 0;

const newName = () => `answered-${(made += 1)}`;

async function results(
  operations: readonly JsonObject[],
  members: JsonObject = {},
): Promise<readonly JsonObject[]> {
  const body = { schemas: [BULK_REQUEST], ...members, Operations: operations };
  const answer = await client.call("POST", "/Bulk", { body });
  expect(answer.status, answer.text).toBe(200);
  // A BulkResponse holds an object for each operation (RFC 7644 §3.7.3).
  return answer.body["Operations"] as readonly JsonObject[];
}

const create = (bulkId: string, members: JsonObject = {}): JsonObject => ({
  method: "POST",
  path: "/Users",
  bulkId,
  data: { schemas: [USER], userName: newName(), ...members },
});
const groupOf = (bulkId: string, member: string): JsonObject => ({
  method: "POST",
  path: "/Groups",
  bulkId,
  data: { schemas: [GROUP], displayName: newName(), members: [{ value: `bulkId:${member}`, type: "User" }] },
});
const remove = (path: string, members: JsonObject = {}): JsonObject => ({
  method: "DELETE",
  path,
  ...members,
});

describe("the answer to a bulk job", () => {
  test("R7644-3.7.2-03 repeats every bulkId, and the method", async () => {
    const { path } = await client.user({ userName: newName() });
    const answers = await results([
      create("ada"),
      create("bob", { title: 5 }),
      remove(path, { bulkId: "gone" }),
    ]);
    expect(answers).toMatchObject([
      { method: "POST", bulkId: "ada", status: "201" },
      { method: "POST", bulkId: "bob", status: "400" },
      { method: "DELETE", bulkId: "gone", status: "204" },
    ]);
  });

  test("R7644-3.7.3-02 has the location of each operation, but of a POST that failed", async () => {
    const { path, id } = await client.user({ userName: newName() });
    const base = client.server.origin + client.server.base;
    const data = { schemas: [USER], title: 5 };
    const answers = await results([
      create("made"),
      create("failed", { title: 5 }),
      { method: "PUT", path, data },
      { method: "PATCH", path, data },
      remove("/Users/never-was"),
      remove(path),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(["201", "400", "400", "400", "404", "204"]);
    const [first, second, ...rest] = answers.map(({ location }) => location);
    expect(String(first).startsWith(`${base}/Users/`)).toBe(true);
    expect(second).toBeUndefined();
    const here = `${base}/Users/${id}`;
    expect(rest).toEqual([here, here, `${base}/Users/never-was`, here]);
  });

  test("R7644-3.7.3-03, A-BLK-01 tells each status as a string", async () => {
    const answers = await results([create("a"), create("b", { title: 5 }), remove("/Users/never-was")]);
    expect(answers.map(({ status }) => status)).toEqual(["201", "400", "404"]);
    expect(answers[2]).toMatchObject({ response: { status: "404" } });
  });

  test("A-BLK-02 refuses a bulkId that nothing defines with 400, one whose POST failed with 409", async () => {
    const answers = await results([
      groupOf("g1", "nobody"),
      create("failed", { title: 5 }),
      groupOf("g2", "failed"),
    ]);
    expect(answers).toMatchObject([
      { bulkId: "g1", status: "400", response: { scimType: "invalidValue" } },
      { bulkId: "failed", status: "400" },
      { bulkId: "g2", status: "409", response: { status: "409" } },
    ]);
  });

  test("A-BLK-03 ends with the operation that failOnErrors ends it at", async () => {
    const answers = await results([create("a"), create("b", { title: 5 }), create("c"), create("d")], {
      failOnErrors: 1,
    });
    expect(answers.map(({ bulkId }) => bulkId)).toEqual(["a", "b"]);
  });
});
