import type { ScimTools, ToolDescription } from "@scim/mcp";
import { answerMcp } from "@scim/mcp/protocol";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { aToolbox } from "./support/service.ts";

/** Tools of so many names, and a schema of each name. */
async function many(names: readonly string[]): Promise<ScimTools> {
  const [first] = await aToolbox().list();
  if (first === undefined) throw new TypeError("There are tools.");
  const list = names.map((name): ToolDescription => ({ ...first, name }));
  const schemas = names.map((id): JsonObject => ({ id, name: id }));
  return { list: async () => list, schemas: async () => schemas, call: async () => ({}) };
}

/** A page of a list, as it goes over the wire. */
function pageOf(tools: ScimTools, method: string, cursor?: JsonValue): Promise<JsonObject> {
  return answered(tools, { method, params: cursor === undefined ? {} : { cursor } });
}

async function answered(tools: ScimTools, message: JsonObject, options = {}): Promise<JsonObject> {
  const url = "https://id.example/mcp";
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const body = { jsonrpc: "2.0", id: 1, ...message };
  const answer = await answerMcp(tools, new Request(url, { method: "POST", headers }), { ...options, body });
  // It came as JSON.
  return (await answer.json()) as JsonObject;
}

function resultOf({ result }: JsonObject): JsonObject {
  if (isJsonObject(result)) return result;
  throw new TypeError("There is a result.");
}

function namesIn(page: JsonObject): readonly JsonValue[] {
  const listed = page["tools"] ?? page["resources"];
  return isJsonArray(listed)
    ? listed.map((each) => (isJsonObject(each) ? (each["name"] ?? null) : null))
    : [];
}

const NAMES = Array.from({ length: 450 }, (_, n) => `urn:é:${n}`);

describe.each(["tools/list", "resources/list"])("%s", (method) => {
  test("gives long lists page by page, whichever process is asked", async () => {
    const found: JsonValue[] = [];
    const sizes: number[] = [];
    for (let cursor: JsonValue | undefined; ;) {
      const page = resultOf(await pageOf(await many(NAMES), method, cursor));
      found.push(...namesIn(page));
      sizes.push(namesIn(page).length);
      cursor = page["nextCursor"];
      if (cursor === undefined) break;
    }
    expect(found).toEqual(NAMES);
    expect(sizes).toEqual([200, 200, 50]);
  });

  test("goes on behind what was given, where entries went away before it", async () => {
    const { nextCursor } = resultOf(await pageOf(await many(NAMES), method));
    const page = resultOf(await pageOf(await many(NAMES.slice(100)), method, nextCursor));
    expect(namesIn(page)).toEqual(NAMES.slice(200, 400));
  });

  test("is whole without a cursor where it is short, and refuses a cursor that is none", async () => {
    const short = await many(NAMES.slice(0, 200));
    expect(resultOf(await pageOf(short, method))).not.toHaveProperty("nextCursor");
    for (const cursor of ["", "urn:none", encodeURIComponent("urn:é:449")]) {
      expect(await pageOf(short, method, cursor)).toMatchObject({ error: { code: -32_602 } });
    }
  });
});

test.each([
  [{}, {}],
  [{ listChanges: true }, { listChanged: true }],
])("a server with %j says of its tools %j, and promises nothing else", async (options, tools) => {
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "a", version: "1" } };
  const { capabilities, serverInfo } = resultOf(
    await answered(aToolbox(), { method: "initialize", params }, options),
  );
  expect(capabilities).toEqual({ tools, resources: {} });
  expect(serverInfo).toEqual({ name: "scim", title: "SCIM", version: "unknown" });
});
