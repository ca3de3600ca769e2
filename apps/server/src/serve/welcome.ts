/**
 * What the server tells its user when it has started.
 * @module
 */
import { isAbsolute, relative } from "node:path";
import process from "node:process";
import type { Logger } from "pino";
import type { TokenOrigin } from "../credentials/start-tokens.ts";
import type { Audience } from "../log.ts";
import { DEFAULT_TENANT } from "../settings/table.ts";

/** What there is to tell. */
export interface Welcome {
  /** Base address of SCIM. */
  readonly baseUrl: string;
  readonly token: TokenOrigin;
  /** File of credentials; null where none is kept. */
  readonly credentialsPath: string | null;
}

/** Tells where the server is and how to call it: to people on the terminal, else on standard error; to programs in the log. */
export function welcome(told: Welcome, log: Logger, audience: Audience): void {
  log.info({ baseUrl: told.baseUrl, token: tokenPlace(told) }, "SCIM is served");
  if (audience === "program") return;
  const terminal = audience === "terminal";
  const out = terminal ? process.stdout : process.stderr;
  out.write(`\n  SCIM 2.0   ${told.baseUrl}\n${tokenLines(told, terminal)}\n\n`);
}

function tokenPlace(told: Welcome): string {
  const { kind } = told.token;
  if (kind === "given") return "setting";
  if (kind === "suspended") return "suspended";
  return fileOf(told) ?? (kind === "kept" ? "made by scim token create" : "none");
}

/** The file that holds the token; null where none does. */
function fileOf({ token, credentialsPath }: Welcome): string | null {
  const isInFile = token.kind === "made" || (token.kind === "kept" && token.isInFile);
  return isInFile ? credentialsPath : null;
}

function tokenLines(told: Welcome, terminal: boolean): string {
  const { token, baseUrl } = told;
  if (token.kind === "given")
    return lines(["Token", "as SCIM_TOKEN gives it"], ["Try", curl("$SCIM_TOKEN", baseUrl)]);
  const path = fileOf(told);
  if (path === null) return linesWithoutFile(token, baseUrl);
  const file = shownPath(path);
  const call = curl(`$(sed -n 's/^SCIM_TOKEN=//p' ${file})`, baseUrl);
  if (token.kind === "kept") {
    const made = `made on an earlier start, in ${file}; make another with: ${program()} token create`;
    return lines(["Token", made], ["Try", call]);
  }
  return lines(
    ["Token", terminal && token.kind === "made" ? `${token.text}, kept in ${file}` : `in ${file}`],
    ["Try", call],
  );
}

function linesWithoutFile(token: TokenOrigin, baseUrl: string): string {
  const { kind } = token;
  if (kind === "suspended") {
    const { what } = token;
    return lines(
      ["Token", `refused, since the ${what} '${DEFAULT_TENANT}' is suspended`],
      ["Try", `${program()} ${what} resume ${DEFAULT_TENANT}`],
    );
  }
  const make = `${program()} token create`;
  const texts: Partial<Record<TokenOrigin["kind"], string>> = {
    none: `none yet; make one with: ${make}`,
    lost: `those made before need secret keys that are not given; give them, or make another with: ${make}`,
    ended: `those made before were revoked, or have ended; make another with: ${make}`,
    refused: `that of SCIM_TOKEN was revoked, or has ended; make another with: ${make}`,
  };
  return lines(
    ["Token", texts[kind] ?? `made before; another with: ${make}`],
    ["Try", curl("<token>", baseUrl)],
  );
}

/** How this program is called: in a clone of the repository, by its script. */
function program(): string {
  return process.env["npm_lifecycle_event"] === undefined ? "scim" : "npm run --silent scim --";
}

function lines(...rows: readonly (readonly [string, string])[]): string {
  return rows.map(([name, text]) => `  ${name.padEnd(10)} ${text}`).join("\n");
}

function curl(token: string, baseUrl: string): string {
  return `curl -H "Authorization: Bearer ${token}" ${baseUrl}/Users`;
}

/** A path as a shell takes it, short where it is below the working directory. */
function shownPath(path: string): string {
  const below = relative(process.cwd(), path);
  const short = below.startsWith("..") || isAbsolute(below) ? path : below;
  return /^[\w./-]+$/.test(short) ? short : `'${short.replaceAll("'", String.raw`'\''`)}'`;
}
