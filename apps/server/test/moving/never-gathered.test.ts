/**
 * Records that are not written with many others, though they are new: more belongs to them than a row each.
 */
import { fileURLToPath } from "node:url";
import { USER_URN, type JsonObject } from "@scim/schemas";
import { expect, test } from "vitest";
import { runHere } from "../command-line/printed.ts";
import { newFolder } from "../command-line/program.ts";
import { exported, importInto, operatorIn } from "./imports.ts";

const jsonLines = (bodies: readonly JsonObject[]): string =>
  bodies.map((body) => JSON.stringify(body)).join("\n");

test("of new users whose tenant keeps hashes, those with a password have theirs", async () => {
  const folder = newFolder();
  await operatorIn(folder);
  const change = ["tenant", "change", "default", "--secrets", "hash", "--database-url", "sqlite:./scim.db"];
  expect((await runHere(change, { folder })).code).toBe(0);
  const operator = await operatorIn(folder);
  const imported = async (password: string): Promise<object> => {
    const users = ["ann", "ben", "carl"].map((userName) => ({
      schemas: [USER_URN],
      userName,
      ...(userName === "ben" ? { password } : {}),
    }));
    return (await importInto(operator, { folder, name: "u.jsonl", content: jsonLines(users) })).summary;
  };
  expect(await imported("Passw0rd-1")).toMatchObject({ created: 3 });
  expect(await imported("Passw0rd-1")).toMatchObject({ unchanged: 3 });
  expect(await imported("Passw0rd-2")).toMatchObject({ unchanged: 2, replaced: 1 });
});

const DEPARTMENTS = fileURLToPath(new URL("../../../../examples/departments", import.meta.url));

test("of new resources of a type with a unique attribute, those with references have theirs", async () => {
  const folder = newFolder();
  const operator = await operatorIn(folder, { schemas: DEPARTMENTS });
  const departments = ["D1", "D2"].map((code) => ({
    schemas: ["urn:example:params:scim:schemas:acme:1.0:Department"],
    code,
    displayName: code,
    ...(code === "D2" ? { projects: [{ value: "p1" }] } : {}),
  }));
  const { summary, rejected } = await importInto(operator, {
    folder,
    name: "d.jsonl",
    content: jsonLines(departments),
  });
  expect([summary.created, rejected]).toEqual([2, []]);
  const resources = (await exported(operator, "Department"))
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(resources).toMatchObject([{ code: "D1" }, { code: "D2", projects: [{ value: "p1" }] }]);
});
