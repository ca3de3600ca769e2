/**
 * `scim schema validate` and `scim schema diff`: look at Schema and ResourceType documents without a server.
 * @module
 */
import {
  compareResourceTypes,
  compareSchemas,
  createDefaultRegistry,
  SchemaDocumentError,
  type AddedDocuments,
  type ResourceTypeDefinition,
  type SchemaDefinition,
} from "@scim/schemas";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print, tell, type Reader } from "../output.ts";
import { documentsOf, filesOf } from "../schemas/schema-documents.ts";
import { counted } from "../progress/progress.ts";

/**
 * Runs a command on documents.
 * @throws CommandFailure for a wrong command line, or files that cannot be read
 */
export function schema(positionals: readonly string[], reader: Reader): ExitCode {
  const [action, ...files] = positionals;
  if (action === "validate") return validate(files, reader);
  const [before = "", after = ""] = files;
  return diff({ before, after }, reader);
}

/** Prints faults on standard error and notices on standard output; JSON holds both. */
function validate(paths: readonly string[], reader: Reader): ExitCode {
  const documents = paths.flatMap(filesOf).flatMap((file) => documentsOf(file));
  try {
    const { notices } = createDefaultRegistry().addDocuments(documents, { allowBreaking: true });
    const lines = [
      ...notices.map(({ source, path, message }) => `notice  ${source}: ${path}: ${message}`),
      `${counted(documents.length, "document")} usable, ${counted(notices.length, "notice")}.`,
    ];
    return print(reader, { documents: documents.length, notices, errors: [] }, lines.join("\n"));
  } catch (error) {
    if (!(error instanceof SchemaDocumentError)) throw error;
    const { issues } = error;
    for (const { source = "", path, message } of issues)
      tell(reader, `error   ${source}: ${path === "" ? "document" : path}: ${message}`);
    if (reader.json === true) print(reader, { documents: documents.length, notices: [], errors: issues }, "");
    return EXIT.failed;
  }
}

/** A difference as it is printed. */
interface Line {
  readonly breaking: boolean;
  readonly text: string;
}

/** Prints what differs; breaking differences make the command fail. */
function diff(pair: { readonly before: string; readonly after: string }, reader: Reader): ExitCode {
  const [old, fresh] = [read(pair.before), read(pair.after)];
  const lines = [
    ...schemaLines(old.schemas, fresh.schemas),
    ...typeLines(old.resourceTypes, fresh.resourceTypes),
  ];
  const breaking = lines.filter((line) => line.breaking).length;
  const told = [
    ...lines.map((line) => `${line.breaking ? "breaking  " : "compatible"}  ${line.text}`),
    `${counted(lines.length, "difference")}, ${breaking} breaking.`,
  ];
  print(reader, { differences: lines, breaking }, told.join("\n"));
  return breaking === 0 ? EXIT.ok : EXIT.failed;
}

function read(path: string): AddedDocuments {
  try {
    return createDefaultRegistry().addDocuments(
      filesOf(path).flatMap((file) => documentsOf(file)),
      { allowBreaking: true },
    );
  } catch (error) {
    if (!(error instanceof SchemaDocumentError)) throw error;
    throw new CommandFailure(EXIT.failed, `${path}: ${error.message}`, error);
  }
}

function schemaLines(
  before: readonly SchemaDefinition[],
  after: readonly SchemaDefinition[],
): readonly Line[] {
  const [old] = before;
  const [fresh] = after;
  // Two files of one schema each are two versions of it, also where the URN holds the version.
  if (old !== undefined && fresh !== undefined && before.length === 1 && after.length === 1)
    return differencesOf(old, fresh);
  const key = ({ id }: SchemaDefinition): string => id.toLowerCase();
  return pairs(before, after, key).flatMap(([was, is]) => {
    if (was !== undefined && is !== undefined) return differencesOf(was, is);
    return oneSided(was?.id, is?.id);
  });
}

function differencesOf(before: SchemaDefinition, after: SchemaDefinition): readonly Line[] {
  return compareSchemas(before, after).map(({ breaking, path, message }) => ({
    breaking,
    text: `${before.id} ${path === "" ? "" : `${path} `}${message}`,
  }));
}

function typeLines(
  before: readonly ResourceTypeDefinition[],
  after: readonly ResourceTypeDefinition[],
): readonly Line[] {
  return pairs(before, after, ({ name }) => name).flatMap(([was, is]) => {
    if (was === undefined || is === undefined) return oneSided(was?.name, is?.name);
    return compareResourceTypes(was, is).map(({ breaking, path, message }) => ({
      breaking,
      text: `${was.name} ${path} ${message}`,
    }));
  });
}

function oneSided(was: string | undefined, is: string | undefined): readonly Line[] {
  return was === undefined
    ? [{ breaking: false, text: `${is ?? ""} is new` }]
    : [{ breaking: true, text: `${was} is gone` }];
}

/** Definitions of the same key on both sides, and those of one side alone. */
function pairs<Definition>(
  before: readonly Definition[],
  after: readonly Definition[],
  key: (definition: Definition) => string,
): readonly (readonly [Definition | undefined, Definition | undefined])[] {
  const old = new Map(before.map((definition) => [key(definition), definition]));
  const fresh = new Map(after.map((definition) => [key(definition), definition]));
  return [...new Set([...old.keys(), ...fresh.keys()])].map((each) => [old.get(each), fresh.get(each)]);
}
