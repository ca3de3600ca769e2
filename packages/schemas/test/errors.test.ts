import { describe, expect, test } from "vitest";
import {
  ERROR_CODES,
  ERROR_URN,
  isScimError,
  ScimError,
  type ErrorCode,
  type ErrorResponse,
} from "@scim/schemas";

/** The codes as they were released: status and keyword of each. A change here changes the protocol. */
const RELEASED: Readonly<Record<ErrorCode, readonly [status: number, scimType: string | undefined]>> = {
  invalidFilter: [400, "invalidFilter"],
  tooMany: [400, "tooMany"],
  uniqueness: [409, "uniqueness"],
  mutability: [400, "mutability"],
  invalidSyntax: [400, "invalidSyntax"],
  invalidPath: [400, "invalidPath"],
  noTarget: [400, "noTarget"],
  invalidValue: [400, "invalidValue"],
  invalidVers: [400, "invalidVers"],
  sensitive: [403, "sensitive"],
  invalidCursor: [400, "invalidCursor"],
  expiredCursor: [400, "expiredCursor"],
  invalidCount: [400, "invalidCount"],
  unauthorized: [401, undefined],
  forbidden: [403, undefined],
  notFound: [404, undefined],
  methodNotAllowed: [405, undefined],
  notAcceptable: [406, undefined],
  conflict: [409, undefined],
  versionMismatch: [412, undefined],
  payloadTooLarge: [413, undefined],
  unsupportedMediaType: [415, undefined],
  versionRequired: [428, undefined],
  tooManyRequests: [429, undefined],
  headersTooLarge: [431, undefined],
  internal: [500, undefined],
  notImplemented: [501, undefined],
  unavailable: [503, undefined],
};

/** Every keyword of RFC 7644 §3.12 Table 9 and RFC 9865 §2.1: the compiler demands all of the union. */
const KEYWORDS: Readonly<Record<NonNullable<ErrorResponse["scimType"]>, true>> = {
  invalidFilter: true,
  tooMany: true,
  uniqueness: true,
  mutability: true,
  invalidSyntax: true,
  invalidPath: true,
  noTarget: true,
  invalidValue: true,
  invalidVers: true,
  sensitive: true,
  invalidCursor: true,
  expiredCursor: true,
  invalidCount: true,
};

const CODES: readonly {
  readonly code: string;
  readonly status: number;
  readonly scimType: string | undefined;
}[] = Object.entries(RELEASED).map(([code, [status, scimType]]) => ({ code, status, scimType }));

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}

describe("the table of error codes", () => {
  test("holds the released codes and no other", () => {
    expect(Object.keys(ERROR_CODES).toSorted()).toEqual(Object.keys(RELEASED).toSorted());
  });

  test("has a code for every keyword, under its name", () => {
    const keywords = CODES.flatMap(({ scimType }) => scimType ?? []);
    expect(keywords.toSorted()).toEqual(Object.keys(KEYWORDS).toSorted());
  });

  test("says for each code what leads to it and what to do", () => {
    for (const { cause, remedy } of Object.values(ERROR_CODES)) {
      for (const words of [cause, remedy]) expect(words).toMatch(/^[A-Z].{15,}[^.]\.$/u);
      expect(remedy).not.toBe(cause);
    }
  });

  test("R7644-3.12-03, R7644-3.12-05 has every keyword of the RFCs, under the status that they name", () => {
    const statuses = new Map(CODES.map(({ scimType, status }) => [scimType, status]));
    expect(statuses.get("uniqueness")).toBe(409);
    expect(statuses.get("sensitive")).toBe(403);
    for (const keyword of Object.keys(KEYWORDS)) {
      if (keyword !== "uniqueness" && keyword !== "sensitive") expect(statuses.get(keyword)).toBe(400);
    }
  });

  test("has every status of an error in RFC 7644 §3.12 Table 8", () => {
    const known = new Set(CODES.map(({ status }) => status));
    expect([400, 401, 403, 404, 409, 412, 413, 500, 501].filter((status) => !known.has(status))).toEqual([]);
  });

  test("says for each code where it is defined", () => {
    for (const row of Object.values(ERROR_CODES))
      expect(row.section).toMatch(/^RFC \d{4} §\d+(?:\.\d+)*(?: Table \d)?$/u);
  });
});

describe.each(CODES)("ScimError $code", ({ code, status, scimType }) => {
  const error = new ScimError(isCode(code) ? code : "internal", "What is wrong.");

  test(`has status ${status}`, () => {
    expect(error).toMatchObject({ name: "ScimError", code, status, scimType, detail: "What is wrong." });
  });

  test("R7644-3.12-02 prints its status as a string", () => {
    const keyword = scimType === undefined ? {} : { scimType };
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      schemas: [ERROR_URN],
      status: String(status),
      ...keyword,
      detail: "What is wrong.",
    });
  });
});

describe("a ScimError", () => {
  test("carries members for its body and headers, and keeps its cause to itself", () => {
    const cause = new TypeError("secret");
    const error = new ScimError("versionMismatch", "Read it again.", {
      cause,
      members: { expectedVersion: "a", currentVersion: "b" },
      headers: { ETag: 'W/"b"' },
    });
    expect(error.cause).toBe(cause);
    expect(error.headers).toEqual({ ETag: 'W/"b"' });
    expect(error.toJSON()).toEqual({
      schemas: [ERROR_URN],
      status: "412",
      detail: "Read it again.",
      expectedVersion: "a",
      currentVersion: "b",
    });
    expect(JSON.stringify(error)).not.toContain("secret");
  });

  test("without options has neither cause, members nor headers", () => {
    const error = new ScimError("notFound", "No such user.");
    expect(error).not.toHaveProperty("cause");
    expect([error.members, error.headers]).toEqual([{}, {}]);
  });
});

describe("isScimError", () => {
  const foreign = Object.assign(new Error("from another copy"), { name: "ScimError", code: "notFound" });

  test.each<[what: string, thrown: unknown, is: boolean]>([
    ["a ScimError", new ScimError("notFound", "No such user."), true],
    ["a ScimError of another copy of the package", foreign, true],
    ["another error", new Error("ScimError"), false],
    ["an error with one of our codes", Object.assign(new Error("x"), { code: "notFound" }), false],
    [
      "a ScimError of an unknown code",
      Object.assign(new Error("x"), { name: "ScimError", code: "toString" }),
      false,
    ],
    ["an object that looks like one", { name: "ScimError", code: "notFound", message: "x" }, false],
    ["null", null, false],
    ["a text", "notFound", false],
  ])("of %s", (_what, thrown, is) => {
    expect(isScimError(thrown)).toBe(is);
  });
});
