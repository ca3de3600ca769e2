import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf, type Client } from "../over-http/client.ts";
import { resourcesOf } from "../over-http/exchange.ts";
import { startOwnServer, type OwnServer } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";

const NAMES = ["a", "b", "c", "d", "e"];

let directory: string;
let settings: Readonly<Record<string, string>>;
let server: OwnServer;
let client: Client;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "scim-pages-"));
  settings = { SCIM_DATABASE_URL: `sqlite:${join(directory, "scim.db")}`, SCIM_TOKEN: newToken() };
  server = await startOwnServer(settings);
  client = clientOf(server);
  for (const userName of NAMES) await client.user({ userName });
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
});

const page = async (by: Client, cursor: string) => {
  const { status, body } = await by.call("GET", `/Users?sortBy=userName&count=2&cursor=${cursor}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return { names: resourcesOf(body).map(({ userName }) => userName), next: body["nextCursor"] };
};

describe("pages by cursor", () => {
  test("A-PAG-03 a cursor beside startIndex is 400 invalidValue", async () => {
    const { next } = await page(client, "");
    for (const cursor of ["", String(next)]) {
      const answer = await client.call("GET", `/Users?sortBy=userName&count=2&startIndex=1&cursor=${cursor}`);
      expect(answer).toMatchObject({ status: 400, body: { scimType: "invalidValue" } });
    }
  });

  test("R9865-5.3-01 no process keeps a walk: it goes on in the next one", async () => {
    const first = await page(client, "");
    await server.stop();
    server = await startOwnServer(settings);
    client = clientOf(server);
    const second = await page(client, String(first.next));
    const third = await page(client, String(second.next));
    expect([first, second, third].flatMap(({ names }) => names)).toEqual(NAMES);
    expect(third.next).toBeUndefined();
  });

  test("R9865-5.2-02 a walk ends where the rights of its caller end", async () => {
    const reader = async (scope: string): Promise<Client> => {
      const token = await server.createToken("--scope", scope);
      return clientOf({ ...server, token });
    };
    const { next } = await page(await reader("scim:read"), "");
    const path = `/Users?sortBy=userName&count=2&cursor=${String(next)}`;
    expect((await (await reader("scim:write")).call("GET", path)).status).toBe(403);
    const nobody = clientOf({ ...server, token: newToken() });
    expect((await nobody.call("GET", path)).status).toBe(401);
  });
});
