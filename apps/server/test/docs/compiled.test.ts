import { expect, test } from "vitest";
import { faultsIn, programFolder } from "./blocks/compile.ts";
import { writePrograms } from "./blocks/programs.ts";
import { writeExamples } from "./examples/written.ts";

const folder = programFolder();

// At once: the compiler reads the packages for all of them.
test("every block of a program and every example of a docstring compiles", async () => {
  writePrograms(folder);
  writeExamples(folder);
  expect(await faultsIn(folder)).toBe("");
});
