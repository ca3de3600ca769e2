import { beforeAll, describe, expect, test } from "vitest";
import { type Made } from "../over-http/client.ts";
import { useInProcess } from "../over-http/use-server.ts";

/** Text that means something in another language: SQL, patterns, paths, HTML, templates, JSON. */
const HOSTILE = [
  `'; DROP TABLE resources; --`,
  `' OR '1'='1`,
  `" or ""="`,
  "%",
  "_",
  "\\",
  "*",
  ".*",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "${7*7}{{7*7}}",
  '{"$ne":null}',
  "a\u0000b",
  "a\r\nSet-Cookie: x=1",
];

const client = useInProcess();
let bystander: Made;

beforeAll(async () => {
  bystander = await client.user({ userName: "bystander", nickName: "plain" });
});

const literal = (text: string): string => JSON.stringify(text);
const list = (filter: string) => client.call("GET", `/Users?filter=${encodeURIComponent(filter)}`);

describe("R7644-7.7-01 text is text, whatever it means elsewhere", () => {
  test.each(HOSTILE)("as a value: %j is kept, found as it is, and matches nothing else", async (text) => {
    const { path, id } = await client.user({ userName: `u${text}`, nickName: text });
    try {
      expect((await client.call("GET", path)).body).toMatchObject({ userName: `u${text}`, nickName: text });
      for (const operator of ["eq", "co", "sw", "ew"]) {
        const { body } = await list(`nickName ${operator} ${literal(text)}`);
        expect(body, operator).toMatchObject({ totalResults: 1, Resources: [{ id }] });
      }
    } finally {
      await client.call("DELETE", path);
    }
  });

  test.each(HOSTILE)("as an id: %j is 404", async (text) => {
    const answer = await client.call("GET", `/Users/${encodeURIComponent(text)}`);
    expect(answer.status).toBe(404);
    expect(answer.headers).not.toHaveProperty("set-cookie");
  });

  test.each(HOSTILE)("as a filter, a path, a name to sort by: %j is 400", async (text) => {
    const answers = [
      await list(text),
      await client.patch(bystander.path, [{ op: "replace", path: text, value: "x" }]),
      await client.call("GET", `/Users?sortBy=${encodeURIComponent(text)}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  test("and what stands beside it is untouched", async () => {
    const { body, headers } = await client.call("GET", bystander.path);
    expect(body).toEqual(bystander.body);
    expect(headers.etag).toBe(bystander.tag);
    expect((await client.call("GET", "/Users")).body["totalResults"]).toBe(1);
  });
});
