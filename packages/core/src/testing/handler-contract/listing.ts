/**
 * Rules of lists: whatever a handler takes over of a query, the answer is that of the service alone.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type {
  HandledResource,
  HandlerContext,
  HandlerQuery,
  ResourceHandler,
} from "../../handlers/resource-handler.ts";
import { expectEqual, expectTrue } from "../contract/expect.ts";
import { another, readAlike } from "./another.ts";
import { fill, MANY, textsOf, wholeSample } from "./population.ts";
import { filtersOf, sortsOf, type Question } from "./questions.ts";
import type { HandlerRule } from "./rule.ts";
import { CONTEXT, idOf, type OpenSubject, type SubjectClient } from "./subject.ts";

/** Asks for no resource in particular. */
const EVERYTHING: HandlerQuery = { filter: null, sort: null, page: null };

/** More than a list holds. */
const ALL = 1000;

export const LISTING_RULES: readonly HandlerRule[] = [
  {
    rule: "list/pages",
    name: "pages by number and by cursor hold each resource once, in ascending order of id",
    run: async (opened) => {
      const { client } = opened;
      const ids = await fill(opened);
      expectEqual(await idsOf(client, { count: ALL }), [ids.length, ids], "all");
      for (let start = 1; start <= ids.length + 1; start += 10) {
        const page = ids.slice(start - 1, start + 9);
        expectEqual(
          await idsOf(client, { startIndex: start, count: 10 }),
          [ids.length, page],
          `the page from ${start}`,
        );
      }
      expectEqual(await idsOf(client, { startIndex: ALL, count: 10 }), [ids.length, []], "behind the last");
      expectEqual(await idsOf(client, { count: 0 }), [ids.length, []], "a page of none");
      expectEqual(await walk(client), ids, "pages by cursor");
      const { totalResults } = await client.list({ cursor: "", count: 7 });
      expectTrue(
        totalResults === null || totalResults === ids.length,
        `a page by cursor counts all that there are, or nothing: ${totalResults} of ${ids.length}`,
      );
    },
  },
  {
    rule: "list/as-read",
    name: "a list holds each resource as it is read alone: its attributes, version and dates",
    run: async (opened) => {
      await fill(opened);
      const pages = [null, { offset: 0, limit: ALL }, { after: null, limit: ALL }];
      for (const page of pages) {
        const listed = await allOf(opened.handler, { filter: null, sort: null, page });
        await readAlike(opened, listed, page === null ? "of a list" : "of a page");
      }
    },
  },
  {
    rule: "list/changing",
    name: "pages by cursor show each resource that stays once, whatever comes and goes between them",
    run: async (opened) => {
      const { client, subject } = opened;
      const ids = await fill(opened);
      const { nextCursor, resources } = await client.list({ cursor: "", count: 7 });
      const shown = ids.slice(0, resources.length);
      expectEqual(
        resources.map(({ id }) => id),
        shown,
        "the first page",
      );
      // What was shown last, at which the next page begins, and what it would begin with.
      const gone = [shown.at(-1), ids[shown.length]].filter((id) => id !== undefined);
      for (const id of gone) await client.delete(id);
      const come = idOf(await client.create(subject.sample(MANY * 2)));
      const rest = await walk(client, {}, nextCursor);
      const stays = ids.slice(shown.length).filter((id) => !gone.includes(id));
      expectEqual(
        rest.filter((id) => id !== come),
        stays,
        "the pages behind the first",
      );
    },
  },
  {
    rule: "list/read-while-written",
    name: "a list that is being read keeps nobody from writing, and shows what stood there",
    run: async (opened) => {
      const { client, handler, subject } = opened;
      const ids = await fill(opened);
      const { resources } = await handler.list(CONTEXT, EVERYTHING);
      const found: string[] = [];
      for await (const { id } of resources) {
        found.push(id);
        if (found.length !== 1) continue;
        const made = await client.create(subject.sample(MANY * 2));
        await client.replace(idOf(made), subject.changed(MANY * 2));
      }
      expectTrue(
        ids.every((id) => found.includes(id)),
        "resources that were there are listed",
      );
    },
  },
  {
    rule: "list/filters",
    name: "a filter finds what the service finds by itself, whatever part of it the handler takes over",
    run: async (opened) =>
      compare(opened, (sample, listed) =>
        filtersOf(opened.model, sample, listed).map((filter) => ({ filter })),
      ),
  },
  {
    rule: "list/sorts",
    name: "a sorted list is in the order of the service, whoever sorts it",
    run: async (opened) =>
      compare(opened, (sample) => [
        ...sortsOf(opened.model, sample),
        ...sortsOf(opened.model, sample).map((sort) => ({
          ...sort,
          filter: `${textsOf(opened.model, sample)[0]?.path ?? "id"} pr`,
        })),
      ]),
  },
];

/** Asks the handler, page by page, and the same handler with a list that takes nothing over. */
async function compare(
  opened: OpenSubject,
  questions: (sample: JsonObject, listed: readonly JsonObject[]) => readonly Question[],
): Promise<void> {
  await fill(opened);
  const { client, handler, subject } = opened;
  const { client: own } = await another(opened, { list: withoutPushDown(handler) });
  const { resources: listed } = await own.list({ count: ALL });
  for (const question of questions(wholeSample(subject), listed)) {
    const asked = JSON.stringify(question);
    const { totalResults, resources } = await own.list({ ...question, count: ALL });
    const ids = resources.map(({ id }) => id);
    expectEqual(await idsOf(client, { ...question, count: ALL }), [totalResults, ids], asked);
    for (const [startIndex, count] of [
      [3, 12],
      [2, 1],
      [ALL, 5],
    ] as const) {
      const page = ids.slice(startIndex - 1, startIndex - 1 + count);
      expectEqual(
        await idsOf(client, { ...question, startIndex, count }),
        [totalResults, page],
        `${asked}, ${count} from ${startIndex}`,
      );
    }
    expectEqual(await walk(client, question), ids, `${asked}, by cursor`);
  }
}

/** All resources, as candidates. */
function withoutPushDown(handler: ResourceHandler): ResourceHandler["list"] {
  // Read at once: no order is promised here.
  return async (context) => ({ resources: await allOf(handler, EVERYTHING, context) });
}

async function allOf(
  handler: ResourceHandler,
  query: HandlerQuery,
  context: HandlerContext = CONTEXT,
): Promise<readonly HandledResource[]> {
  const { resources } = await handler.list(context, query);
  const all: HandledResource[] = [];
  for await (const each of resources) all.push(each);
  return all;
}

async function idsOf(client: SubjectClient, question: Question): Promise<unknown> {
  const { totalResults, resources } = await client.list(question);
  return [totalResults, resources.map(({ id }) => id)];
}

/** The ids of all pages from a cursor on. */
async function walk(
  client: SubjectClient,
  question: Question = {},
  from: string | null = "",
): Promise<readonly unknown[]> {
  const ids: unknown[] = [];
  for (let cursor = from; cursor !== null && ids.length < ALL;) {
    const page: Awaited<ReturnType<SubjectClient["list"]>> = await client.list({
      ...question,
      cursor,
      count: 7,
    });
    ids.push(...page.resources.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  return ids;
}
