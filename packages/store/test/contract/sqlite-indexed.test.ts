import { RESOURCE_STORE_CONTRACT } from "@scim/core/testing";
import { describe } from "vitest";
import { newFile, open } from "../support/folders.ts";
import { indexed } from "../support/indexed.ts";
import { checkResources } from "./rules.ts";

describe("SQLite with every index declared", () => {
  checkResources(RESOURCE_STORE_CONTRACT, async (lifetime) =>
    indexed(await open(newFile(lifetime), {}, lifetime)),
  );
});
