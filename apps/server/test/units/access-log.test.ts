import type { RequestRecord } from "@scim/http";
import pino from "pino";
import { describe, expect, test } from "vitest";
import { accessLog } from "../../src/http/access-log.ts";

const RECORD: RequestRecord = {
  requestId: "r-1",
  method: "POST",
  route: "/Bulk",
  status: 200,
  durationMs: 1.5,
  tenant: "acme",
  connection: "okta",
  credential: "t-1",
  switches: [],
  failedOperations: [],
  filterPlan: null,
  errorCode: null,
  failure: undefined,
  aborted: false,
  late: false,
};

/** The lines that a record becomes. */
function linesOf(record: Partial<RequestRecord>): readonly Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  accessLog(log)({ ...RECORD, ...record });
  return lines;
}

const { error: ERROR, warn: WARN, info: INFO } = pino.levels.values;

describe("the log of requests", () => {
  test("a request is one line of its form, status and time", () => {
    expect(linesOf({})).toEqual([
      expect.objectContaining({
        level: INFO,
        req: "r-1",
        route: "/Bulk",
        status: 200,
        ms: 1.5,
        msg: "request",
      }),
    ]);
  });

  test("each line tells who asked for what, however many ask by turns", () => {
    const lines: Record<string, unknown>[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const tell = accessLog(log);
    const asked = Array.from({ length: 1500 }, (_, n) => ({
      method: n % 2 === 0 ? "GET" : "PATCH",
      route: n % 3 === 0 ? "/Users" : "/Groups",
      tenant: n % 7 === 0 ? null : `tenant-${n % 5}`,
      connection: `connection-${n % 11}`,
      credential: `credential-${n}`,
    }));
    for (const who of [...asked, ...asked]) tell({ ...RECORD, ...who });
    expect(
      lines.map(({ method, route, tenant, connection, credential }) => ({
        method,
        route,
        tenant,
        connection,
        credential,
      })),
    ).toEqual([...asked, ...asked]);
  });

  test.each([
    ["name.nickname", "name.nickname"],
    ["emails[0].label", "emails[0].label"],
    ["urn:example:acme:2.0:User:badge.colour", "urn:example:acme:2.0:User:badge.colour"],
    ["ines@example.com", "…"],
    ["emails.ines@example.com", "…"],
    ["a\u009B31m", "…"],
    ["a\n{}", "…"],
  ])("a tolerance stands by the path of its attribute, and no text that cannot be one: %j", (path, shown) => {
    expect(linesOf({ switches: [{ name: "unknown-attributes", path }] })).toEqual([
      expect.objectContaining({ switches: [{ name: "unknown-attributes", path: shown }] }),
    ]);
  });

  test("a client that went away was not answered: its line has neither status nor error", () => {
    const [line] = linesOf({ status: 500, errorCode: "internal", aborted: true });
    expect(line).toMatchObject({ level: INFO, status: null, msg: "client went away" });
    expect(line).not.toHaveProperty("error");
  });

  test("an answer that was cut because its client took too long is a warning", () => {
    expect(linesOf({ late: true })).toEqual([
      expect.objectContaining({
        level: WARN,
        status: 200,
        msg: "answer cut: the client took too long to read it",
      }),
    ]);
  });

  test("failed operations of a bulk job stand by place, method and error", () => {
    const failedOperations = [
      { index: 3, method: "POST", errorCode: "uniqueness", failure: undefined },
      { index: 7, method: "DELETE", errorCode: "notFound", failure: undefined },
    ];
    expect(linesOf({ failedOperations })).toEqual([
      expect.objectContaining({ level: INFO, failedOperations: ["3 POST uniqueness", "7 DELETE notFound"] }),
    ]);
  });

  test("one in which the service failed is an error with its cause, though the job is answered 200", () => {
    const failure = new Error("disk I/O error");
    const failedOperations = [{ index: 3, method: "PUT", errorCode: "internal", failure }];
    expect(linesOf({ failedOperations })).toEqual([
      expect.objectContaining({
        level: ERROR,
        req: "r-1",
        operation: 3,
        err: expect.objectContaining({ message: "disk I/O error" }),
      }),
      expect.objectContaining({ level: INFO, status: 200 }),
    ]);
  });

  test.each<Partial<RequestRecord>>([
    { method: "PATCH", status: 400, errorCode: "invalidPath" },
    { failedOperations: [{ index: 0, method: "PATCH", errorCode: "invalidPath", failure: undefined }] },
  ])("a PATCH whose path names nothing is a warning: %j", (record) => {
    expect(linesOf(record)).toEqual([expect.objectContaining({ level: WARN })]);
  });

  test.each([
    [500, "internal", ERROR],
    [503, "unavailable", ERROR],
    [501, "notImplemented", INFO],
  ] as const)("an answer %i is logged as what it is: %s", (status, errorCode, level) => {
    expect(linesOf({ status, errorCode, failure: new Error("why") })).toEqual([
      expect.objectContaining({ level, status, error: errorCode }),
    ]);
  });
});
