import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../../src/failure.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";
import { printed } from "./printed.ts";
import { newFolder } from "./program.ts";

const BADGE = "urn:example:params:scim:schemas:extension:acme:1.0:User";
const DOCUMENTS = [
  { id: BADGE, name: "Badge", attributes: [{ name: "badge", type: "integer" }] },
  {
    name: "User",
    endpoint: "/Users",
    schema: "urn:ietf:params:scim:schemas:core:2.0:User",
    schemaExtensions: [{ schema: BADGE, required: false }],
  },
];

test("scim generate reads a running service by a token, or the same documents in a folder", async () => {
  const folder = newFolder();
  mkdirSync(join(folder, "schemas"));
  writeFileSync(join(folder, "schemas", "badge.json"), JSON.stringify(DOCUMENTS));
  const token = newToken();
  const server = await startInProcess({
    SCIM_DATABASE_URL: "sqlite::memory:",
    SCIM_TOKEN: token,
    SCIM_SCHEMAS: join(folder, "schemas"),
  });
  const url = `${server.origin}/scim/v2`;
  const file = join(folder, "scim.ts");
  writeFileSync(join(folder, "token"), `SCIM_TOKEN=${token}\n`);

  const fromService = await printed(["generate", "--url", url], { SCIM_TOKEN: token });
  expect(fromService).toMatchObject({ code: EXIT.ok, stderr: "" });
  expect(fromService.stdout).toContain("extensions: [BADGE_SCHEMA]");
  await printed(["generate", "--url", url, "--out", file, "--token-file", join(folder, "token")], {});
  expect(readFileSync(file, "utf8")).toBe(fromService.stdout);
  const fromFolder = await printed(["generate", "--schemas", join(folder, "schemas")], {});
  expect(fromFolder.stdout).toContain("extensions: [BADGE_SCHEMA]");

  await expect(printed(["generate", "--url", url], {})).rejects.toThrow(/credentials|401|token/i);
  await expect(printed(["generate"], {})).rejects.toMatchObject({ exitCode: EXIT.usage });
  await expect(printed(["generate", "--url", "ftp://x"], {})).rejects.toMatchObject({ exitCode: EXIT.usage });
});
