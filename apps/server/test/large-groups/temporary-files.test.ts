import { GROUP_URN } from "@scim/schemas";
import { expect, test } from "vitest";
import { newFolder, serve } from "../command-line/program.ts";
import { clientOf } from "../over-http/client.ts";
import { newToken } from "../over-http/server.ts";

/** Blocks of 512 bytes that any file may have: a database that is new has room in it, the members of a long body have not. */
const ROOM = 8192;

test("a long body for which there is no room is 503 and says where to look; others are served", async () => {
  const token = newToken();
  const server = await serve({ folder: newFolder(), environment: { SCIM_TOKEN: token }, fileBlocks: ROOM });
  const client = clientOf({ origin: server.origin, base: "/scim/v2", token });
  const members = Array.from({ length: 20_000 }, (_, at) => ({ value: `m${at}`, display: "x".repeat(60) }));
  const body = { schemas: [GROUP_URN], displayName: "long", members };
  expect(await client.call("POST", "/Groups", { body })).toMatchObject({
    status: 503,
    headers: { "retry-after": "1" },
    body: { detail: expect.stringContaining("temporary files (TMPDIR, else /var/tmp)") },
  });
  const short = { ...body, members: members.slice(0, 10) };
  expect((await client.call("POST", "/Groups", { body: short })).status).toBe(201);
});
