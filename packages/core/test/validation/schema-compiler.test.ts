import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { SchemaCompiler } from "../../src/validation/compile.ts";

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");

/** Collects garbage. What was looked at in a turn is kept to its end. */
async function collectGarbage(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  if (typeof collect === "function") collect();
}

const limited = (limit: number): { readonly type: string; readonly scimMaxLength: number } => ({
  type: "string",
  scimMaxLength: limit,
});

describe("schemas are compiled once, and a bounded number of them is kept", () => {
  test("equal schemas have the same function", () => {
    const compiler = new SchemaCompiler(4);
    const validate = compiler.compile(limited(1));
    expect(compiler.compile(limited(1))).toBe(validate);
    expect([validate("a"), validate("ab")]).toEqual([true, false]);
  });

  test("what is not kept any more, and what nobody holds, is gone from memory", async () => {
    const compiler = new SchemaCompiler(4);
    const compiled: WeakRef<object>[] = [];
    for (let limit = 0; limit < 200; limit += 1)
      compiled.push(new WeakRef<object>(compiler.compile(limited(limit))));
    await collectGarbage();
    const left = compiled.filter((each) => each.deref() !== undefined);
    // Beside those that are kept, those that were compiled together with one of them.
    expect(left.length).toBeLessThan(100);
  });

  test("a function that somebody holds goes on", async () => {
    const compiler = new SchemaCompiler(4);
    const validate = compiler.compile(limited(2));
    for (let limit = 3; limit < 100; limit += 1) compiler.compile(limited(limit));
    await collectGarbage();
    expect([validate("ab"), validate("abc")]).toEqual([true, false]);
  });
});
