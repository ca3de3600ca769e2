import { queryOnce } from "@scim/fixtures/postgres";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { logOptions } from "../../src/log.ts";
import { USER } from "../over-http/client.ts";
import { ENGINES } from "../over-http/engines.ts";
import { exchange } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";
import { sendPersonalRequests, TRACE_OF_PERSON } from "./personal-requests.ts";

const ADMIN = newToken("admin");

/** A log that is kept, down to its least level. */
function keptLog() {
  const lines: string[] = [];
  const log = pino(logOptions("trace"), { write: (line: string) => void lines.push(line) });
  return { log, lines };
}

describe.each(ENGINES)("the log of a server on $name", (engine) => {
  test("names each request, its sender and its route, and holds no personal value and no token", async () => {
    const { environment } = await engine.make();
    const { log, lines } = keptLog();
    const server = await startInProcess({ ...environment, SCIM_ADMIN_TOKEN: ADMIN }, log);
    await sendPersonalRequests(server);
    const headers = { authorization: `Bearer ${ADMIN}` };
    for (const path of ["/admin/v1/changes?tenant=default&quokka=4711", "/admin/v1/quokka-4711"])
      await exchange(server.origin, { method: "GET", path, headers });
    await server.stop();
    const text = lines.join("");
    expect(TRACE_OF_PERSON.exec(text.toLowerCase())).toBeNull();
    expect(text).not.toContain(ADMIN);
    expect(text).not.toMatch(/scim_default_[\w-]{5}/);
    const requests = lines.map((line) => JSON.parse(line)).filter(({ route }) => route !== undefined);
    expect(requests.length).toBeGreaterThan(20);
    for (const line of requests) {
      expect(line).toMatchObject({
        req: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-z]+$/),
        method: expect.any(String),
        status: expect.any(Number),
        ms: expect.any(Number),
      });
      if (line.tenant === null)
        expect([line.connection, line.credential, [401, 404].includes(line.status)]).toEqual([
          null,
          null,
          true,
        ]);
      else expect([line.connection, line.credential]).toEqual([expect.any(String), expect.any(String)]);
    }
    expect(new Set(requests.map(({ req }) => req)).size).toBe(requests.length);
    expect(requests.map(({ route }) => route)).toEqual(
      expect.arrayContaining(["/Users", "/Users/{id}", "/Bulk", "/.search", "unknown"]),
    );
    expect(requests.map(({ tenant }) => tenant)).toEqual(expect.arrayContaining(["default", "admin", null]));
  });
});

test("the log tells what PostgreSQL refused by its names, and shows no row", async () => {
  const postgres = ENGINES.find(({ name }) => name === "PostgreSQL");
  const environment = (await postgres?.make())?.environment ?? {};
  const { log, lines } = keptLog();
  const server = await startInProcess(environment, log);
  const refuse = "ALTER TABLE resources ADD CONSTRAINT nobody CHECK (id = '') NOT VALID";
  await queryOnce(environment["SCIM_DATABASE_URL"] ?? "", refuse);
  const body = { schemas: [USER], userName: "wilhelmina.quokka" };
  expect((await server.call("POST", "/Users", { body })).status).toBe(500);
  expect(lines.join("")).toContain('"table":"resources","constraint":"nobody"');
  expect(TRACE_OF_PERSON.exec(lines.join("").toLowerCase())).toBeNull();
});
