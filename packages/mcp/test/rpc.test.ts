import fc from "fast-check";
import { answerRpc, type ScimTools } from "@scim/mcp";
import { isJsonArray, isJsonObject, type JsonValue } from "@scim/schemas";
import { expect, test } from "vitest";
import { aToolbox } from "./support/service.ts";

const tools: ScimTools = aToolbox();

/** Messages, and what is nearly one. */
const anyRequest = fc.record(
  {
    jsonrpc: fc.constantFrom<JsonValue>("2.0", "2.0", "2.0", "1.0", null),
    id: fc.constantFrom<JsonValue>(1, "a", null, 1.5, {}, [], true),
    method: fc.constantFrom<JsonValue>(
      "scim_user_exists",
      "scim_get_schemas",
      "rpc.discover",
      "rpc.x",
      "",
      7,
      null,
    ),
    params: fc.oneof(
      fc.constantFrom<JsonValue>({ user_id: "1" }, ["1"], ["1", "default", 3], {}, [], null, 7, {
        __proto__x: 1,
      }),
      fc.jsonValue() as fc.Arbitrary<JsonValue>,
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonValue>;

test("whatever is sent, there is one answer for each request that has an id, and none else", async () => {
  const anything = fc.oneof(
    anyRequest,
    fc.array(anyRequest, { maxLength: 4 }),
    fc.jsonValue() as fc.Arbitrary<JsonValue>,
  );
  await fc.assert(
    fc.asyncProperty(anything, async (message) => {
      const answer = await answerRpc(tools, message);
      const answers = answer === null ? [] : Array.isArray(answer) ? answer : [answer];
      for (const each of answers) {
        expect(each).toMatchObject({ jsonrpc: "2.0", id: expect.toSatisfy(isId) });
        expect(Object.keys(each).filter((name) => name === "result" || name === "error")).toHaveLength(1);
      }
      const sent = isJsonArray(message) && message.length > 0 ? message : [message];
      expect(answers).toHaveLength(sent.filter((each) => !isNotification(each)).length);
    }),
    { numRuns: 200 },
  );
});

function isId(id: unknown): boolean {
  return typeof id === "string" || typeof id === "number" || id === null;
}

/** A request without an id; what is no request at all is answered. */
function isNotification(message: JsonValue): boolean {
  if (!isJsonObject(message) || Object.hasOwn(message, "id")) return false;
  const { jsonrpc, method, params = {} } = message;
  return jsonrpc === "2.0" && typeof method === "string" && (isJsonObject(params) || isJsonArray(params));
}
