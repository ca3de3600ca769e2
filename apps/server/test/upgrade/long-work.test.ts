import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { previousRelease } from "@scim/fixtures/releases";
import { GROUP_URN, USER_URN } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { runHere } from "../command-line/printed.ts";
import { newFolder, run, serve, type Run } from "../command-line/program.ts";
import { ENGINES } from "../over-http/engines.ts";
import { exchange, resourcesOf, type WireAnswer } from "../over-http/exchange.ts";
import { newToken } from "../over-http/server.ts";

/** As many that a filter without an index goes through them beside the requests. */
const USERS = 600;
/** As many that a body is read beside the requests. */
const MEMBERS = 8000;

const previous = previousRelease();

/** The values of many members, from a number on. */
function membersFrom(first: number): readonly string[] {
  return Array.from(
    { length: MEMBERS },
    (_, index) => `a-member-with-a-${"very-".repeat(18)}long-name-${first + index}`,
  );
}

describe.each(ENGINES)(
  `$name: what ${previous.name} and the present program do beside requests`,
  (engine) => {
    test("imports, long bodies and answers, and filters without an index of each are right at the other", async () => {
      const token = newToken();
      const environment = { ...(await engine.makeBare()).environment, SCIM_TOKEN: token };
      const folder = newFolder();
      const old: Run = { folder, environment, program: previous.program };
      const present: Run = { folder, environment };
      const imported = async (program: Run, name: string): Promise<void> => {
        const records = Array.from({ length: USERS }, (_, index) =>
          JSON.stringify({ schemas: [USER_URN], userName: `${name}-${index}`, nickName: `from ${name}` }),
        );
        writeFileSync(join(folder, `${name}.jsonl`), records.join("\n"));
        const { stdout } = await (program === old ? run : runHere)(["import", `${name}.jsonl`], program);
        expect(stdout).toMatch(/^600 records: 600 created/);
      };
      await imported(old, "old");
      const before = await serve(old);
      await runHere(["migrate"], present);
      const after = await serve(present);
      await imported(present, "present");
      await imported(old, "old-again");
      const ask = (origin: string, method: string, path: string, body: object | null): Promise<WireAnswer> =>
        exchange(origin, {
          method,
          path: `/scim/v2${path}`,
          headers: { authorization: `Bearer ${token}`, "content-type": "application/scim+json" },
          body: body === null ? null : JSON.stringify(body),
        });

      for (const { origin } of [before, after]) {
        for (const [name, count] of [
          ["old", 2 * USERS],
          ["present", USERS],
        ] as const) {
          for (const [filter, expected] of [
            [`nickName co "from ${name}"`, count],
            // By an index.
            [`userName eq "${name}-${USERS - 1}"`, 1],
          ] as const) {
            const query = `/Users?count=0&filter=${encodeURIComponent(filter)}`;
            expect((await ask(origin, "GET", query, null)).body["totalResults"], filter).toBe(expected);
          }
        }
      }

      const group = { schemas: [GROUP_URN], displayName: "Everyone" };
      const made = await ask(before.origin, "POST", "/Groups?attributes=id", group);
      const path = `/Groups/${String(made.body["id"])}`;
      for (const [round, [writer, reader]] of (
        [
          [before, after],
          [after, before],
          [before, after],
        ] as const
      ).entries()) {
        const values = membersFrom(round * 2000);
        const members = values.map((value) => ({ value, type: "User" }));
        const written = await ask(writer.origin, "PUT", `${path}?attributes=displayName`, {
          ...group,
          members,
        });
        expect(written.status, written.text).toBe(200);
        const { body } = await ask(reader.origin, "GET", path, null);
        expect(resourcesIn(body["members"])).toEqual(values);
      }
      for (const { child, ended } of [before, after]) {
        child.kill("SIGTERM");
        expect(await ended).toBe(0);
      }
    });
  },
);

function resourcesIn(members: unknown): readonly string[] {
  return resourcesOf({ Resources: Array.isArray(members) ? members : [] }).map(({ value }) => String(value));
}
