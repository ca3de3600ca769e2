import { execFileSync } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { decodeJson } from "@scim/http";
import { describe, expect, test } from "vitest";
import {
  fileSource,
  planSync,
  postgresSource,
  readMapping,
  scimSource,
  SourceError,
  sqliteSource,
  type Source,
  type SourceItem,
} from "@scim/sync";
import { aClockedTarget, aFile, aFolder, aTarget, plan, run } from "./support/target.ts";

async function read(source: Source, since: string | null = null): Promise<readonly SourceItem[]> {
  const reading = await source.open(since);
  const items: SourceItem[] = [];
  for await (const item of reading.items) items.push(item);
  return items;
}

const fieldsOf = (items: readonly SourceItem[]) =>
  items.map((item) => (item.kind === "record" ? item.fields : `${item.place}: ${item.fault}`));

function written(name: string, content: string | Buffer): string {
  const path = join(aFolder(), name);
  writeFileSync(path, content);
  return path;
}

describe("a file", () => {
  test.each([
    [
      "people.csv",
      'id;name\n1;"A;""B"""\n2;C\n',
      [
        { id: "1", name: 'A;"B"' },
        { id: "2", name: "C" },
      ],
    ],
    ["of a spreadsheet.csv", "sep=;\r\nid;a,b,c,d\r\n1;2\r\n", [{ id: "1", "a,b,c,d": "2" }]],
    ["of another one.csv", '\n"sep=|"\nid|a;b;c\n1|sep=;\n', [{ id: "1", "a;b;c": "sep=;" }]],
    ["behind empty lines.csv", "\n\r\nid;a,b;c\n1;2;3\n", [{ id: "1", "a,b": "2", c: "3" }]],
    [
      "people.jsonl",
      '{"id":1,"tags":["a"]}\n\nnot json\n',
      [{ id: 1, tags: ["a"] }, expect.stringMatching(/^line 3: /)],
    ],
    ["a single line end.jsonl", "\n", []],
    ["empty.jsonl", "", []],
    ["empty.json", "", [expect.stringMatching(/^line 1: The document holds no list/)]],
    ["a header alone.csv", "id,name\n", []],
    ["people.json", '{"Resources":[{"id":"1"},{"id":"2"}]}', [{ id: "1" }, { id: "2" }]],
    [
      "people.ldif",
      [
        "version: 1",
        "",
        "# Ada",
        "dn: cn=Ada,dc=example",
        "objectClass: person",
        "objectClass: top",
        "sn;lang-en: Love",
        " lace",
        "cn:: w4VkYQ==",
        "jpegPhoto:: /9j/",
        "",
        "",
        "dn: cn=Grace,dc=example",
        "changetype: modify",
        "",
        "cn: Nobody",
        "",
      ].join("\r\n"),
      [
        { dn: "cn=Ada,dc=example", objectclass: ["person", "top"], sn: "Lovelace", cn: "Åda" },
        expect.stringContaining("line 13: The record is a change ('modify')"),
        expect.stringContaining("line 16: The record has no 'dn'."),
      ],
    ],
  ])("%s gives its records with their fields", async (name, text, expected) => {
    expect(fieldsOf(await read(aFile(name, text)))).toEqual(expected);
  });

  test("is read as JSON by whoever reads it more strictly, record by record", async () => {
    const path = written("people.jsonl", '{"id":1,"id":2}\n{"id":3}\n[4]\n');
    const strict = fileSource(path, { readJson: (bytes) => decodeJson(bytes, 8) });
    expect(fieldsOf(await read(strict))).toEqual([
      expect.stringMatching(/^line 1: .*"id" occurs twice/),
      { id: 3 },
      "line 3: The record is no JSON object.",
    ]);
  });

  test.each([
    ["in a value.ldif", "dn: cn=B\nmail: b@example.co", 5],
    ["in a value of base64.ldif", "dn: cn=B\ncn:: w4Vk", 5],
    ["in a line that goes on.ldif", "dn: cn=B\ndescription: a\n b", 6],
    ["in a name.ldif", "dn: cn=B\nma", 5],
    ["in a line end.ldif", "dn: cn=B\ncn: B\r", 5],
    ["in a comment.ldif", "# Grace, exam", 4],
  ])("that was cut off %s tells it, and gives no half record", async (name, end, line) => {
    expect(fieldsOf(await read(aFile(name, `dn: cn=A\ncn: A\n\n${end}`)))).toEqual([
      { dn: "cn=A", cn: "A" },
      expect.stringContaining(`line 4: Line ${line}, the last of the file, has no line end`),
    ]);
  });

  test.each([
    ["is not there", () => fileSource(join(aFolder(), "none.csv")), /cannot be read/],
    ["has two columns of one name", () => aFile("a.csv", "id,id\n1,2"), /two columns 'id'/],
    [
      "has a header that is too long",
      () => fileSource(written("a.csv", "id,userName\n1,2"), { maxRecordBytes: 8 }),
      /header of the CSV cannot be read. .*at most 8/,
    ],
    [
      "has a header in another encoding",
      () => fileSource(written("a.csv", Buffer.from("id,prénom\n1,2", "latin1"))),
      /cannot be read. .*not UTF-8/,
    ],
    ["has a header of line ends alone", () => aFile("a.csv", "\n\r\n"), /is empty: CSV begins with a header/],
    [
      "has lines that end in CR alone",
      () => aFile("a.csv", "id,name\r1,Ada\r"),
      /header of the CSV.* CR alone/,
    ],
    [
      "has a header with a broken quote",
      () => aFile("a.csv", '"id"s,name\n1,Ada'),
      /header of the CSV.*column 1/,
    ],
    ["is packed", () => aFile("a.csv", gzipSync("id\n1")), /packed by gzip: unpack it/],
    ["is a workbook", () => aFile("a.csv", Buffer.from("PK\u0003\u0004...")), /ZIP archive.*save it as text/],
  ])("that %s is a SourceError", async (_, source, message) => {
    await expect(read(source())).rejects.toThrow(SourceError);
    await expect(read(source())).rejects.toThrow(message);
  });

  test("that changes while it is read is no state of anything, and a SourceError", async () => {
    const path = written("people.jsonl", '{"id":1}\n'.repeat(100_000));
    const { items } = await fileSource(path).open(null);
    const reading = async (): Promise<void> => {
      let count = 0;
      for await (const _ of items) if (++count === 1) appendFileSync(path, '{"id":2}\n');
    };
    await expect(reading()).rejects.toThrow(/changed while it was read.*run the same command again/);
  });
});

describe("an entry of LDIF with bytes that are no text", () => {
  const mapping = (more: string): string => `
resources:
  - type: User
    key: "{uid}"
    match: externalId
    ${more}
    set: { externalId: "{uid}", userName: "{mail}", displayName: "{cn}" }
    leavers: delete
`;
  const entry = (uid: string, cn: string): string =>
    `dn: uid=${uid}\nuid: ${uid}\nmail: ${uid}@example.com\njpegPhoto:: /9j/\n${cn}\n\n`;
  const LATIN = "cn:: Wm/r";

  test.each([
    ["of bytes", LATIN],
    ["of base64 that was cut off", "cn:: Wm9"],
    ["of what is no base64", "cn:: Wm9l!"],
  ])("where the mapping reads one %s is refused, and what it would have cleared stays", async (_, line) => {
    const target = await aTarget();
    const state = join(aFolder(), "state");
    const people = (text: string): Readonly<Record<string, Source>> => ({
      people: aFile("people.ldif", text),
    });
    const options = { mapping: mapping(""), state };
    await run(target, { ...options, sources: people(entry("1", "cn: Zoe") + entry("2", "cn: Bo")) });
    const { plan: found } = await run(target, { ...options, sources: people(entry("1", line)) });
    expect(found.faults).toMatchObject([{ key: "1", message: expect.stringContaining("'cn' holds bytes") }]);
    expect(found.counts).toMatchObject([{ update: 0, delete: 1, refused: 1 }]);
    const users = await target.client.users.list().toArray();
    expect(users.map(({ displayName }) => displayName)).toEqual(["Zoe"]);
  });

  test("by which it would be told from others leaves everybody where they are", async () => {
    const target = await aTarget();
    const state = join(aFolder(), "state");
    const people = (text: string): Readonly<Record<string, Source>> => ({
      people: aFile("people.ldif", text),
    });
    const options = { mapping: mapping(`where: "{cn | equals('Zoe')}"`), state };
    await run(target, { ...options, sources: people(entry("1", "cn: Zoe")) });
    const { counts, faults } = await plan(target, { ...options, sources: people(entry("1", LATIN)) });
    expect(faults).toMatchObject([{ key: null }]);
    expect(counts).toMatchObject([{ delete: 0 }]);
  });
});

describe("a pipe", () => {
  const aPipe = (): string => {
    const path = join(aFolder(), "pipe");
    execFileSync("mkfifo", [path]);
    return path;
  };

  test("is read once, whatever is written to it", async () => {
    const path = aPipe();
    const reading = read(fileSource(path));
    await writeFile(path, '{"id":1}\n'.repeat(50_000));
    expect(await reading).toHaveLength(50_000);
  });

  test("that gives the header of CSV in pieces is divided as the whole of it says", async () => {
    const path = aPipe();
    const reading = read(fileSource(path, { format: "csv" }));
    const pipe = await open(path, "w");
    for (const piece of ["iden", "tifier", ";na", "me", "\n", "1;A", "da\n"]) {
      await pipe.write(piece);
      // Until it is read, what is written next joins on to it.
      await setTimeout(20);
    }
    await pipe.close();
    expect(fieldsOf(await reading)).toEqual([{ identifier: "1", name: "Ada" }]);
  });

  test("that nobody writes to is waited for until it is stopped", async () => {
    const stop = new AbortController();
    const reading = read(fileSource(aPipe(), { signal: stop.signal }));
    stop.abort();
    await expect(reading).rejects.toThrow(SourceError);
    await expect(reading).rejects.toThrow(/was not read to its end: it was stopped/);
  });
});

describe("an SQLite query", () => {
  const database = (): { readonly path: string; readonly run: (sql: string) => void } => {
    const path = join(aFolder(), "hr.db");
    const change = (sql: string): void => {
      const held = new DatabaseSync(path);
      held.exec(sql);
      held.close();
    };
    change("create table people (id integer, mail text, changed integer, gone integer default 0)");
    change(
      "insert into people (id, mail, changed) values (1, 'a@example.com', 10), (2, 'b@example.com', 11)",
    );
    return { path, run: change };
  };
  const MAPPING = `
resources:
  - type: User
    key: "{id}"
    match: externalId
    set: { externalId: "{id}", userName: "{mail}", active: true }
    leavers: deactivate
`;

  test("that takes :since gives changes alone, and says who is gone", async () => {
    const { path, run: sql } = database();
    const target = await aTarget();
    const people = sqliteSource(
      path,
      "select id, mail, changed as since, gone as removed from people where :since is null or changed > :since",
    );
    const options = { mapping: MAPPING, sources: { people }, state: join(aFolder(), "state") };
    await run(target, options);
    sql("update people set mail = 'c@example.com', changed = 12 where id = 1");
    const second = await run(target, options);
    expect(second.plan).toMatchObject({ records: 1, counts: [{ update: 1, deactivate: 0 }] });
    sql("update people set gone = 1, changed = 13 where id = 2");
    expect((await run(target, options)).plan).toMatchObject({
      records: 1,
      counts: [{ update: 0, deactivate: 1 }],
    });
    expect((await plan(target, options)).steps).toHaveLength(0);

    // What could not be done is asked for again.
    const { client } = target;
    const other = await client.users.create({ userName: "taken@example.com" });
    sql("update people set mail = 'taken@example.com', changed = 14 where id = 1");
    expect((await run(target, options)).report.failures).toMatchObject([{ key: "1", code: "uniqueness" }]);
    await client.users.delete(other);
    expect((await run(target, options)).report).toMatchObject({ done: { update: 1 }, failures: [] });
  });

  test("that takes :since is limited by all that is known, not by what it tells alone", async () => {
    const { path, run: sql } = database();
    const target = await aTarget();
    const people = sqliteSource(
      path,
      "select id, mail, changed as since, gone as removed from people where :since is null or changed > :since",
    );
    const mapping = `${MAPPING}limits: { leavers: { percent: 50 }, updates: { percent: 50 } }`;
    const options = { mapping, sources: { people }, state: join(aFolder(), "state") };
    await run(target, options);
    sql("update people set mail = 'c@example.com', changed = 12 where id = 1");
    expect((await run(target, options)).plan).toMatchObject({ resources: 2, refusals: [] });
    sql("update people set gone = 1, changed = 13 where id = 2");
    expect((await run(target, options)).plan).toMatchObject({ resources: 2, refusals: [] });
    sql("update people set gone = 1, changed = 14 where id = 1");
    expect((await plan(target, options)).refusals).toEqual([
      expect.stringMatching(/^It would deactivate or delete 1 of 1 resources/),
    ]);
  });

  test("that takes :since and is another than at the last run gives everything", async () => {
    const { path, run: sql } = database();
    const target = await aTarget();
    const people = (column: string): Source =>
      sqliteSource(
        path,
        `select id, ${column} as mail, changed as since from people where :since is null or changed > :since`,
      );
    const options = { mapping: MAPPING, state: join(aFolder(), "state") };
    await run(target, { ...options, sources: { people: people("mail") } });
    const upper = { ...options, sources: { people: people("upper(mail)") } };
    // What failed is asked for again, and by the query of then it is none that was answered.
    const other = await target.client.users.create({ userName: "taken@example.com" });
    sql("update people set mail = 'taken@example.com' where id = 1");
    expect((await run(target, upper)).report).toMatchObject({
      done: { update: 1 },
      failures: [{ key: "1" }],
    });
    await target.client.users.delete(other);
    expect(await run(target, upper)).toMatchObject({
      plan: { records: 2 },
      report: { done: { update: 1 }, failures: [] },
    });
    expect((await run(target, upper)).plan.records).toBe(0);
  });

  // SQLite takes every number for less than any text, and what has no type of its own is compared as it is.
  test.each([
    ["a number that is worked out", "changed + 0", 12],
    ["a text that is worked out", "'' || changed", 12],
    ["a text like a number, of a column of texts", "label", 12],
    ["an instant", "'2026-01-' || changed", 12],
    ["a fraction", "changed / 4.0", 12],
  ])("that takes :since is given %s as it was", async (_, since, changed) => {
    const { path, run: sql } = database();
    sql("alter table people add label text");
    sql("update people set label = changed");
    const people = sqliteSource(
      path,
      `select id, ${since} as since from people where :since is null or ${since} >= :since order by id`,
    );
    const first = await people.open(null);
    const all: SourceItem[] = [];
    for await (const item of first.items) all.push(item);
    expect(all).toHaveLength(2);
    sql(`insert into people (id, changed, label) values (3, ${changed}, ${changed})`);
    const ids = fieldsOf(await read(people, first.token())).map((fields) => Object(fields)["id"]);
    expect(ids).toEqual([2, 3]);
  });

  test.each(["9e999", "'infinity'", "'NaN'"])(
    "that takes :since does not wait behind %s, where no change would be told any more",
    async (end) => {
      const { path, run: sql } = database();
      const people = sqliteSource(
        path,
        `select id, case id when 1 then ${end} else changed end as since from people where :since is null or changed > :since`,
      );
      const first = await people.open(null);
      for await (const _ of first.items);
      sql("update people set changed = 12 where id = 2");
      expect(fieldsOf(await read(people, first.token()))).toMatchObject([{ id: 2, since: 12 }]);
    },
  );

  test("gives whole numbers that JavaScript has none for as they are, also for :since", async () => {
    const { path } = database();
    const [first, second] = ["9007199254740993", "9223372036854775807"];
    const people = sqliteSource(
      path,
      `select at + 0 as since, at as id, 1 as one from (select ${first} as at union select ${second}) where :since is null or at + 0 > :since`,
    );
    const reading = await people.open(null);
    const all: SourceItem[] = [];
    for await (const item of reading.items) all.push(item);
    expect(fieldsOf(all)).toEqual([first, second].map((id) => ({ since: id, id, one: 1 })));
    expect(await read(people, reading.token())).toEqual([]);
    expect(await read(people, first)).toHaveLength(1);
  });

  test("that says of one record that it is there and gone has neither taken, and asks again", async () => {
    const { path, run: sql } = database();
    const target = await aTarget();
    sql("insert into people (id, mail, changed) values (3, 'c@example.com', 11)");
    const people = sqliteSource(
      path,
      "select id, mail, changed as since, gone as removed from people where :since is null or changed > :since order by changed",
    );
    const options = { mapping: MAPPING, sources: { people }, state: join(aFolder(), "state") };
    await run(target, options);
    sql("insert into people values (1, 'z@example.com', 12, 0), (1, null, 13, 1)");
    sql(
      "insert into people values (2, null, 12, 1), (2, 'z@example.com', 13, 0), (3, null, 12, 1), (3, null, 13, 1)",
    );
    for (const deactivate of [1, 0]) {
      const { plan: found } = await run(target, options);
      expect(found.counts).toMatchObject([{ update: 0, deactivate, refused: 2 }]);
      expect(found.faults.map(({ key, message }) => [key, message])).toEqual([
        ["1", "Key '1' is that of the record at people row 1 too: keys tell records apart."],
        ["2", "Key '2' is that of the record at people row 2 too: keys tell records apart."],
      ]);
    }
    const active = await target.client.users.list({ filter: "active eq true" }).toArray();
    expect(active.map(({ userName }) => userName).toSorted()).toEqual(["a@example.com", "b@example.com"]);
  });

  test("that is wrong is a SourceError", async () => {
    await expect(read(sqliteSource(database().path, "select nothing from nowhere"))).rejects.toThrow(
      SourceError,
    );
    const { path } = database();
    await expect(read(sqliteSource(path, "select 1 as id; drop table people"))).rejects.toThrow(
      "more than one statement",
    );
    expect(await read(sqliteSource(path, "\n-- one;\nselect 1 as id; -- ;\n/* ; */\n"))).toHaveLength(1);
  });

  test("that has two columns of one name, as a join may, is a SourceError: who is whose boss is not guessed", async () => {
    const query = "select p.id, p.mail, b.id from people p join people b on b.id <> p.id";
    await expect(read(sqliteSource(database().path, query))).rejects.toThrow(/two columns 'id': give each/);
  });
});

test.each([
  ["a port that is none", "postgres://hr:s3cret@localhost:99999/people"],
  ["a file that is not there", "postgres://hr:s3cret@localhost:1/people?sslrootcert=/nowhere/ca.pem"],
])("an address of PostgreSQL with %s is a SourceError, which repeats no password", async (_what, address) => {
  const reading = read(postgresSource(address, "select 1 as id"));
  await expect(reading).rejects.toThrow(SourceError);
  await expect(reading).rejects.not.toThrow(/s3cret/);
});

test("another service is a source, whose attributes are fields, and tells its changes", async () => {
  const [old, target] = [await aClockedTarget(), await aTarget()];
  for (const userName of ["ada", "grace"])
    await old.client.users.create({ userName, name: { familyName: userName } });
  const options = {
    mapping: `
resources:
  - { type: User, key: "{id}", match: externalId, set: { externalId: "{id}", userName: "{userName | upper}", name.familyName: "{name.familyName}" } }
`,
    sources: { old: scimSource(old.client, "/Users", { changesOnly: true }) },
    state: join(aFolder(), "state"),
  };
  expect((await run(target, options)).report).toMatchObject({ done: { create: 2 }, failures: [] });
  expect(await target.client.users.list({ filter: 'userName eq "ADA"' }).first()).toMatchObject({
    userName: "ADA",
    name: { familyName: "ada" },
  });
  const { old: source } = options.sources;
  const [long, since] = [new Date(0).toISOString(), new Date(Date.UTC(2026, 0, 1, 1)).toISOString()];
  for (const [hours, changesOnly, records] of [
    [2, true, 0],
    [0, false, 2],
  ] as const) {
    old.passHour(hours - old.passHour(0));
    // A clock that went back tells nothing of what changed since.
    expect((await source.open(since)).changesOnly).toBe(changesOnly);
    expect(await read(source, since)).toHaveLength(records);
  }
  // Whoever wants everything again has a state that holds a token.
  expect((await scimSource(old.client, "/Users").open(long)).changesOnly).toBe(false);
  expect(await read(source, long)).toHaveLength(2);
  expect((await plan(target, options)).steps).toHaveLength(0);
});

describe("another service", () => {
  test("that does not tell what it can do is read all the same", async () => {
    const old = await aTarget({}, async (request, response, pass) => {
      if (request.url?.includes("/ServiceProviderConfig") === true) response.writeHead(403).end();
      else await pass();
    });
    await old.client.users.create({ userName: "ada" });
    for (const changesOnly of [false, true])
      expect(await read(scimSource(old.client, "/Users", { changesOnly }))).toHaveLength(1);
  });

  test("that lists fewer than it says it has lets nobody have left", async () => {
    let isShort = false;
    const old = await aTarget({ cursors: false }, async (request, response, pass) => {
      if (!isShort || request.url?.startsWith("/scim/v2/Users") !== true) return pass();
      const [first] = all;
      response.writeHead(200, { "Content-Type": "application/scim+json" });
      response.end(JSON.stringify({ totalResults: 2, startIndex: 1, Resources: [first, first] }));
    });
    for (const userName of ["ada", "grace"]) await old.client.users.create({ userName });
    const all = await old.client.users.list().toArray();
    const target = await aTarget();
    const options = {
      mapping:
        'resources: [{ type: User, key: "{id}", match: externalId, set: { externalId: "{id}", userName: "{userName}" }, leavers: deactivate }]',
      sources: { old: scimSource(old.client, "/Users") },
      state: join(aFolder(), "state"),
    };
    await run(target, options);
    isShort = true;
    const { counts, faults, notes } = await plan(target, options);
    expect(counts).toMatchObject([{ deactivate: 0, delete: 0, unchanged: 1 }]);
    expect(faults).toMatchObject([
      {
        place: "old /Users",
        message: expect.stringMatching(/^The service says that it has 2, and listed 1: /),
      },
    ]);
    expect(notes).toEqual(["User: nobody is taken to have left, since records could not be read."]);
  });

  test("is read no further when it is told to stop", async () => {
    const stop = new AbortController();
    const old = await aTarget({}, async (request, _, pass) => {
      if (request.url?.startsWith("/scim/v2/Users") === true) stop.abort();
      else await pass();
    });
    const reading = read(scimSource(old.client, "/Users", { signal: stop.signal }));
    await expect(reading).rejects.toThrow(SourceError);
    await expect(reading).rejects.toThrow("given up");
  });
});

test("a run that is told to stop reads no further record", async () => {
  const stop = new AbortController();
  const target = await aTarget();
  let records = 0;
  const people: Source = {
    open: async () => ({
      items: (async function* () {
        for (; records < 10; records += 1) {
          if (records === 3) stop.abort();
          yield { kind: "record", fields: { id: records }, place: `row ${records}` } as const;
        }
      })(),
      changesOnly: false,
      token: () => null,
    }),
  };
  const planning = planSync({
    client: target.client,
    mapping: readMapping(
      'resources: [{ type: User, key: "{id}", match: userName, set: { userName: "{id}" } }]',
      "mapping.yaml",
    ),
    sources: { people },
    signal: stop.signal,
  });
  await expect(planning).rejects.toThrow("The source 'people' was not read to its end: it was stopped.");
  expect(records).toBe(3);
});
