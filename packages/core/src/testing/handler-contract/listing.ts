/**
 * Rules of lists: whatever a handler takes over of a query, the answer is that of the service alone.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject } from "@scim/schemas";
import type { ResourceHandler } from "../../handlers/resource-handler.ts";
import { expectEqual } from "../contract/expect.ts";
import type { HandlerRule } from "./rule.ts";
import { idOf, openSubject, type HandlerSubject, type OpenSubject, type SubjectClient } from "./subject.ts";

/** Resources of a list. */
const MANY = 25;

export const LISTING_RULES: readonly HandlerRule[] = [
  {
    rule: "list/pages",
    name: "pages by number and by cursor hold each resource once, in ascending order of id",
    run: async ({ client, subject }) => {
      const ids = await fill(client, subject);
      expectEqual(await idsOf(client, {}), [MANY, ids], "all");
      for (let start = 1; start <= MANY + 1; start += 10) {
        const page = ids.slice(start - 1, start + 9);
        expectEqual(
          await idsOf(client, { startIndex: start, count: 10 }),
          [MANY, page],
          `the page from ${start}`,
        );
      }
      expectEqual(await walk(client), ids, "pages by cursor");
    },
  },
  {
    rule: "list/filters",
    name: "a filter finds what the service finds by itself, whatever part of it the handler takes over",
    run: async (opened) => compare(opened, (sample) => filtersOf(sample).map((filter) => ({ filter }))),
  },
  {
    rule: "list/sorts",
    name: "a sorted list is in the order of the service, whoever sorts it",
    run: async (opened) =>
      compare(opened, (sample) =>
        textsOf(sample).flatMap(({ path }) =>
          ["ascending", "descending"].map((sortOrder) => ({
            sortBy: path,
            sortOrder,
            startIndex: 3,
            count: 12,
          })),
        ),
      ),
  },
];

interface Question {
  readonly filter?: string;
  readonly sortBy?: string;
  readonly sortOrder?: string;
  readonly startIndex?: number;
  readonly count?: number;
}

/** Asks the handler, and the same handler with a list that takes nothing over. */
async function compare(
  { client, handler, subject }: OpenSubject,
  questions: (sample: JsonObject) => readonly Question[],
): Promise<void> {
  await fill(client, subject);
  const plain: ResourceHandler = Object.create(handler, {
    list: { value: withoutPushDown(handler) },
  }) as ResourceHandler;
  const { client: own } = await openSubject({ ...subject, open: () => plain });
  for (const question of questions(subject.sample(3))) {
    const asked = JSON.stringify(question);
    expectEqual(await idsOf(client, question), await idsOf(own, question), asked);
  }
}

/** All resources, as candidates. */
function withoutPushDown(handler: ResourceHandler): ResourceHandler["list"] {
  return async (context) => {
    const { resources } = await handler.list(context, { filter: null, sort: null, page: null });
    return { resources };
  };
}

async function fill(client: SubjectClient, subject: HandlerSubject): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < MANY; n += 1) ids.push(idOf(await client.create(subject.sample(n))));
  return ids.toSorted(compareText);
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

async function idsOf(client: SubjectClient, question: Question): Promise<unknown> {
  const { totalResults, resources } = await client.list(question);
  return [totalResults, resources.map(({ id }) => id)];
}

async function walk(client: SubjectClient): Promise<readonly unknown[]> {
  const ids: unknown[] = [];
  for (let cursor: string | null = ""; cursor !== null && ids.length <= MANY;) {
    const page: Awaited<ReturnType<SubjectClient["list"]>> = await client.list({ cursor, count: 7 });
    ids.push(...page.resources.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  return ids;
}

interface Text {
  readonly path: string;
  readonly value: string;
}

/** The plain texts of a resource, at the top and one below. */
function textsOf(sample: JsonObject): readonly Text[] {
  return Object.entries(sample).flatMap(([name, value]) => {
    if (typeof value === "string") return [{ path: name, value }];
    const held = isJsonArray(value) ? value[0] : value;
    if (!isJsonObject(held)) return [];
    return Object.entries(held).flatMap(([part, text]) =>
      typeof text === "string" && !name.includes(":") ? [{ path: `${name}.${part}`, value: text }] : [],
    );
  });
}

function filtersOf(sample: JsonObject): readonly string[] {
  const texts = textsOf(sample);
  const [first = { path: "id", value: "x" }, second = first] = texts;
  const quoted = (text: string): string => JSON.stringify(text);
  const middle = first.value.slice(1, -1);
  return [
    ...texts.flatMap(({ path, value }) => [
      `${path} eq ${quoted(value)}`,
      `${path} eq ${quoted(value.toUpperCase())}`,
      `${path} ne ${quoted(value)}`,
      `${path} sw ${quoted(value.slice(0, 2))}`,
      `${path} co ${quoted(middle)}`,
      `${path} ew ${quoted(value.slice(-2))}`,
      `${path} gt ${quoted(value)}`,
      `${path} le ${quoted(value)}`,
      `${path} pr`,
      `not (${path} eq ${quoted(value)})`,
      `not (${path} pr)`,
    ]),
    `${first.path} sw "%"`,
    `${first.path} co "_"`,
    `${first.path} eq "' OR '1'='1"`,
    `${first.path} eq ${quoted(first.value)} and ${second.path} eq ${quoted(second.value)}`,
    `${first.path} eq ${quoted(first.value)} or ${second.path} eq "nobody"`,
    `not (${first.path} eq ${quoted(first.value)} or ${second.path} pr)`,
    `${first.path} eq ${quoted(first.value)} or meta.resourceType eq "none"`,
    `id pr and ${first.path} ne ${quoted(first.value)}`,
    `meta.lastModified gt "2000-01-01T00:00:00Z"`,
  ];
}
