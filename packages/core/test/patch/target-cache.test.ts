import { createDefaultRegistry } from "@scim/schemas";
import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../src/limits.ts";
import { createModelCatalog } from "../../src/model/catalog.ts";
import { createTargetBinder } from "../../src/patch/target-cache.ts";
import { PROFILES } from "../../src/profiles/profile.ts";
import { createFilterParser } from "../../src/query/parser.ts";

/** A binder, what it binds in, and how often it asked for a path to be parsed. */
function countingBinder() {
  const parser = createFilterParser({
    maxLength: DEFAULT_LIMITS.filterLength,
    maxDepth: DEFAULT_LIMITS.filterDepth,
  });
  let asked = 0;
  const context = {
    model: createModelCatalog(createDefaultRegistry()).model("User"),
    request: { profile: PROFILES.tolerant, onSwitch: () => undefined },
    parser: {
      ...parser,
      patchPath: (...asking: Parameters<typeof parser.patchPath>) => {
        asked += 1;
        return parser.patchPath(...asking);
      },
    },
  };
  return { binder: createTargetBinder(), context, asked: () => asked };
}

test.each<readonly [string, number]>([
  ["title", 1],
  [`emails[value eq "${"x".repeat(900)}"]`, 1],
  [`emails[value eq "${"x".repeat(2000)}"]`, 2],
  // A key of a value without a path may be as long as the body.
  ["x".repeat(100_000), 2],
])("of paths and keys, short ones alone are kept: case %#", (text, times) => {
  const { binder, context, asked } = countingBinder();
  const bind = () => (text.startsWith("x") ? binder.key(text, context) : binder.path(text, context));
  expect(bind()?.path).toBe(bind()?.path);
  expect(asked()).toBe(times);
});

test("of many paths those that were used last are kept, a thousand of them", () => {
  const { binder, context, asked } = countingBinder();
  const bind = (number: number) => binder.path(`emails[value eq "${number}"]`, context);
  for (let number = 0; number < 1000; number += 1) bind(number);
  // The first is used again, and so the second goes for one more.
  for (const number of [0, 1000, 0]) bind(number);
  expect(asked()).toBe(1001);
  bind(1);
  expect(asked()).toBe(1002);
});
