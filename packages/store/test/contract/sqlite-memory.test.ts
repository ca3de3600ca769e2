import { describe } from "vitest";
import { open } from "../support/folders.ts";
import { checkContract } from "./rules.ts";

describe("SQLite in memory", () => {
  checkContract((lifetime) => open(":memory:", {}, lifetime));
});
