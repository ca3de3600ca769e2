import { describe } from "vitest";
import { newFile, open } from "../support/folders.ts";
import { BESIDE, checkContract } from "./rules.ts";

describe("SQLite in a file", () => {
  checkContract(() => open(newFile(), BESIDE));
});
