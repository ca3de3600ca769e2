import { describe, expect, test } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import { EXIT } from "../../src/failure.ts";
import { eventually } from "../eventually.ts";
import { exchange, type WireAnswer } from "../over-http/exchange.ts";
import { runHere } from "./printed.ts";
import { newFolder, serve } from "./program.ts";

const EMPLOYEE_NUMBER = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber";
const PLAN = "scim-filter-plan";

describe("scim index", () => {
  test("a server builds what an operator declares, and uses it", async () => {
    const folder = newFolder();
    const { origin } = await serve({ folder });
    const { stdout } = await runHere(["token", "create"], { folder });
    const headers = { authorization: `Bearer ${stdout.trim()}`, "content-type": "application/scim+json" };
    for (const number of ["701", "702"]) {
      const body = JSON.stringify({
        schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
        userName: `user ${number}`,
        "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { employeeNumber: number },
      });
      const { status } = await exchange(origin, { method: "POST", path: "/scim/v2/Users", headers, body });
      expect(status).toBe(201);
    }
    const find = (): Promise<WireAnswer> => {
      const filter = encodeURIComponent(`${EMPLOYEE_NUMBER} eq "702"`);
      return exchange(origin, { method: "GET", path: `/scim/v2/Users?filter=${filter}`, headers });
    };
    const before = await find();
    expect([before.headers[PLAN], before.body["totalResults"]]).toEqual([expect.stringContaining("scan"), 1]);

    const flags = ["--type", "User", "--path", EMPLOYEE_NUMBER];
    expect((await runHere(["index", "add", ...flags], { folder })).stdout).toContain("is declared");
    const line = new RegExp(`^User +${EMPLOYEE_NUMBER} +operator +ready .* 2$`, "m");
    await eventually(async () => {
      const { stdout: listed } = await runHere(["index", "list"], { folder });
      expect(listed).toMatch(/^User +userName +always +ready/m);
      expect(listed).toMatch(line);
    });
    // The process that serves hears of it within a second.
    await eventually(async () => {
      const after = await find();
      expect([after.headers[PLAN], after.body["totalResults"]]).toEqual([undefined, 1]);
    });

    expect((await runHere(["index", "drop", ...flags], { folder })).stdout).toContain("not used any more");
    expect((await find()).body["totalResults"]).toBe(1);
  });

  test.each([
    ["an unknown attribute", "hat", "has no attribute hat"],
    ["no path", "a b", "is no attribute path"],
    ["a complex attribute", "name", "it is complex; name a sub-attribute, such as name.formatted"],
    ["a secret", "password", "never returned"],
    ["what columns hold", "meta.created", "apart from the values"],
    ["computed references", "groups.value", "computed"],
    ["photos as bytes", "x509Certificates.value", "binary values are not compared"],
  ])("refuses %s", async (_name, path, message) => {
    const environment = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_DATA_DIR: newFolder() };
    const refused = runCommand(["index", "add", "--type", "User", "--path", path], environment);
    await expect(refused).rejects.toMatchObject({
      name: "CommandFailure",
      exitCode: EXIT.usage,
      message: expect.stringContaining(message),
    });
  });

  test.each([
    [["index"], EXIT.usage, "Use 'scim index list'"],
    [["index", "list", "now"], EXIT.usage, "Use 'scim index list [flags]'"],
    [["index", "add", "--path", "nickName"], EXIT.usage, "--type is missing"],
    [
      ["index", "add", "--type", "Users", "--path", "nickName"],
      EXIT.usage,
      "There is no resource type 'Users'",
    ],
    [["index", "list", "--tenant", "v2"], EXIT.usage, "no name of a tenant"],
    [["index", "add", "--type", "Group", "--path", "members.value"], EXIT.usage, "rows of their own"],
    [["index", "drop", "--type", "User", "--path", "nickName"], EXIT.failed, "has no index"],
    [["index", "drop", "--type", "User", "--path", "userName"], EXIT.failed, "demands the index"],
  ])("%j is refused", async (args, exitCode, message) => {
    const environment = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_DATA_DIR: newFolder() };
    await expect(runCommand(args, environment)).rejects.toMatchObject({
      name: "CommandFailure",
      exitCode,
      message: expect.stringContaining(message),
    });
  });
});
