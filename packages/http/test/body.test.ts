import type { LongBody } from "@scim/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ScimError } from "@scim/schemas";
import { failing, Harness } from "./fake-service.ts";

async function post(body: string | Uint8Array, target = "/Users") {
  const harness = new Harness();
  const response = await harness.send({ method: "POST", target, body });
  return { ...response, received: harness.service.calls[0]?.request };
}

async function* chunks(size: number, count: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < count; sent += 1) yield new Uint8Array(size).fill(0x20);
}

describe("size", () => {
  const MIB = 1_048_576;

  test.each([
    ["/Users", MIB, 400],
    ["/Users", MIB + 1, 413],
    ["/Groups", MIB + 1, 400],
    ["/Groups", 4 * MIB, 400],
    ["/Groups", 4 * MIB + 1, 413],
  ])("%s takes a body of %i bytes: %i", async (target, length, status) => {
    expect((await post(new Uint8Array(length).fill(0x20), target)).status).toBe(status);
  });

  test.each([
    [100, 400],
    [101, 413],
  ])("a stated length of %i bytes, of 100 at most: %i", async (length, status) => {
    const harness = new Harness({ limits: { bodyBytes: 100 } });
    const sent = { headers: { "content-length": String(length) }, body: new Uint8Array(length).fill(0x20) };
    expect((await harness.send({ method: "POST", target: "/Users", ...sent })).status).toBe(status);
  });

  test.each([
    ["/Users", "10485760", "1048576 bytes (1 MiB)", {}],
    ["/Users", "10485760", "1500000 bytes (1.43 MiB)", { bodyBytes: 1_500_000 }],
    ["/Groups", "10485760", "4194304 bytes (4 MiB)", {}],
  ])("a greater Content-Length at %s is refused without reading", async (target, length, limit, limits) => {
    let read = false;
    const body = (async function* () {
      read = true;
      yield new Uint8Array(1_048_577);
    })();
    const headers = { "content-length": length };
    const response = await new Harness({ limits }).send({ method: "POST", target, body, headers });
    expect(response.json).toMatchObject({ status: "413", detail: expect.stringContaining(limit) });
    expect([response.status, read]).toEqual([413, false]);
  });

  test("the rest of a stream past the limit is taken in, and given up in the end", async () => {
    const harness = new Harness({ limits: { bodyBytes: 100 } });
    const patient = await harness.send({ method: "POST", target: "/Users", body: chunks(60, 20) });
    expect(patient.status).toBe(413);
    expect(patient.headers).not.toHaveProperty("connection");
    const endless = await harness.send({ method: "POST", target: "/Users", body: chunks(60, 1_000_000) });
    expect(endless.status).toBe(413);
    expect(endless.headers["connection"]).toBe("close");
  });

  test.each([
    ["in pieces", [60, 40, 20], 120, null],
    ["in pieces, with more in the last than is left", [60, 40, 21], 100, 413],
    ["in pieces that went on beyond", [60, 61, 60, 60], 60, 413],
    ["as a whole", [120], 120, null],
    ["as a whole, longer by a byte", [121], 121, 413],
  ])(
    "what is read by others, piece by piece, is 120 bytes at most: %s",
    async (_name, sizes, read, status) => {
      let taken = 0;
      const harness = new Harness({
        limits: { bodyBytes: 50, collectionBodyBytes: 120 },
        longBodies: async ({ next }) => {
          for (let piece = await next(); piece !== null; piece = await next()) taken += piece.length;
          throw new ScimError("conflict", "It was read to its end.");
        },
      });
      harness.service.longBody = () => () => Promise.reject(new Error("No place is opened."));
      const body = (async function* () {
        for (const size of sizes) yield new Uint8Array(size).fill(0x20);
      })();
      const response = await harness.send({ method: "POST", target: "/Groups", body });
      expect([response.status, taken]).toEqual([status ?? 409, read]);
    },
  );

  test("a change is answered as made where what was staged for it cannot be let go", async () => {
    const harness = new Harness({
      limits: { bodyBytes: 50 },
      longBodies: async ({ open }) => {
        const { target } = await open();
        return { body: { displayName: "x" }, staged: { stage: target, lists: new Map() } };
      },
    });
    const close = async (): Promise<void> => {
      throw new Error("connection lost");
    };
    // What is staged is the reader's affair, which stages nothing here.
    const long = { close } as unknown as LongBody;
    harness.service.longBody = () => async () => long;
    const body = new Uint8Array(51);
    const made = await harness.send({ method: "POST", target: "/Groups", body });
    expect([made.status, harness.service.calls.length]).toEqual([201, 1]);
    harness.service.before = failing("conflict");
    expect((await harness.send({ method: "POST", target: "/Groups", body })).status).toBe(409);
  });

  test("a stream in pieces is one body", async () => {
    const bytes = new TextEncoder().encode('{"userName":"Jürgen ☃"}');
    const harness = new Harness();
    await harness.send({
      method: "POST",
      target: "/Users",
      body: (async function* () {
        for (const byte of bytes) yield Uint8Array.of(byte);
      })(),
    });
    expect(harness.service.calls).toMatchObject([{ request: { body: { userName: "Jürgen ☃" } } }]);
  });
});

describe("JSON syntax", () => {
  test.each([
    ["empty", "", "empty"],
    ["blank", "  ", "expected a value at line 1, column 3"],
    ["not JSON", "userName=x", "expected a value at line 1, column 1"],
    ["cut off", '{"a":', "expected a value at line 1, column 6"],
    ["a comma too many", '{"a":1,}', "expected a member name in double quotes at line 1, column 8"],
    ["a comma too many in an array", "[1,]", "expected a value at line 1, column 4"],
    ["no comma", '{"a":1 "b":2}', "expected ',' or the end of the array or object at line 1, column 8"],
    ["no colon", '{"a" 1}', "expected ':' at line 1, column 6"],
    ["single quotes", "{'a':1}", "expected a member name in double quotes or '}' at line 1, column 2"],
    ["the wrong bracket", '{"a":[1}', "expected ',' or the end of the array or object at line 1, column 8"],
    ["a second value", "{} {}", "expected the end of the body at line 1, column 4"],
    ["a leading zero", '{"a":01}', "expected a value at line 1, column 6"],
    ["NaN", '{"a":NaN}', "expected a value at line 1, column 6"],
    ["a raw line break in a string", '{"a":"x\ny"}', "column 8"],
    [
      "a bad escape",
      '{"a":"\\x"}',
      "a string is not closed, or holds a character to escape at line 1, column 7",
    ],
    ["an open string", '{"a":"x', "a string is not closed"],
    ["a fault on another line", '{\n  "a": 1,\n  b: 2\n}', "at line 3, column 3"],
  ])("R7644-3.8-07 %s is invalidSyntax with a position", async (_name, body, detail) => {
    const response = await post(body);
    expect(response.json).toMatchObject({ status: "400", scimType: "invalidSyntax" });
    expect(response.json).toHaveProperty("detail", expect.stringContaining(detail));
    expect(response.received).toBeUndefined();
  });

  test("a fault never quotes the body", async () => {
    const response = await post('{"password":"t1meMa$heen" x}');
    expect(response.body).not.toContain("t1me");
  });

  test.each([
    ['{"a":1,"a":2}', '"a" occurs twice in one object at line 1, column 8'],
    ['{"x":[{"b":{}},{"c":1,"c":1}]}', '"c" occurs twice'],
    ['{"a":1,"\\u0061":2}', '"a" occurs twice'],
    ['{"__proto__":1,"__proto__":2}', '"__proto__" occurs twice'],
  ])("R7644-3.8-07 a member name twice: %s", async (body, detail) => {
    const response = await post(body);
    expect(response.json).toMatchObject({
      scimType: "invalidSyntax",
      detail: expect.stringContaining(detail),
    });
  });

  test("invalid UTF-8 is invalidSyntax", async () => {
    const response = await post(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d));
    expect(response.json).toMatchObject({
      scimType: "invalidSyntax",
      detail: "The body is not valid UTF-8: it must be text in that encoding, and not compressed.",
    });
  });

  test.each([
    ['{"a":"\\ud83d"}', "at line 1, column 7"],
    ['{"a":"\\uDE00\\uD83D"}', "at line 1, column 7"],
    ['{"a":"\\ud83d\\ude00\\ud83d!"}', "at line 1, column 19"],
    ['{\n"\\\\\\udbff":1}', "at line 2, column 4"],
    ['["\\\\ud83d", "\\ud83dde00"]', "at line 1, column 14"],
  ])("R7643-2.3.1-01 half of a surrogate pair is no character: %s", async (body, place) => {
    const response = await post(body);
    expect(response.json).toMatchObject({ scimType: "invalidValue", detail: expect.stringContaining(place) });
    expect(response.received).toBeUndefined();
  });

  test.each(['{"a":"\\ud83d\\uDE00"}', '{"a":"\\\\ud83d"}', '{"a":"😀 \\u00e9 \\ufffd"}'])(
    "R7643-2.3.1-01 a whole pair passes, as does a backslash before such letters: %s",
    async (body) => {
      expect((await post(body)).status).toBe(201);
    },
  );

  test("a byte order mark is tolerated", async () => {
    const response = await post("\ufeff{}");
    expect(response.status).toBe(201);
  });

  test.each([
    [10_000, "["],
    [10_000, '{"a":'],
    [1_000_000, "["],
  ])("a body nested %i deep with %s is a clean 400", async (depth, open) => {
    const response = await post(open.repeat(depth));
    expect(response.json).toMatchObject({ status: "400", scimType: "invalidSyntax" });
    expect(response.json).toHaveProperty("detail", expect.stringContaining("nests deeper than 64 levels"));
  });

  test("64 levels pass", async () => {
    expect((await post("[".repeat(64) + "]".repeat(64))).status).toBe(201);
    expect((await post("[".repeat(65) + "]".repeat(65))).status).toBe(400);
  });

  test.each([
    ["9007199254740993", 400],
    ["12345678901234567890", 400],
    ["0.12345678901234567890123", 400],
    ["1e400", 400],
    ["-1e400", 400],
    ["1e-400", 400],
    ["9007199254740992", 201],
    ["-9007199254740991", 201],
    ["0.1", 201],
    ["1.50", 201],
    ["100000000000000000000", 201],
    ["1.7976931348623157e308", 201],
    ["1E2", 201],
    ["-0", 201],
    ["0e0", 201],
    ["0.000000000000000000000", 201],
    ["0.1000000000000000000000", 201],
  ])("a number that a double cannot hold is refused: %s answers %i", async (number, status) => {
    const response = await post(`{"a":[${number}]}`);
    expect(response.status).toBe(status);
    if (status === 400) expect(response.json).toMatchObject({ scimType: "invalidValue" });
  });

  test("every JSON value arrives as it was written", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async (value) => {
        const response = await post(JSON.stringify({ value }));
        expect(response.received).toMatchObject({ body: JSON.parse(JSON.stringify({ value })) });
      }),
    );
  });

  test("whatever the bytes, the answer is 201 or 400", async () => {
    const piece = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      "\\",
      ":",
      ",",
      "1",
      "e9",
      "-",
      "true",
      "a",
      " ",
      "\n",
      "\u0000",
    );
    const pieces = fc.array(piece, { maxLength: 30 }).map((all) => all.join(""));
    // Of pieces alone next to nothing is JSON.
    const put = fc.array(fc.tuple(fc.nat(), piece), { maxLength: 2 });
    const object = fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom(1, true, "a", [], [1], {}));
    const ruined = fc
      .tuple(
        object.map((value) => JSON.stringify(value)),
        put,
      )
      .map(([whole, all]) =>
        all.reduce((text, [at, more]) => {
          const place = at % (text.length + 1);
          return text.slice(0, place) + more + text.slice(place);
        }, whole),
      );
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(pieces, ruined), async (text) => {
        const valid = isValid(text);
        const { status, received } = await post(text);
        expect([201, 400]).toContain(status);
        if (status === 201) expect(valid).toBe(true);
        if (!valid) expect(received).toBeUndefined();
        taken += status === 201 ? 1 : 0;
      }),
      { numRuns: 2000 },
    );
    expect(taken).toBeGreaterThan(200);
  });
});

function isValid(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
