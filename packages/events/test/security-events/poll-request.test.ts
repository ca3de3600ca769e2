import { expect, test } from "vitest";
import { InvalidPoll, readPoll } from "../../src/index.ts";

test.each([
  [{}, 100],
  [{ maxEvents: 0 }, 0],
  [{ maxEvents: 999 }, 999],
  [{ maxEvents: 1001 }, 1000],
])("R8936-2.2-01: %j asks for %i tokens at most", (body, most) => {
  expect(readPoll(body).maxEvents).toBe(most);
});

const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `t${at}`);
const errors = (count: number): Readonly<Record<string, { readonly err: string }>> =>
  Object.fromEntries(ids(count).map((id) => [id, { err: "invalid_key" }]));

test.each([
  [10_000, 0],
  [0, 10_000],
  [4000, 6000],
])(
  "a poll settles ten thousand tokens at most: %i taken and %i refused, and not one more",
  (taken, refused) => {
    const { ack, setErrs } = readPoll({ ack: ids(taken), setErrs: errors(refused) });
    expect([ack.length, setErrs.size]).toEqual([taken, refused]);
    expect(() => readPoll({ ack: ids(taken + 1), setErrs: errors(refused) })).toThrow(InvalidPoll);
    expect(() => readPoll({ ack: ids(taken), setErrs: errors(refused + 1) })).toThrow(InvalidPoll);
  },
);
