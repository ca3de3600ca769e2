import { describe, expect, test } from "vitest";
import { loggedError } from "../../src/logged-error.ts";

describe("an error in the log", () => {
  const held = {
    code: "23514",
    constraint: "short",
    detail: "Failing row contains (quokka).",
    where: "quokka",
  };

  test.each([
    ["that holds more than what failed", Object.assign(new Error("why"), held), {}],
    [
      "of an error",
      new TypeError("what", { cause: Object.assign(new Error("why"), held) }),
      {
        type: "TypeError",
        message: "what",
        cause: expect.objectContaining({ code: "23514", message: "why" }),
      },
    ],
    [
      "that stands for several",
      new AggregateError([Object.assign(new Error("why"), held)], "all"),
      { errors: [expect.objectContaining({ constraint: "short" })] },
    ],
    ["that is none", "quokka", { type: "string" }],
  ])("%s", (_, error, told) => {
    expect(loggedError(error)).toMatchObject(told);
    expect(JSON.stringify(loggedError(error))).not.toContain("quokka");
  });

  test("ends where an error is its own cause", () => {
    const error = new Error("round");
    error.cause = error;
    expect(JSON.stringify(loggedError(error)).match(/"message":"round"/g)).toHaveLength(6);
  });
});
