import { SCOPE } from "@scim/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { sql } from "../src/sql.ts";
import { CommitQueue } from "../src/sqlite/commit-queue.ts";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import type { ImportReply } from "../src/sqlite/import-messages.ts";
import { ImportRequests } from "../src/sqlite/import-requests.ts";
import { LogFlush } from "../src/sqlite/log-flush.ts";
import { countOf } from "../src/steps.ts";
import { Disk } from "./support/disk.ts";
import { newFile, open } from "./support/folders.ts";
import { usersOf } from "./support/users-of.ts";

/** What carries out the requests of one sender on a file, and what others see of that. */
async function openRequests() {
  const path = newFile();
  await (await open(path)).close();
  const [connection, other] = [0, 0].map((lockWait) => new SqliteConnection(path, { lockWait }));
  if (connection === undefined || other === undefined) throw new TypeError("There are two connections");
  onTestFinished(() => connection.close());
  onTestFinished(() => other.close());
  const disk = new Disk();
  const replies: string[] = [];
  const requests = new ImportRequests({
    connection,
    queue: new CommitQueue(connection, { busyTimeout: 50, pauses: false }),
    log: new LogFlush({ path, writer: connection, flush: disk.flush }),
    reply: (reply: ImportReply) => void replies.push(reply.kind),
  });
  return {
    connection,
    other,
    disk,
    replies,
    requests,
    write: (...ids: readonly string[]): void => {
      requests.take({ kind: "rows", sender: 0, groups: [usersOf(...ids)] });
      requests.take({ kind: "write", sender: 0, ...SCOPE, step: null });
    },
    /** How many users others see. */
    seen: () => countOf(other.run(sql`SELECT count(*) AS n FROM resources`), "n"),
    wasTold: (last: string, times = 1) =>
      expect.poll(() => replies.filter((reply) => reply === last).length).toBe(times),
  };
}

test("while the disk takes one write, the next is inserted, and told behind it", async () => {
  const { disk, replies, requests, write, seen, wasTold } = await openRequests();
  write("u1", "u2");
  write("u3");
  await wasTold("begun", 2);
  await expect.poll(seen).toBe(3);
  expect([replies, disk.asked]).toEqual([["begun", "done", "begun"], 1]);
  disk.done();
  await disk.wasAsked(2);
  disk.done();
  await requests.close();
  expect(replies).toEqual(["begun", "done", "begun", "flushed", "done", "flushed"]);
});

test("what stands behind a write that may be lost may be lost as well, until the log is moved", async () => {
  const { disk, replies, requests, write, seen, wasTold } = await openRequests();
  write("u1");
  await disk.wasAsked(1);
  write("u2");
  await expect.poll(seen).toBe(2);
  disk.fail();
  await disk.wasAsked(2);
  disk.done();
  await wasTold("lost", 2);
  write("u3");
  await disk.wasAsked(3);
  disk.done();
  await requests.close();
  expect(replies).toEqual(["begun", "done", "begun", "lost", "done", "lost", "begun", "done", "flushed"]);
});

test("nothing is flushed of a write that was refused", async () => {
  const { disk, replies, requests, write } = await openRequests();
  write("u1");
  await disk.wasAsked(1);
  disk.done();
  write("u1");
  await requests.close();
  expect([replies, disk.asked]).toEqual([["begun", "done", "flushed", "begun", "done"], 1]);
});

test("while a write waits for its lock, others stage, and what its own sender adds is not part of it", async () => {
  const { connection, other, disk, replies, requests, write, seen, wasTold } = await openRequests();
  const staged = (sender: number): number => {
    const table = { text: `temp.staged_${sender}`, params: [] };
    return countOf(connection.run(sql`SELECT count(*) AS n FROM ${table}`), "n");
  };
  requests.take({ kind: "rows", sender: 1, groups: [usersOf("v1")] });
  await expect.poll(() => staged(1)).toBe(1);
  other.run({ text: "BEGIN IMMEDIATE", params: [] });
  write("u1");
  requests.take({ kind: "rows", sender: 0, groups: [usersOf("u2")] });
  requests.take({ kind: "rows", sender: 1, groups: [usersOf("v2", "v3")] });
  await expect.poll(() => staged(1)).toBe(3);
  expect([staged(0), replies]).toEqual([1, []]);
  other.run({ text: "ROLLBACK", params: [] });
  await wasTold("done");
  expect(seen()).toBe(1);
  requests.take({ kind: "write", sender: 1, ...SCOPE, step: null });
  disk.done();
  await disk.wasAsked(2);
  disk.done();
  await requests.close();
  expect([seen(), staged(0), staged(1)]).toEqual([4, 1, 0]);
});
