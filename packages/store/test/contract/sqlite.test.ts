import { describe } from "vitest";
import { newFile, open } from "../support/folders.ts";
import { BESIDE, checkContract } from "./rules.ts";

describe("SQLite in a file", () => {
  checkContract((lifetime) => open(newFile(lifetime), BESIDE, lifetime));
});
