import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fileSource, planSync, readMapping, SyncState } from "@scim/sync";
import { TOKEN } from "../../client/test/support/service.ts";
import { lockState } from "../src/state/state-lock.ts";
import { aFile, aFolder, aTarget, run } from "./support/target.ts";

const PROGRAM = fileURLToPath(new URL("support/one-run.ts", import.meta.url));
const COUNT = 60;
const KILLED_AFTER = 20;

test("a run that is killed and started again does the rest, and nothing twice", async () => {
  const folder = aFolder();
  const [mapping, people, state] = ["mapping.yaml", "people.csv", "state"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(
    mapping,
    'resources: [{ type: User, key: "{id}", match: externalId, set: { externalId: "{id}", userName: "u{id}" } }]',
  );
  writeFileSync(people, ["id", ...Array.from({ length: COUNT }, (_, at) => String(at))].join("\n"));
  let asked = 0;
  let created = 0;
  let underWay = 0;
  const sockets = new Set<Socket>();
  const enough = Promise.withResolvers<void>();
  const target = await aTarget({}, async ({ method, socket }, response, pass) => {
    if (!sockets.has(socket)) socket.once("close", () => sockets.delete(socket));
    sockets.add(socket);
    underWay += 1;
    if (method === "POST") {
      await wait(10);
      asked += 1;
      if (asked === KILLED_AFTER) enough.resolve();
    }
    await pass();
    if (response.statusCode === 201) created += 1;
    underWay -= 1;
  });
  const child = spawn(
    process.execPath,
    ["--conditions=@scim/source", PROGRAM, target.baseUrl, TOKEN, mapping, people, state],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const exit = once(child, "exit");
  await Promise.race([enough.promise, exit]);
  child.kill("SIGKILL");
  expect(await exit).toEqual([null, "SIGKILL"]);
  expect(readFileSync(state, "utf8").split("\n").length).toBeGreaterThan(KILLED_AFTER / 2);
  // What was under way when it was killed may still arrive.
  await expect.poll(() => [sockets.size, underWay]).toEqual([0, 0]);
  const first = created;
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(COUNT);
  target.written();

  const options = {
    mapping: readFileSync(mapping, "utf8"),
    sources: { people: fileSource(people) },
    state,
  };
  const { report } = await run(target, options);
  expect(report.failures).toEqual([]);
  expect(target.written()).toHaveLength(COUNT - first);
  expect(created).toBe(COUNT);
  expect(await target.client.users.list().toArray()).toHaveLength(COUNT);
  expect((await run(target, options)).plan.steps).toHaveLength(0);
});

test("a second run on one state is refused while the first one writes, and afterwards with what it planned before", async () => {
  const folder = aFolder();
  const target = await aTarget();
  const state = join(folder, "state");
  const mapping = 'resources: [{ type: User, key: "{id}", match: userName, set: { userName: "u{id}" } }]';
  const options = { mapping, state, sources: { people: aFile("p.csv", "id\n1\n2") } };
  const first = lockState(state);
  await expect(run(target, options)).rejects.toThrow(`Another run uses ${state}`);
  expect(target.written()).toEqual([]);
  first.release();
  const late = await planSync({
    client: target.client,
    mapping: readMapping(mapping, "mapping.yaml"),
    sources: options.sources,
    state: SyncState.read(state, target.baseUrl),
  });
  expect((await run(target, options)).report.done.create).toBe(2);
  target.written();
  await expect(late.apply()).rejects.toThrow("plan again");
  expect(target.written()).toEqual([]);
});
