/**
 * `scim migrate --to ADDRESS`: moves everything to another database, and compares what both hold.
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import { copyStore, type Checksum } from "@scim/store/copy";
import type { Store } from "@scim/store/sqlite";
import type { AdminAct } from "@scim/tenancy";
import pino from "pino";
import { toldReading } from "../administration/told-command.ts";
import { givenKeys, keysFile } from "../credentials/given-keys.ts";
import { openDatabase, usable } from "../store/database.ts";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { print, type Reader } from "../output.ts";
import { openStore } from "../store/open-store.ts";
import { grouped, startProgress } from "../progress/progress.ts";
import type { MigrateFlags } from "./migrate.ts";
import { loadRegistries } from "../schemas/schema-registry.ts";
import {
  existingDatabase,
  isSameDatabase,
  readDatabaseAddress,
  showDatabaseAddress,
} from "../settings/database-address.ts";
import { columns } from "../columns.ts";
import type { Settings } from "../settings/table.ts";

/**
 * Moves the database of the settings to an address.
 * @throws CommandFailure for flags that have no part in it, and for an address that nothing stays at, or that of the settings
 */
export async function move(settings: Settings, address: string, reader: MigrateFlags): Promise<ExitCode> {
  refuseAside(reader);
  const to: Settings = { ...settings, databaseUrl: addressOf(address), migrations: "auto" };
  // It is not empty, and nobody is to be told to make it anew.
  if (isSameDatabase(settings.databaseUrl, to.databaseUrl))
    throw new CommandFailure(
      EXIT.usage,
      "--to names the database that everything is to be moved from: name another.",
    );
  const from: Settings = { ...settings, databaseUrl: existingDatabase(settings.databaseUrl) };
  const keysThere = whereKeysAre(from, to);
  // Events that no server has given a position yet are given one before they go, and with it their audit entries.
  const { store: source } = await openStore(from, loadRegistries(from, pino({ level: "silent" })));
  try {
    const target = await openDatabase(to);
    try {
      return await toldMove({ source, target, address, keysThere }, reader);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function refuseAside({ plan, partitions, distribute }: MigrateFlags): void {
  if (plan === true)
    throw new CommandFailure(
      EXIT.usage,
      "--plan tells of a schema, and --to moves everything: give one of them.",
    );
  if (partitions !== undefined || distribute !== undefined)
    throw new CommandFailure(
      EXIT.usage,
      "With --to, the new database keeps its layout: lay it out first by 'scim migrate --partitions N' or '--distribute citus' with its address as --database-url, then move.",
    );
}

function addressOf(text: string): Settings["databaseUrl"] {
  try {
    const address = readDatabaseAddress(text);
    if (address.kind === "postgres" || address.path !== ":memory:") return address;
    throw new TypeError("must be a database that stays: one in memory ends with the command");
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new CommandFailure(EXIT.usage, `--to ${cause.message}.`, cause);
  }
}

/** Where everything is, and where it goes. */
interface Move {
  readonly source: Store;
  readonly target: Store;
  readonly address: string;
  /** What becomes of the secret keys, as a part of a sentence. */
  readonly keysThere: string;
}

/**
 * What a server of the new database is told of the keys that made what is moved: by others no token lets anybody in.
 * @throws CommandFailure where there are others already
 */
function whereKeysAre(from: Settings, to: Settings): string {
  const [file, fileThere] = [keysFile(from), keysFile(to)];
  if (from.secretKeys !== null || file === null) return "and the same SCIM_SECRET_KEYS";
  if (fileThere === null) return `and the keys of ${file} as SCIM_SECRET_KEYS`;
  if (fileThere === file) return "and the same secret keys";
  const there = givenKeys(to);
  if (there === null) return `once ${file} is copied to ${fileThere}: by other keys no token lets anybody in`;
  const missing = (givenKeys(from) ?? []).filter(
    ({ id, secret }) => !there.some((key) => key.id === id && isDeepStrictEqual(key.secret, secret)),
  );
  if (missing.length === 0) return "and the same secret keys";
  const ids = missing.map(({ id }) => id).join(", ");
  throw new CommandFailure(
    EXIT.failed,
    `${fileThere} holds other secret keys: by them, no token of ${file} would let anybody in. Nothing was moved. Add to it, behind the ` +
      `first, ${ids} of ${file}, or copy that file to its place, and move then.`,
  );
}

/**
 * All tenants are read. What is told before the copy begins goes along with it, so that both trails hold its beginning; its
 * end is told in both.
 */
async function toldMove(moving: Move, reader: Reader): Promise<ExitCode> {
  const { source, target } = moving;
  const trails = [source.trail];
  const trail = {
    tell: async (act: AdminAct): Promise<void> => {
      for (const each of trails) await each.tell(act);
    },
  };
  const work = async (): Promise<ExitCode> => {
    const code = await moveStore(moving, reader);
    trails.push(target.trail);
    return code;
  };
  return toldReading({ trail }, { command: "scim migrate --to", about: "*" }, { reader, work });
}

async function moveStore({ source, target, address, keysThere }: Move, reader: Reader): Promise<ExitCode> {
  const progress = startProgress("rows");
  const {
    source: before,
    target: after,
    equal,
  } = await usable(
    () =>
      copyStore(source, target, {
        onProgress: (rows) => progress.show({ done: rows, part: null, note: "" }),
      }),
    "The move did not come to its end",
  ).finally(() => progress.end());
  const shown = showDatabaseAddress(address);
  const next = `Both hold the same. Start the servers with --database-url ${shown} ${keysThere}.`;
  const lines = [table(before, after), ...(equal ? [next] : [])];
  print(reader, { to: shown, equal, here: before, there: after }, lines.join("\n"));
  if (!equal) {
    throw new CommandFailure(
      EXIT.failed,
      "The two differ: something wrote to the database meanwhile. Stop every server, make the new database anew and move again.",
    );
  }
  return EXIT.ok;
}

/** Digits of a digest that people compare. */
const SHOWN_DIGITS = 16;

function table(before: readonly Checksum[], after: readonly Checksum[]): string {
  const rows = before.map(({ tenant, what, count, digest }) => {
    const moved = after.find((each) => each.tenant === tenant && each.what === what);
    return [
      tenant,
      what,
      grouped(count),
      digest.slice(0, SHOWN_DIGITS),
      grouped(moved?.count ?? 0),
      moved?.digest.slice(0, SHOWN_DIGITS) ?? "",
      moved?.digest === digest ? "same" : "DIFFERS",
    ];
  });
  return columns([["tenant", "what", "here", "checksum", "there", "checksum", ""], ...rows]);
}
