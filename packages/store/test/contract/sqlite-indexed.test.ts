import { RESOURCE_STORE_CONTRACT } from "@scim/core/testing";
import { describe } from "vitest";
import { migratedFiles, open } from "../support/folders.ts";
import { indexed } from "../support/indexed.ts";
import { checkResources } from "./rules.ts";

describe("SQLite with every index declared", () => {
  const newFile = migratedFiles();
  checkResources(RESOURCE_STORE_CONTRACT, async (lifetime) =>
    indexed(await open(newFile(lifetime), {}, lifetime)),
  );
});
