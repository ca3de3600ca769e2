import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { EXIT } from "../../src/failure.ts";
import { printed, type Printed } from "../command-line/printed.ts";

const ORPHAN = { issue: "orphanedMember", groupId: "g", memberId: "u", memberType: "User" };
const NONE = { orphanedGroupMembers: [], inconsistentUserGroups: [] };

/** Lets the doctor look at a service that answers everything with the same text. */
async function doctorOf(text: string): Promise<Printed> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/scim+json" }).end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // A server on a port has an address with a port.
  const { port } = server.address() as AddressInfo;
  return printed(["doctor", "--url", `http://127.0.0.1:${port}/scim/v2`], { SCIM_TOKEN: "any" });
}

test.each<[what: string, answer: unknown, told: RegExp]>([
  ["nothing", "", /'orphanedGroupMembers'/],
  ["an empty object", {}, /'orphanedGroupMembers'/],
  ["a list of resources", { totalResults: 0, Resources: [] }, /'orphanedGroupMembers'/],
  ["one list of the two", { orphanedGroupMembers: [] }, /'inconsistentUserGroups'/],
  ["a list that is none", { ...NONE, inconsistentUserGroups: {} }, /'inconsistentUserGroups'/],
  [
    "what is no finding",
    { ...NONE, orphanedGroupMembers: [ORPHAN, { groupId: "g" }] },
    /'orphanedGroupMembers'/,
  ],
  ["circles that are none", { ...NONE, cyclicGroupMembers: "none" }, /'cyclicGroupMembers'/],
  ["a cursor that comes back", { ...NONE, nextCursor: "again" }, /nextCursor/],
])("a service that answers %s is not found sound", async (_what, answer, told) => {
  const call = doctorOf(typeof answer === "string" ? answer : JSON.stringify(answer));
  await expect(call).rejects.toMatchObject({ exitCode: EXIT.failed, message: expect.stringMatching(told) });
});

test.each<[what: string, answer: object, told: string]>([
  ["a service without findings", NONE, "all hold together"],
  ["one with a finding", { ...NONE, orphanedGroupMembers: [ORPHAN] }, "1 member that names nothing"],
])("%s is told as such, though it looks for no circles", async (_what, answer, told) => {
  expect(await doctorOf(JSON.stringify(answer))).toMatchObject({
    code: EXIT.ok,
    stdout: expect.stringContaining(told),
  });
});
