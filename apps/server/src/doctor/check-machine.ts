/**
 * Checks of what stands around the database: files of secrets, disk, address.
 * @module
 */
import { existsSync, statSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataFolder } from "../credentials/data-folder.ts";
import { isLoopback } from "../http/exposure.ts";
import type { Settings } from "../settings/table.ts";
import { type Check, fine, warning, wrong } from "./check.ts";

/** Files of secrets and of data: nobody but their owner may read them. */
export function checkModes({ databaseUrl, dataDir }: Settings): Check {
  const name = "data folder";
  if (databaseUrl.kind !== "sqlite") return fine(name, "none is used on PostgreSQL");
  const { path } = dataFolder(dataDir, databaseUrl.path);
  const secrets = ["credentials", "keys.json"].map((file) => join(path, file));
  const open = [...secrets, databaseUrl.path].filter((file) => existsSync(file) && isReadByOthers(file));
  const tight = open.filter((file) => !secrets.includes(file));
  if (open.length === 0) return fine(name, `${path}: others cannot read what is secret`);
  const remedy = `chmod 600 ${open.join(" ")}`;
  const detail = `others than their owner may read ${open.join(", ")}`;
  // A database may be kept from others by its folder as well.
  return tight.length === open.length ? warning(name, detail, remedy) : wrong(name, detail, remedy);
}

function isReadByOthers(file: string): boolean {
  return (statSync(file).mode & 0o077) !== 0;
}

const MIB = 1_048_576;
/** Free space below which writes will soon fail, in bytes (256 MiB). */
const TOO_LITTLE = 256 * MIB;
/** Free space below which somebody should look, in bytes (2 GiB). */
const LITTLE = 2048 * MIB;

/** Room for the database to grow. */
export function checkDisk({ databaseUrl }: Settings): Check {
  const name = "free disk";
  if (databaseUrl.kind !== "sqlite") return fine(name, "that of PostgreSQL is not seen from here");
  if (databaseUrl.path === ":memory:") return fine(name, "none is needed in memory");
  const folder = dirname(databaseUrl.path);
  if (!existsSync(folder)) return fine(name, `${folder} does not exist yet`);
  const { bavail, bsize } = statfsSync(folder);
  return diskCheck(name, folder, bavail * bsize);
}

/** What so many free bytes mean. */
export function diskCheck(name: string, folder: string, free: number): Check {
  const detail = `${Math.floor(free / MIB)} MiB free in ${folder}`;
  if (free >= LITTLE) return fine(name, detail);
  const remedy = "Make room: where the disk is full, writes are answered 503.";
  return free < TOO_LITTLE ? wrong(name, detail, remedy) : warning(name, detail, remedy);
}

/** Whether tokens may pass in clear text. */
export function checkAddress({ host, exposed, baseUrl }: Settings): Check {
  const name = "public address";
  if (!isLoopback(host) && exposed === "none") {
    const detail = `the server would listen on ${host}, and TLS in front is not declared`;
    return wrong(name, detail, "Put TLS in front, and declare it with SCIM_EXPOSED=behind-tls.");
  }
  if (
    baseUrl?.startsWith("http:") === true &&
    !isLoopback(new URL(baseUrl).hostname.replaceAll(/[[\]]/g, ""))
  ) {
    return warning(name, `clients are told ${baseUrl}`, "Set SCIM_BASE_URL to an https address.");
  }
  return fine(name, `${host}, ${exposed === "none" ? "for this machine alone" : "behind TLS"}`);
}
