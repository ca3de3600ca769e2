import pino from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { startAdministered, type AdministeredServer } from "../admin/admin-client.ts";
import { printed } from "../command-line/printed.ts";
import { eventually } from "../eventually.ts";
import { schemaDocument, writeDocuments } from "../over-http/documents.ts";
import { ENGINES, type TestDatabase } from "../over-http/engines.ts";
import { resourcesOf } from "../over-http/exchange.ts";
import { MARK, tablesWith } from "./remains.ts";

const NOTE = "urn:example:params:scim:schemas:acme:1.0:Note";

/** A type that keeps a name beside a reference to a person, and finds its resources by it. */
const DOCUMENTS = [
  schemaDocument({
    id: NOTE,
    name: "Note",
    attributes: [
      { name: "title", type: "string" },
      {
        name: "about",
        type: "complex",
        subAttributes: [
          { name: "value", type: "string", caseExact: true },
          { name: "$ref", type: "reference", referenceTypes: ["User"] },
          { name: "label", type: "string" },
        ],
      },
    ],
  }),
  {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
    name: "Note",
    endpoint: "/Notes",
    schema: NOTE,
    annotations: { title: { indexed: true }, "about.label": { indexed: true } },
  },
];

async function start(environment: Readonly<Record<string, string>>): Promise<AdministeredServer> {
  return startAdministered(environment, pino({ level: "silent" }));
}

/** The titles of what a filter finds, and whether an index finds it. */
async function found(
  server: AdministeredServer,
  filter: string,
): Promise<{ readonly titles: readonly unknown[]; readonly isIndexed: boolean }> {
  const { body, headers } = await server.call("GET", `/Notes?filter=${encodeURIComponent(filter)}`);
  return {
    titles: resourcesOf(body).map(({ title }) => title),
    isIndexed: headers["scim-filter-plan"] === undefined,
  };
}

/** The text of all index entries of a type. */
async function entriesOf(database: TestDatabase, type: string): Promise<string> {
  const rows = await database.query(`SELECT path, key, id FROM attribute_index WHERE type = '${type}'`);
  const shown = (value: unknown): string =>
    value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : String(value);
  return rows.map((row) => Object.values(row).map(shown).join(" ")).join("\n");
}

describe.each(ENGINES)("on $name", (engine) => {
  test.each(["no server", "a server"])(
    "an erasure while %s runs takes what others are found by, and their other entries are made anew",
    async (which) => {
      const database = await engine.make();
      const documents = await writeDocuments(DOCUMENTS);
      onTestFinished(documents.remove);
      const environment = { ...database.environment, SCIM_SCHEMAS: documents.directory };
      let server = await start(environment);
      const person = await server.user({ userName: MARK, displayName: `Anna ${MARK}` });
      for (const [title, id] of [
        ["first", person.id],
        ["second", "other"],
      ] as const) {
        const about = { value: id, label: id === person.id ? `Anna ${MARK}` : "Bo" };
        const made = await server.call("POST", "/Notes", { body: { schemas: [NOTE], title, about } });
        expect(made.status, made.text).toBe(201);
      }
      await eventually(async () =>
        expect(await found(server, `about.label co "${MARK}"`)).toEqual({
          titles: ["first"],
          isIndexed: true,
        }),
      );
      expect(await entriesOf(database, "Note")).toContain(MARK);

      if (which === "no server") {
        await server.stop();
        await printed(["erase", person.id], environment);
        expect(await tablesWith(database, MARK)).toEqual([]);
        server = await start(environment);
      } else {
        const answer = await server.ask("DELETE", `/tenants/default/subjects/${person.id}`);
        expect(answer.status, answer.text).toBe(200);
        expect(await tablesWith(database, MARK)).toEqual([]);
      }
      const expected = [
        [`about.label co "${MARK}"`, []],
        ['title eq "first"', ["first"]],
        [`about.value eq "${person.id}"`, ["first"]],
        ["not (about.label pr)", ["first"]],
        ['about.label eq "bo"', ["second"]],
      ] as const;
      for (const [filter, titles] of expected)
        expect((await found(server, filter)).titles, filter).toEqual(titles);
      await eventually(async () => expect(await entriesOf(database, "Note")).toMatch(/^title first /m));
      await eventually(async () =>
        expect(await found(server, 'title eq "first"')).toEqual({ titles: ["first"], isIndexed: true }),
      );
      for (const [filter, titles] of expected)
        expect((await found(server, filter)).titles, filter).toEqual(titles);
    },
  );
});
