import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cutCsv,
  cutElements,
  cutLines,
  decodeSource,
  delimiterOf,
  fieldsOf,
  type Cutter,
} from "@scim/sync/records";
import { recordOf } from "../../src/csv/columns.ts";

const MOST = 1000;

/** What a cutter makes of bytes that arrive in pieces: texts, or `line: fault`. */
function cut(cutter: Cutter, bytes: Buffer, size: number = bytes.length): readonly string[] {
  const records: string[] = [];
  const take = (found: ReturnType<Cutter["end"]>): void => {
    for (const { line, bytes: held, fault } of found)
      records.push(held?.toString("utf8") ?? `${line}: ${fault}`);
  };
  for (let at = 0; at < bytes.length; at += size) take(cutter.push(bytes.subarray(at, at + size)));
  take(cutter.end());
  return records;
}

const sizes = fc.integer({ min: 1, max: 20 });

describe("JSON lines", () => {
  test("are cut at line feeds, however they arrive; empty lines are none", () => {
    const lines = fc.array(fc.string({ unit: "grapheme" }).map((text) => JSON.stringify(text)));
    fc.assert(
      fc.property(lines, sizes, fc.constantFrom("\n", "\r\n", "\n\n"), (texts, size, end) => {
        const found = cut(cutLines(MOST), Buffer.from(texts.join(end)), size);
        expect(found.map((text) => text.trimEnd())).toEqual(texts);
      }),
    );
  });

  test("of too many bytes are told apart, and the next one is read", () => {
    const bytes = Buffer.from(`{"a":1}\n${"x".repeat(5000)}\n{"b":2}`);
    const [first, second, third] = cut(cutLines(MOST), bytes, 64);
    expect([first, third]).toEqual(['{"a":1}', '{"b":2}']);
    expect(second).toBe("2: The record has 5000 bytes; at most 1000 are read (--max-record).");
  });
});

describe("a list in a JSON document", () => {
  const TOO_MANY = "The list has a comma too many here, or lacks the element beside it.";
  const STRAY = "Text stands here that is part of no list.";
  const NO_LIST = "The document holds no list: neither 'Resources' nor an array.";
  const values = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 });
  const shapes: readonly ((list: string) => string)[] = [
    (list) => list,
    (list) => `{"schemas":["urn:x","]}"],"totalResults":2,"Resources":${list},"more":{"Resources":[9]}}`,
    (list) => `{"a":{"resources":[1]},"RESOURCES" :\n ${list}}`,
  ];

  test("is cut into its elements, whatever they hold and however they arrive", () => {
    fc.assert(
      fc.property(
        values,
        sizes,
        fc.constantFrom(...shapes),
        fc.constantFrom(undefined, 2),
        (list, size, shape, space) => {
          const found = cut(cutElements(MOST), Buffer.from(shape(JSON.stringify(list, null, space))), size);
          expect(found.map((text): unknown => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(list)));
        },
      ),
    );
  });

  test.each([
    ["pages one behind the other", '{"Resources":[1,2]}\n{"Resources":[3]}', ["1", "2", "3"]],
    ["no list", '{"a":1}', ["1: The document holds no list: neither 'Resources' nor an array."]],
    [
      "an end in the middle",
      '{"Resources":[1,\n2',
      ["1", "2: The document ends in the middle, or its brackets do not match."],
    ],
    [
      "brackets that do not match",
      "[1]]",
      ["1", "1: The document ends in the middle, or its brackets do not match."],
    ],
    [
      "pages between which something stands",
      `{"Resources":[1]}\n, "]" x {"Resources":[2]} x`,
      ["1", `2: ${STRAY}`, "2", `2: ${STRAY}`],
    ],
    ["a resource behind a list", '[1]\n{"userName":"[2]"}', ["1", `2: ${NO_LIST}`]],
    ["a page of no matches", '{"totalResults":0}{"Resources":[1]}', ["1"]],
    ["a page of no matches, spread out", '{"TotalResults" :\n 0\n,"startIndex":1}', []],
    ["a page behind the last", '{"totalResults":5,"startIndex":6,"itemsPerPage":0}', []],
    ["a page that lost its matches", '{"totalResults":5,"startIndex":1,"itemsPerPage":5}', [`1: ${NO_LIST}`]],
    ["a page that lost many matches", '{"totalResults":100}', [`1: ${NO_LIST}`]],
    ["a page that counts in a list", '{"totalResults":[0]}', [`1: ${NO_LIST}`]],
    ["a page that counts in words", '{"totalResults":"0","more":{"totalResults":0}}', [`1: ${NO_LIST}`]],
    [
      "a page that lost its matches behind one of none",
      '{"totalResults":0}\n{"totalResults":1}',
      [`2: ${NO_LIST}`],
    ],
    ["a page that says of what it counts", '{"a":"totalResults"}', [`1: ${NO_LIST}`]],
    ["no document", " \n", [`2: ${NO_LIST}`]],
    [
      "a list that ends as an object",
      '{"Resources":[1}',
      ["1: The document ends in the middle, or its brackets do not match."],
    ],
    [
      "a document that ends as a list",
      '{"Resources":[1]]',
      ["1", "1: The document ends in the middle, or its brackets do not match."],
    ],
    ["a comma in front", "[\n, 1]", [`2: ${TOO_MANY}`, "1"]],
    ["a comma behind", '{"Resources":[1,\n\n]}', ["1", `3: ${TOO_MANY}`]],
    ["commas in a row, told once", "[1,\n,,\n2,,]\n[]", ["1", `2: ${TOO_MANY}`, "2", `3: ${TOO_MANY}`]],
    ["nothing but a comma", "[,]", [`1: ${TOO_MANY}`]],
    [
      "an element that is too long",
      `[1,"${"x".repeat(2000)}",3]`,
      ["1", "1: The record has 2002 bytes; at most 1000 are read (--max-record).", "3"],
    ],
  ])("with %s", (_, text, expected) => {
    expect(cut(cutElements(MOST), Buffer.from(text), 7)).toEqual(expected);
  });
});

describe("CSV", () => {
  test("gives back the fields that were written, however they arrive (RFC 4180)", () => {
    const field = fc.string({
      unit: fc.constantFrom("a", "ü", '"', ",", ";", "\n", "\r", " "),
      maxLength: 8,
    });
    const rows = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(rows, sizes, fc.constantFrom(",", ";", "\t"), (table, size, delimiter) => {
        const text = table.map((fields) => recordOf(fields, delimiter)).join("");
        const records = cut(cutCsv(MOST, delimiter), Buffer.from(text), size);
        expect(records.map((record) => fieldsOf(record, delimiter))).toEqual(table);
      }),
    );
  });

  test.each([
    ["userName,active;x", ","],
    ["userName;name.givenName;a", ";"],
    ["userName\tactive", "\t"],
    ['"a,b,c"|d', "|"],
    ["userName", ","],
  ])("header %j is divided by %j", (header, delimiter) => {
    expect(delimiterOf(header)).toBe(delimiter);
  });

  const open = (bytes: number, line: number): string =>
    `2: A quote of the record, which opens on line ${line}, is never closed: all that follows belongs to it, ${bytes} bytes. Close it; a quote that is meant as a character is written twice, in a field in quotes.`;
  test.each([
    ["is never closed has the rest", "", [open(17, 2)]],
    ["is never closed has the rest, however long", "x".repeat(2000), [open(2017, 2)]],
    ["opens lines behind the begin of its record is told with its own line", 'x","y', [open(22, 4)]],
    [
      "is closed behind the greatest record ends it there",
      `${"x\n".repeat(1000)}"`,
      ["2: The record has 2010 bytes; at most 1000 are read (--max-record).", "2,3", "4,5"],
    ],
  ])("a quote that %s", (_, field, expected) => {
    const text = `a,b\n"open,1\n\n${field}\n2,3\n4,5`;
    for (const size of [1, 100, 5000])
      expect(cut(cutCsv(MOST, ","), Buffer.from(text), size)).toEqual(["a,b", ...expected]);
  });

  test.each([
    ['"a"b,c', "Something stands behind the closing quote of column 1."],
    [
      '1,"a\n2,"b"',
      "Something stands behind the closing quote of column 2, whose quote opened one line before.",
    ],
    [
      '"a\n2,""\n3,"b"',
      "Something stands behind the closing quote of column 1, whose quote opened 2 lines before.",
    ],
    ['a,"b', "A quote is not closed."],
  ])("record %j is refused", (record, message) => {
    expect(() => fieldsOf(record, ",")).toThrow(message);
  });
});

describe("the encoding of a source", () => {
  const TEXT = '{"userName":"Jürgen \u{1F600}"}\n';

  async function decoded(bytes: Buffer, encoding: string | null, size = 3): Promise<string> {
    async function* pieces(): AsyncGenerator<Buffer> {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    const found: Buffer[] = [];
    for await (const piece of decodeSource(pieces(), encoding)) found.push(piece);
    return Buffer.concat(found).toString("utf8");
  }

  const utf16 = Buffer.from(TEXT, "utf16le");
  const swapped = Buffer.from(utf16).swap16();
  test.each([
    ["UTF-8", Buffer.from(TEXT), null],
    ["UTF-8 with a mark", Buffer.from(`\uFEFF${TEXT}`), null],
    ["UTF-16 LE with a mark", Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), null],
    ["UTF-16 BE with a mark", Buffer.concat([Buffer.from([0xfe, 0xff]), swapped]), null],
    ["UTF-16 LE without", utf16, null],
    ["UTF-16 BE without", swapped, null],
  ])("%s is read", async (_, bytes, encoding) => {
    expect(await decoded(bytes, encoding)).toBe(TEXT);
  });

  test.each([
    ["LE", (bytes: Buffer) => bytes],
    ["BE", (bytes: Buffer) => bytes.swap16()],
  ])("UTF-16 %s with halves of pairs spoils their records alone", async (_, inOrder) => {
    const bytes = inOrder(
      Buffer.from("{}\n\ud83d\n\ude00\ud83d\ude00\n\ud83d\ud83d\ude00\n{}\n\ud83d", "utf16le"),
    );
    const half = Buffer.concat([bytes, Buffer.from([0x41])]);
    for (const size of [1, 2, 3, 4, 5, 100])
      expect((await decoded(half, null, size)).split("\n")).toEqual([
        "{}",
        "\ufffd",
        "\ufffd\u{1F600}",
        "\ufffd\u{1F600}",
        "{}",
        "\ufffd\ufffd",
      ]);
  });

  test("Latin-1 is read where it is named", async () => {
    expect(await decoded(Buffer.from("Jürgen", "latin1"), "latin1")).toBe("Jürgen");
  });

  test("bytes that are none of an encoding that is named spoil their records alone", async () => {
    const bytes = Buffer.concat([
      Buffer.from("{}\n"),
      Buffer.from([0x83, 0x65, 0xff, 0x0a, 0x83, 0x0a]),
      Buffer.from("{}\n"),
      Buffer.from([0x83]),
    ]);
    for (const size of [1, 2, 3, 100])
      expect((await decoded(bytes, "shift_jis", size)).split("\n")).toEqual([
        "{}",
        "テ\ufffd",
        "\ufffd",
        "{}",
        "\ufffd",
      ]);
  });

  test.each([
    ["UTF-32", Buffer.from([0xff, 0xfe, 0, 0, 65, 0, 0, 0]), null, /UTF-32/],
    ["an unknown name", Buffer.from(TEXT), "klingon", /Encoding 'klingon' is not known/],
  ])("%s is refused", async (_, bytes, encoding, message) => {
    await expect(decoded(bytes, encoding)).rejects.toThrow(message);
  });
});
