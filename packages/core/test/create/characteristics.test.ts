import type { JsonObject, JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { user } from "../support/bodies.ts";
import type { TestClient } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";
import { bindTestExtension, extended, extendedValue, TEST_URN } from "../support/test-extension.ts";

/** Whether a request sets a value, or the answer that refuses it. */
type Outcome = "set" | "unseen" | "400 mutability";

interface Row {
  readonly mutability: string;
  readonly attribute: string;
  readonly first: JsonValue;
  readonly second: JsonValue;
  readonly post: Outcome;
  /** PUT and PATCH of a first value, where there is none. */
  readonly put: Outcome;
  readonly patch: Outcome;
  /** PUT and PATCH of another value. */
  readonly putAgain: Outcome;
  readonly patchAgain: Outcome;
}

const REFUSED = "400 mutability";
const ROWS: readonly Row[] = [
  {
    mutability: "readWrite",
    attribute: "code",
    first: "a",
    second: "b",
    post: "set",
    put: "set",
    patch: "set",
    putAgain: "set",
    patchAgain: "set",
  },
  {
    mutability: "immutable",
    attribute: "badge",
    first: "a",
    second: "b",
    post: "set",
    put: "set",
    patch: "set",
    putAgain: REFUSED,
    patchAgain: REFUSED,
  },
  {
    mutability: "writeOnly",
    attribute: "pin",
    first: "a",
    second: "b",
    post: "unseen",
    put: "unseen",
    patch: "unseen",
    putAgain: "unseen",
    patchAgain: "unseen",
  },
  {
    mutability: "readOnly",
    attribute: "quota",
    first: 1,
    second: 2,
    post: REFUSED,
    put: REFUSED,
    patch: REFUSED,
    putAgain: REFUSED,
    patchAgain: REFUSED,
  },
];

const newClient = (): TestClient => testService(bindTestExtension()).as("strict");

async function outcome(
  client: TestClient,
  { attribute }: Row,
  { request, value }: { readonly request: Promise<unknown>; readonly value: JsonValue },
): Promise<string> {
  try {
    await request;
  } catch (error) {
    return (await refusal(Promise.reject(error))).answer;
  }
  const shown = extendedValue(await client.resource("User", "id-1"), attribute);
  if (shown === undefined) return "unseen";
  return shown === value ? "set" : `still ${JSON.stringify(shown)}`;
}

describe("R7643-7-04 what mutability allows", () => {
  test.each(ROWS)("$mutability in a POST: $post", async (row) => {
    const client = newClient();
    const request = client.post("User", user(extended({ [row.attribute]: row.first })));
    expect(await outcome(client, row, { request, value: row.first })).toBe(row.post);
  });

  test.each(ROWS)("$mutability without a value: PUT $put, PATCH $patch", async (row) => {
    for (const [expected, send] of [
      [row.put, put],
      [row.patch, patch],
    ] as const) {
      const client = newClient();
      await client.post("User", user());
      const request = send(client, row, row.first);
      expect(await outcome(client, row, { request, value: row.first })).toBe(expected);
    }
  });

  test.each(ROWS)("$mutability with a value: PUT $putAgain, PATCH $patchAgain", async (row) => {
    for (const [expected, send] of [
      [row.putAgain, put],
      [row.patchAgain, patch],
    ] as const) {
      const client = newClient();
      await client.post("User", user(row.post === REFUSED ? {} : extended({ [row.attribute]: row.first })));
      const request = send(client, row, row.second);
      expect(await outcome(client, row, { request, value: row.second })).toBe(expected);
    }
  });
});

function put(client: TestClient, { attribute }: Row, value: JsonValue): Promise<unknown> {
  return client.put("User", "id-1", user(extended({ [attribute]: value })));
}

function patch(client: TestClient, { attribute }: Row, value: JsonValue): Promise<unknown> {
  return client.patch("User", "id-1", [{ op: "replace", path: `${TEST_URN}:${attribute}`, value }]);
}

describe("R7643-7-05 what returned shows", () => {
  const values: JsonObject = { tier: "always", code: "default", hint: "request", pin: "never" };
  const ASKED: readonly (readonly [
    string,
    readonly string[] | null,
    readonly string[] | null,
    readonly string[],
  ])[] = [
    ["nothing", null, null, ["tier", "code"]],
    ["attributes without them", ["userName"], null, ["tier"]],
    ["attributes with them", ["tier", "code", "hint", "pin"], null, ["tier", "code", "hint"]],
    ["excludedAttributes with them", null, ["tier", "code", "hint", "pin"], ["tier"]],
  ];
  const paths = (names: readonly string[] | null): readonly string[] | null =>
    names?.map((name) => (name === "userName" ? name : `${TEST_URN}:${name}`)) ?? null;

  test.each(ASKED)("where a request names %s", async (_, attributes, excludedAttributes, shown) => {
    const client = newClient();
    await client.post("User", user(extended(values)));
    const asked = { attributes: paths(attributes), excludedAttributes: paths(excludedAttributes) };
    const { resources } = await client.list("User", asked);
    const read = await client.resource("User", "id-1", asked);
    for (const resource of [read, resources[0]]) {
      expect(Object.keys((resource?.[TEST_URN] ?? {}) as JsonObject).toSorted()).toEqual(shown.toSorted());
    }
  });
});
