/**
 * Rules of single writes to a handler.
 * @module
 */
import { isJsonObject, type JsonObject } from "@scim/schemas";
import type { ResourceAnswer } from "../../answers.ts";
import { expectEqual, expectTrue } from "../contract/expect.ts";
import type { HandlerRule } from "./rule.ts";
import { attributesOf, idOf, statusOf, type OpenSubject } from "./subject.ts";

/** Text that goes wrong where values are put together with statements, patterns or paths. */
const AWKWARD = [
  "O'Neil",
  '"; DROP TABLE users; --',
  "100%_\\",
  "Zoë 😀 ｆｕｌｌ",
  "\u0000\u0001",
  "a\nb",
  " lead",
  "trail ",
  "long ".repeat(200).trim(),
];

/** Characters of a text that is shown whole. */
const SHOWN = 40;

/** Writes at the same time. */
const AT_ONCE = 8;

/** Milliseconds between changes: clocks of databases tell milliseconds, some seconds. */
const CLOCK_STEPS = [0, 20, 1100];

export const WRITING_RULES: readonly HandlerRule[] = [
  {
    rule: "write/create",
    name: "a resource is created with an id, and read back as it was answered and sent",
    run: async ({ client, subject }) => {
      const sent = subject.sample(0);
      const made = await client.create(sent);
      expectTrue(idOf(made) !== "", "the resource has an id");
      expectEqual(await client.read(idOf(made)), made, "what is read");
      expectEqual(attributesOf(made.resource), attributesOf(sent), "what was sent");
    },
  },
  {
    rule: "write/replace",
    name: "a resource is replaced whole, and answered as it is stored; others stay as they are",
    run: async ({ client, subject }) => {
      const other = await client.create(subject.sample(1));
      const made = await client.create(subject.sample(0));
      const changed = await client.replace(idOf(made), subject.changed(0));
      expectEqual(attributesOf(changed.resource), attributesOf(subject.changed(0)), "what was sent");
      expectEqual(await client.read(idOf(made)), changed, "what is read");
      expectEqual(await client.read(idOf(other)), other, "another resource");
    },
  },
  {
    rule: "write/delete",
    name: "a deleted resource is gone: not found, not listed, and its values are free",
    run: async ({ client, subject }) => {
      const made = await client.create(subject.sample(0));
      await client.create(subject.sample(1));
      await client.delete(idOf(made));
      expectEqual(await statusOf(client.read(idOf(made))), 404, "reading it");
      expectEqual(await statusOf(client.delete(idOf(made))), 404, "deleting it again");
      expectEqual((await client.list()).totalResults, 1, "how many are left");
      await client.create(subject.sample(0));
    },
  },
  {
    rule: "write/unknown-id",
    name: "an id that nobody has is not found, whatever it looks like",
    run: async ({ client, subject }) => {
      await client.create(subject.sample(0));
      for (const id of ["0", "no-such-id", "1 OR 1=1", "'", "%", "../x", "\u0000", "x".repeat(300)]) {
        expectEqual(await statusOf(client.read(id)), 404, `reading ${JSON.stringify(id)}`);
        expectEqual(
          await statusOf(client.replace(id, subject.changed(0))),
          404,
          `replacing ${JSON.stringify(id)}`,
        );
        expectEqual(await statusOf(client.delete(id)), 404, `deleting ${JSON.stringify(id)}`);
      }
      expectEqual((await client.list()).totalResults, 1, "how many there are");
    },
  },
  {
    rule: "write/at-once",
    name: "writes at the same time do not touch each other, those among them that are refused least of all",
    run: async ({ client, subject }) => {
      const first = await client.create(subject.sample(0));
      const made = new Map<number, ResourceAnswer>();
      const refusable = Array.from({ length: AT_ONCE }, (_, n) =>
        statusOf(client.create(subject.sample(n)).then((each) => made.set(n, each))),
      );
      await Promise.all(refusable);
      for (const each of [first, ...made.values()])
        expectEqual(await client.read(idOf(each)), each, "what was created at the same time as others");
      expectEqual((await client.list()).totalResults, made.size + 1, "how many there are");
      const changed = await Promise.all(
        [...made].map(async ([n, each]) => client.replace(idOf(each), subject.changed(n))),
      );
      for (const each of changed)
        expectEqual(await client.read(idOf(each)), each, "what was changed at the same time as others");
    },
  },
  {
    rule: "write/dates",
    name: "a change leaves the date of creation as it is, and moves that of the last change",
    run: async ({ client, subject }) => {
      const made = await client.create(subject.sample(0));
      const { created, lastModified } = datesOf(made);
      if (created === undefined && lastModified === undefined) return "the handler tells no dates";
      let last = lastModified;
      for (const [step, wait] of CLOCK_STEPS.entries()) {
        await new Promise((resolve) => setTimeout(resolve, wait));
        const state = step % 2 === 0 ? subject.changed(0) : subject.sample(0);
        const dates = datesOf(await client.replace(idOf(made), state));
        expectEqual(dates.created, created, "meta.created after a change");
        last = dates.lastModified;
        if (last !== lastModified) break;
      }
      expectTrue(lastModified === undefined || last !== lastModified, "meta.lastModified has moved");
      return undefined;
    },
  },
  {
    rule: "write/awkward-text",
    name: "text of any kind is kept as it is, or refused as a fault of the client",
    run: async (opened) => {
      const refused: string[] = [];
      for (const name of textNames(opened)) {
        for (const [index, text] of AWKWARD.entries()) {
          if (!(await keepsText(opened, { name, text, n: index })))
            refused.push(`${name}: ${shownText(text)}`);
        }
      }
      return refused.length === 0 ? undefined : `refused are ${refused.join(", ")}`;
    },
  },
  {
    rule: "tenant/boundary",
    name: "a tenant sees, changes and counts nothing of another",
    unsupported: ({ subject }) => (subject.oneTenant === true ? "there is one tenant alone" : null),
    run: async ({ client, stranger, subject }) => {
      const made = await client.create(subject.sample(0));
      expectEqual(await statusOf(stranger.read(idOf(made))), 404, "reading");
      expectEqual(await statusOf(stranger.replace(idOf(made), subject.changed(0))), 404, "replacing");
      expectEqual(await statusOf(stranger.delete(idOf(made))), 404, "deleting");
      expectEqual((await stranger.list()).totalResults, 0, "listing");
      await stranger.create(subject.sample(0));
      expectEqual(await client.read(idOf(made)), made, "the first tenant's");
    },
  },
];

function datesOf({ resource }: ResourceAnswer): {
  readonly created?: unknown;
  readonly lastModified?: unknown;
} {
  const { meta } = resource;
  return isJsonObject(meta) ? { created: meta["created"], lastModified: meta["lastModified"] } : {};
}

function shownText(text: string): string {
  return text.length > SHOWN ? `${text.length} characters` : JSON.stringify(text);
}

/** Names of the attributes of samples that hold text which need not follow a form, nor be one of some. */
function textNames({ model, subject }: OpenSubject): readonly string[] {
  return Object.entries(subject.sample(0))
    .filter(([name, value]) => {
      const attribute = model.members.get(name.toLowerCase())?.attribute;
      return (
        typeof value === "string" && attribute?.type === "string" && attribute.canonicalValues.length === 0
      );
    })
    .map(([name]) => name);
}

async function keepsText(
  { client, subject }: OpenSubject,
  { name, text, n }: { readonly name: string; readonly text: string; readonly n: number },
): Promise<boolean> {
  const attributes: JsonObject = { ...subject.sample(n), [name]: text };
  const before = (await client.list({ count: 0 })).totalResults;
  const keep = async (): Promise<void> => {
    const made = await client.create(attributes);
    expectEqual((await client.read(idOf(made))).resource[name], text, `the text of ${name}`);
    await client.delete(idOf(made));
  };
  const status = await statusOf(keep());
  expectTrue(status === 0 || (status >= 400 && status < 500), `text in ${name} is kept, or refused with 4xx`);
  expectEqual((await client.list({ count: 0 })).totalResults, before, "how many there are");
  return status === 0;
}
