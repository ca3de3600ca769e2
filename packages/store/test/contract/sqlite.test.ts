import { describe } from "vitest";
import { migratedFiles, open } from "../support/folders.ts";
import { BESIDE, checkContract } from "./rules.ts";

describe("SQLite in a file", () => {
  const newFile = migratedFiles();
  checkContract((lifetime) => open(newFile(lifetime), BESIDE, lifetime));
});
