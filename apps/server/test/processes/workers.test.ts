import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { newFolder, run, serve, start, type Served } from "../command-line/program.ts";
import { exchange } from "../over-http/exchange.ts";
import { takenPort } from "../taken-port.ts";

/** Makes trouble for each worker that is started again, one trouble after the other, and tells how many it made. */
const TROUBLES = `--import=data:text/javascript,${encodeURIComponent(`
  import cluster from "node:cluster";
  import { writeSync } from "node:fs";
  const { fork } = cluster;
  let started = 0;
  const isTold = ({ process: child }) => child.prependListener("internalMessage", ({ act }) => {
    if (act !== "queryServer") return;
    writeSync(2, "trouble\\n");
    process.kill(child.pid, "SIGKILL");
    // Until it is gone, and its end of the channel with it.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  });
  cluster.fork = (environment) => {
    started += 1;
    // While it is told where to listen.
    if (started === 3) {
      const worker = fork(environment);
      isTold(worker);
      return worker;
    }
    // It cannot be started, which is told behind that.
    if (started === 4) {
      writeSync(2, "trouble\\n");
      const { execPath } = process;
      process.execPath = "/nothing";
      try {
        return fork(environment);
      } finally {
        process.execPath = execPath;
      }
    }
    if (started !== 5) return fork(environment);
    // It cannot be started, which is told at once.
    writeSync(2, "trouble\\n");
    throw Object.assign(new Error("spawn ENOMEM"), { code: "ENOMEM" });
  };
`)}`;

/** Lets a worker that died be started again after ten minutes, and not after 0.1 seconds. */
const LONG_WAIT = `--import=data:text/javascript,${encodeURIComponent(`
  import cluster from "node:cluster";
  const wait = globalThis.setTimeout;
  if (cluster.isPrimary)
    globalThis.setTimeout = (task, time, ...rest) => wait(task, time === 100 ? 600_000 : time, ...rest);
`)}`;

/** Lets the first workers be asked whether they are alive every 0.15 seconds, and not every five, once two listen. */
const FAST_BEATS = `--import=data:text/javascript,${encodeURIComponent(`
  import cluster from "node:cluster";
  const repeat = globalThis.setInterval;
  const { fork } = cluster;
  let started = 0;
  let ready = 0;
  if (cluster.isPrimary) {
    cluster.on("message", (worker, { kind }) => void (ready += kind === "ready" ? 1 : 0));
    cluster.fork = (environment) => {
      started += 1;
      return fork({ ...environment, ...(started === 3 ? { SCIM_TEST_HANG: process.env.SCIM_TEST_THIRD } : {}) });
    };
    globalThis.setInterval = (task, time, ...rest) =>
      time === 5000 && started <= 3
        ? repeat(() => { if (ready >= 2) task(); }, 150)
        : repeat(task, time, ...rest);
  }
  // Before it listens.
  if (process.env.SCIM_TEST_HANG === "hangs") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
`)}`;

/** The lines of a log. */
function linesOf(server: Served): readonly Readonly<Record<string, unknown>>[] {
  return server
    .stdout()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
}

/** Process ids of the children of a process, as Linux tells them. */
function childrenOf(pid: number | undefined): readonly number[] {
  const text = readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(20);
}

/** The status of an answer; 0 where none comes. */
async function health(server: Served, path = "/readyz"): Promise<number> {
  const headers = { connection: "close" };
  const answer = exchange(server.origin, { method: "GET", path, headers }).catch(() => null);
  return (await Promise.race([answer, delay(500, null)]))?.status ?? 0;
}

/** Resolves when a request has ended, with an answer or without. */
async function endOfCall({ origin }: Served): Promise<string> {
  await exchange(origin, { method: "GET", path: "/healthz", headers: { connection: "close" } }).catch(
    () => null,
  );
  return "ended";
}

function welcomes(server: Served): number {
  return server.stderr().split("SCIM 2.0  ").length - 1;
}

describe("scim serve --workers", () => {
  test("serves one port from several processes, which log their number, welcomes and warns once, makes the tokens of a first start once, and stops on a signal to the whole group, as a terminal sends it", async () => {
    const folder = newFolder();
    const environment = { SCIM_GUARD_DEACTIVATING: "acitve", SCIM_TOOLS_ALLOW: "scim_qurey" };
    const server = await serve({ folder, environment }, "--workers", "3");
    expect(childrenOf(server.child.pid)).toHaveLength(3);
    expect(welcomes(server)).toBe(1);
    expect(linesOf(server).filter(({ attribute }) => attribute === "acitve")).toHaveLength(1);
    expect(linesOf(server).filter(({ tool }) => tool === "scim_qurey")).toHaveLength(1);
    const listed = await run(["token", "list"], { folder });
    expect(listed.stdout.trim().split("\n")).toHaveLength(2);
    const token =
      /^SCIM_TOKEN=(.*)$/m.exec(readFileSync(join(folder, "data/credentials"), "utf8"))?.[1] ?? "";
    const headers = { authorization: `Bearer ${token}`, connection: "close" };
    const calls = Array.from({ length: 12 }, () =>
      exchange(server.origin, { method: "GET", path: "/scim/v2/Users", headers }),
    );
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200));
    const answered = () => linesOf(server).filter(({ route }) => route === "/Users");
    await until(() => answered().length === calls.length);
    expect(new Set(answered().map(({ worker }) => worker))).toEqual(new Set([1, 2, 3]));
    for (const pid of [server.child.pid, ...childrenOf(server.child.pid)])
      process.kill(Number(pid), "SIGINT");
    expect(await server.ended).toBe(0);
    expect(linesOf(server).filter(({ msg }) => msg === "stopped")).toHaveLength(4);
  });

  test("starts a worker again that died, on the same port, and says so; a client whose connection was handed to it waits for no answer", async () => {
    // The separator that `npm start --` may bring along says no more than that no flag follows.
    const server = await serve({ folder: newFolder() }, "--workers", "2", "--");
    const before = childrenOf(server.child.pid);
    // Neither takes anything any more.
    for (const pid of before) process.kill(pid, "SIGSTOP");
    const calls = before.map(() => endOfCall(server));
    // Time for the first process to hand them over; those that it has not yet are not lost.
    await delay(500);
    for (const pid of before) process.kill(pid, "SIGKILL");
    expect(await Promise.race([Promise.all(calls), delay(20_000, "some wait")])).toEqual(
      calls.map(() => "ended"),
    );
    await until(() => linesOf(server).filter(({ msg }) => msg === "SCIM is served").length === 1);
    await until(async () => (await health(server)) === 200);
    const died = linesOf(server).filter(({ msg }) => String(msg).startsWith("a worker died"));
    expect(new Map(died.map(({ worker, signal }) => [worker, signal]))).toEqual(
      new Map([
        [1, "SIGKILL"],
        [2, "SIGKILL"],
      ]),
    );
    for (const { waitMs } of died) expect(waitMs).toBe(100);
    await until(() => childrenOf(server.child.pid).length === 2);
    expect(childrenOf(server.child.pid).some((pid) => before.includes(pid))).toBe(false);
    expect(welcomes(server)).toBe(1);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  test("outlives workers that die while they are told where to listen, or cannot be started, told at once or behind that", async () => {
    const environment = { NODE_OPTIONS: TROUBLES };
    const server = await serve({ folder: newFolder(), environment }, "--workers", "2");
    const [first] = childrenOf(server.child.pid);
    process.kill(Number(first), "SIGKILL");
    const troubles = () => server.stderr().split("trouble\n").length - 1;
    const isWhole = async (): Promise<boolean> =>
      troubles() === 3 && childrenOf(server.child.pid).length === 2 && (await health(server)) === 200;
    await Promise.race([until(isWhole), server.ended]);
    expect(troubles()).toBe(3);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  test("ends a worker that answers nothing any more, says so, and starts another in its place", async () => {
    const environment = { NODE_OPTIONS: FAST_BEATS };
    const server = await serve({ folder: newFolder(), environment }, "--workers", "2");
    const [stopped] = childrenOf(server.child.pid);
    process.kill(Number(stopped), "SIGSTOP");
    const isWhole = (): boolean => {
      const workers = childrenOf(server.child.pid);
      return workers.length === 2 && !workers.includes(Number(stopped));
    };
    await until(isWhole);
    const isTold = ({ msg, worker }: Record<string, unknown>): boolean =>
      String(msg).startsWith("a worker ") && worker === 1;
    const told = linesOf(server).filter(isTold);
    expect(told).toMatchObject([
      {
        worker: 1,
        workerPid: Number(stopped),
        seconds: 120,
        msg: expect.stringMatching(/answers nothing any more.*--workers 1/),
      },
      { worker: 1, signal: "SIGKILL" },
    ]);
    await until(async () => (await health(server)) === 200);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  test("ends a worker that hangs before it listens, too, and starts another in its place", async () => {
    const environment = { NODE_OPTIONS: FAST_BEATS, SCIM_TEST_THIRD: "hangs" };
    const server = await serve({ folder: newFolder(), environment }, "--workers", "2");
    const [killed] = childrenOf(server.child.pid);
    process.kill(Number(killed), "SIGKILL");
    const told = () => linesOf(server).filter(({ msg }) => String(msg).startsWith("a worker "));
    await until(() => told().length >= 3);
    expect(told()).toMatchObject([
      { worker: 1, signal: "SIGKILL", msg: expect.stringContaining("died") },
      { worker: 1, seconds: 120, msg: expect.stringContaining("answers nothing any more") },
      { worker: 1, signal: "SIGKILL", msg: expect.stringContaining("died") },
    ]);
    await until(async () => childrenOf(server.child.pid).length === 2 && (await health(server)) === 200);
    server.child.kill("SIGTERM");
    await server.ended;
  });

  test("a stop does not wait for the time at which a worker would be started again", async () => {
    const environment = { NODE_OPTIONS: LONG_WAIT };
    const server = await serve({ folder: newFolder(), environment }, "--workers", "2");
    process.kill(Number(childrenOf(server.child.pid)[0]), "SIGKILL");
    await until(() => linesOf(server).some(({ msg }) => String(msg).startsWith("a worker died")));
    server.child.kill("SIGTERM");
    expect(await Promise.race([server.ended, delay(20_000, "it waits")])).toBe(0);
  });

  test("closes connections at once that are more than its workers may have, and no worker outlives the first process", async () => {
    const workers = ["--workers", "2", "--client-max-connections", "2"];
    const server = await serve({ folder: newFolder() }, ...workers);
    const { hostname, port } = new URL(server.origin);
    const sockets = Array.from({ length: 6 }, () => connect(Number(port), hostname));
    for (const socket of sockets) socket.on("error", () => undefined);
    const open = () => sockets.filter(({ closed }) => !closed).length;
    try {
      await Promise.race([until(() => open() <= 4), delay(20_000)]);
      expect(open()).toBeLessThanOrEqual(4);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    server.child.kill("SIGKILL");
    await until(async () => (await health(server, "/healthz")) === 0);
    expect(await health(server, "/healthz")).toBe(0);
  });

  test("a stop before the workers are ready ends all of them", async () => {
    const program = start(["serve", "--port", "0", "--workers", "2"], { folder: newFolder() });
    await until(() => childrenOf(program.child.pid).length === 2);
    const workers = childrenOf(program.child.pid);
    program.child.kill("SIGTERM");
    expect(await program.ended).toBe(0);
    await until(() => workers.every((pid) => !existsSync(`/proc/${pid}`)));
    expect(program.stderr()).toBe("");
  });

  test("refuses a database that the processes cannot share", async () => {
    const environment = { SCIM_DATABASE_URL: "sqlite::memory:" };
    const ended = await run(["serve", "--workers", "2"], { folder: newFolder(), environment });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain("sqlite::memory: is one for each process");
  });

  test("a port that is taken ends all of them", async () => {
    const port = await takenPort();
    const ended = await run(["serve", "--workers", "2", "--port", port], { folder: newFolder() });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("EADDRINUSE");
    expect(ended.stderr).toContain("2 workers could not be started");
  });
});
