import { readdirSync, readFileSync } from "node:fs";
import { previousRelease, releases } from "@scim/fixtures/releases";
import { describe, expect, test } from "vitest";

const DIALECTS = ["sqlite", "postgres"] as const;

interface MigrationFile {
  readonly dialect: (typeof DIALECTS)[number];
  readonly file: string;
  readonly text: string;
  /** The statements without comments. */
  readonly statements: readonly string[];
}

function folderOf(dialect: string): URL {
  return new URL(`../src/${dialect}/migrations/`, import.meta.url);
}

function filesOf(dialect: MigrationFile["dialect"]): readonly MigrationFile[] {
  return readdirSync(folderOf(dialect))
    .toSorted()
    .map((file) => {
      const text = readFileSync(new URL(file, folderOf(dialect)), "utf8");
      const statements = text
        .replaceAll(/--.*$/gm, "")
        .split(";")
        .map((statement) => statement.replaceAll(/\s+/g, " ").trim())
        .filter((statement) => statement !== "");
      return { dialect, file, text, statements };
    });
}

const FILES = DIALECTS.flatMap(filesOf);

/** What a migration may do: make what was not there, and tell when a server looks after a table. */
const EXPANDING = [
  /^CREATE TABLE \w+ \(/,
  /^CREATE (UNIQUE )?INDEX \w+ ON \w+ /,
  /^INSERT INTO \w+ /,
  /^ALTER TABLE \w+ ADD COLUMN /,
  /^ALTER TABLE \w+ SET \((autovacuum_\w+ = [\d.]+(, )?)+\)$/,
];

/** A column that programs without the migration can leave out. */
function canBeLeftOut(statement: string): boolean {
  return !/ NOT NULL/.test(statement) || / DEFAULT /.test(statement);
}

describe("migrations", () => {
  test("have the same names for both databases, numbered without gaps", () => {
    const [sqlite, postgres] = DIALECTS.map((dialect) => filesOf(dialect).map(({ file }) => file));
    expect(postgres).toEqual(sqlite);
    expect(sqlite?.map((file) => Number(file.slice(0, 4)))).toEqual(sqlite?.map((_, index) => index + 1));
  });

  test.each(FILES)("$dialect/$file says what it is for, and who may still write", ({ file, text }) => {
    const [purpose, writer] = text.split("\n");
    expect(purpose).toMatch(/^-- [A-Z].*[.,]?$/);
    const oldest = Number(/^-- oldest writer: (\d+)$/.exec(writer ?? "")?.[1]);
    expect(oldest).toBeGreaterThanOrEqual(1);
    expect(oldest).toBeLessThanOrEqual(Number(file.slice(0, 4)));
  });

  test.each(FILES)("$dialect/$file only expands what is there", ({ statements }) => {
    for (const statement of statements) {
      expect(statement).toSatisfy((text: string) => EXPANDING.some((form) => form.test(text)));
      if (statement.includes(" ADD COLUMN ")) expect(statement).toSatisfy(canBeLeftOut);
      // On a table that others write, what is unique could refuse their writes.
      const unique = /^CREATE UNIQUE INDEX \w+ ON (?<table>\w+)/.exec(statement)?.groups?.["table"];
      if (unique !== undefined) expect(statements.join("\n")).toContain(`CREATE TABLE ${unique} (`);
    }
  });

  test("let the program of the previous release go on writing", () => {
    const release = previousRelease();
    for (const dialect of DIALECTS) {
      const known = release.migrations(dialect).size;
      if (known === 0) continue;
      for (const { file, text } of filesOf(dialect).slice(known)) {
        expect(
          Number(/^-- oldest writer: (\d+)$/m.exec(text)?.[1]),
          `${dialect}/${file}`,
        ).toBeLessThanOrEqual(known);
      }
    }
  });

  test("that were released stay as they are", () => {
    for (const release of releases()) {
      for (const dialect of DIALECTS) {
        for (const [file, text] of release.migrations(dialect)) {
          expect(readFileSync(new URL(file, folderOf(dialect)), "utf8"), `${release.name}: ${file}`).toBe(
            text,
          );
        }
      }
    }
    expect(releases().length).toBeGreaterThan(0);
  });
});
