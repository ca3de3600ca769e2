/**
 * `scim --help` and `scim --version`.
 * @module
 */
import { readFileSync } from "node:fs";
import { EXIT, type ExitCode } from "../failure.ts";
import { showFlags } from "../settings/show.ts";
import { EXAMPLES } from "./examples.ts";

/** Commands whose flags are the settings: their help is the whole. */
const OF_SETTINGS: ReadonlySet<string> = new Set(["serve", "config"]);

/** Prints how to use the command line, or one command that is named. */
export function help(command?: string): ExitCode {
  const part = command === undefined || OF_SETTINGS.has(command) ? null : helpOf(command);
  process.stdout.write(part ?? wholeHelp());
  return EXIT.ok;
}

/** A line that begins the part of a command. */
const BEGINNING = /^ {2}scim (?<command>[a-z]+)/;

/** How to use one command, with examples where it has some; null where the help knows none of this name. */
function helpOf(command: string): string | null {
  const usage = wholeHelp()
    .split("\n\n")
    .find((part) => part.startsWith("Usage"));
  const lines: string[] = [];
  let isOfCommand = false;
  for (const line of usage?.split("\n") ?? []) {
    const named = BEGINNING.exec(line)?.groups?.["command"];
    if (named !== undefined) isOfCommand = named === command;
    if (isOfCommand) lines.push(line);
  }
  if (lines.length === 0) return null;
  const examples = EXAMPLES.get(command);
  return [
    "Usage",
    ...lines,
    ...(examples === undefined ? [] : ["", "Examples", ...examples.map((line) => `  ${line}`)]),
    "",
    "Settings are flags too, such as --database-url; 'scim --help' lists them, and every command.",
    "",
  ].join("\n");
}

function wholeHelp(): string {
  return `scim: a SCIM 2.0 service provider

Usage
  scim serve [flags]                 run the server
  scim tenant create NAME            make a tenant: a customer, who owns resources and sees no other's
      --display-name TEXT            what people call it
  scim tenant list [--json]          list tenants; scim tenant show NAME shows one
  scim tenant change NAME --display-name TEXT
  scim tenant suspend NAME           refuse its tokens within a second and lose nothing; scim tenant resume NAME takes it back
  scim tenant delete NAME --exported delete a suspended tenant for good; say that 'scim export' has kept what is to stay
  scim connection create NAME        make a connection: a provisioning client of a tenant, with tokens of its own
      --profile NAME, --switches LIST
                                     how it is answered; default: as the server is set
      --rate N --burst N             requests per second, and at once; 'default' as the server is set
      --guard off|observe|hold       against mass deactivations, deletions and removals; 'default' as the server is set.
                                     --guard-bound 50,10,60: so many in any case, percent, minutes;
                                     --guard-named LIST are ids or userNames that always pass
      --silent-after MINUTES         when it counts as silent; 0 never, 'default' as its runs have it
      --tenant NAME                  default 'default', here and below
  scim connection list [--json]      list connections; scim connection show NAME shows one
  scim connection change NAME [flags]
  scim connection suspend NAME, scim connection resume NAME, scim connection delete NAME
  scim token create [flags]          make a token; its text is shown once
      --name TEXT                    what people call it
      --scope NAME                   scim (default), scim:read, scim:write, scim:delete, scim:bulk, scim:diagnostics, or for
                                     one resource type scim:read:User and the like; may be repeated
      --subject ID                   id of the resource that /Me stands for
      --expires WHEN                 90d, 12h, 30m or an instant; default a year
      --never-expires                good until it is revoked
      --connection NAME              default 'default'
      --tenant NAME                  default 'default'; 'admin' for an administrator, with
      --role NAME                    owner (default), operator, support or tenant-admin:TENANT
  scim token list [--connection NAME] [--tenant NAME]
                                     list tokens, with the last use of each
  scim token revoke ID               revoke a token; every server refuses it within a second
  scim token import --scheme NAME --hash HASH [flags of create]
                                     take a token over that was made elsewhere: sha256, hmac-sha256 or bcrypt
      --key-file FILE                key of hmac-sha256; or the variable SCIM_TOKEN_KEY
                                     each command of tenants, connections and tokens takes --json for programs
  scim client create [flags]         make an OAuth client of a connection; prints its client_id
      --name TEXT, --scope NAME      scopes as for tokens; --scope may be repeated
      --lifetime SPAN                how long its access tokens are good for: 10m to 6h, default 1h
  scim client list|show|suspend|resume|delete [CLIENT]
                                     list clients, show one with its secrets and trusts, stop it, or take it away
  scim client secret add CLIENT [--expires 365d]
                                     make a secret, at most for three years; its text is shown once
  scim client trust add CLIENT --issuer URL --jwks URL --audience TEXT --subject TEXT
                                     let JWTs of an issuer stand for a client, such as Entra's workload identity
      --purpose NAME                 assertion (default): at /oauth2/token; access-token: sent to SCIM itself
      --claim NAME                   what holds the subject: sub (default), client_id, azp or appid
      --require-jti                  refuse assertions without jti
  scim client secret|trust revoke CLIENT ID
                                     take one back; all of scim client: --tenant NAME, --connection NAME, --json
  scim import FILE [flags]           bring resources in; - is standard input. The same command goes on where a run stopped
      --format NAME                  jsonl, csv or json (a ListResponse); default by the file's ending
      --type NAME                    resource type of all records; default: each record's own
      --mapping FILE                 what the columns of CSV hold; default: a header of attribute paths
      --keep-ids                     keep id and meta.created, to take the place of another service
      --mode NAME                    upsert (default) or create: refuse to change what exists
      --dry-run                      write nothing and tell what would come of it
      --report FILE                  where rejected records are listed; default FILE.rejected.jsonl
      --encoding NAME                such as latin1; default UTF-8, and UTF-16 where the file begins so
      --max-record BYTES             greatest record; default 67108864 (64 MiB)
      --restart                      begin anew where an earlier run stopped
      --tenant NAME, --connection NAME
  scim export [FILE] [flags]         write resources as JSON lines, or as CSV by a mapping
      --type NAME, --format NAME, --mapping FILE, --tenant NAME
  scim backup FILE                   copy an SQLite database while it is in use, and check the copy
  scim index list [--type NAME]      list the attributes that have an index, and how far each is built
  scim index add --type NAME --path PATH
                                     declare the index of an attribute; servers build it while they serve
  scim index drop --type NAME --path PATH
                                     take it away; each for one tenant: --tenant NAME, default 'default'
  scim webhook create --url ADDRESS  tell an address of a tenant's events; its secret is shown once
      --types LIST                   which events: User, User.deleted, *.deleted, separated by commas; default all
      --payload NAME                 reference (default): no values of persons; or full
      --since POSITION               begin behind a position; default: with what happens next
  scim webhook list                  list them, how far each is, and what failed
  scim webhook rotate ID             make a new secret; --overlap HOURS that the old one stays good, default 24
  scim webhook test ID               send a message that tries it out
  scim webhook pause|enable|delete ID
  scim webhook dead ID               list what was given up
  scim webhook replay ID             deliver that again, or with --since POSITION everything behind it
  scim stream create --url ADDRESS   send Security Event Tokens to an address; with --audience TEXT alone they are asked for
  scim stream list, rotate, pause, enable, delete, dead, replay
                                     as for webhooks; rotate makes a new token of a stream that is polled
  scim stream keys, rotate-key       the keys that sign tokens; --now: the new one signs at once
                                     each for one tenant: --tenant NAME, default 'default'; with --json
  scim migrate [flags]               bring the schema of the database up to date
      --to ADDRESS                   move everything to another database instead, and compare what both hold
      --plan                         print what would be done, with locks and rows, and change nothing
      --partitions N                 lay a new PostgreSQL database out in N partitions by tenant (2 to 1024)
      --distribute citus             lay a new PostgreSQL database out over the nodes of Citus by tenant
  scim audit list [flags]            show who changed what: the last 100 entries, or those behind a position
      --since POSITION, --limit N, --type NAME --id ID, --tenant NAME, --json
  scim audit verify [--tenant NAME] [--since POSITION] [--json]
                                     go through the chain of the audit log; 1 where something is wrong
  scim audit export [FILE] [--tenant NAME] [--since POSITION]
                                     write entries and checkpoints as JSON lines
  scim events list [flags]           show what happened to resources: the last 100 events, or those behind a position
      --since POSITION, --limit N, --tenant NAME, --json
  scim events follow [--since POSITION] [--tenant NAME] [--json]
                                     show it as it happens, until it is interrupted
  scim erase SUBJECT [--tenant NAME] [--json]
                                     erase what is kept of a person, named by the id of its resource; nothing brings it back
  scim erase --list [--tenant NAME]  list who was erased, as keyed hashes
  scim erase --replay FILE           erase again whom a list names, after a backup was restored
  scim doctor [--tenant NAME] [--json]
                                     check the installation and the references of a tenant; 1 where something is wrong
  scim requests list [flags]         what clients sent, what they were answered, and why: redacted, the newest last
      --connection NAME, --run ID, --tenant NAME
      --status 404|4xx|failed        by the status of the answer
      --since WHEN                   15m, 12h, 7d or an instant; --limit N, default 50
      --runs                         list runs instead: requests that followed each other without a long pause
      --json                         a line of JSON for each
  scim requests show ID [--json]     one request, or a run; with --changes what the run changed, before and after
  scim requests tail [flags]         follow the log; flags as for list
  scim guard list [--connection NAME] [--json]
                                     changes that the guard of a connection holds, with what they would change
  scim guard release ID              let one pass when it is sent again, or all of a --connection NAME
  scim guard dismiss ID              forget one, or all of a --connection NAME; each for one tenant: --tenant NAME
  scim case export ID [FILE]         one request of the log as a file without values of persons, which can be sent again
  scim case run FILE [--json]        send it to a new service in memory; 1 where the answer is another
  scim profile list|show NAME        the profiles, and the switches of one
  scim profile diff OLD NEW --connection NAME
                                     send the requests of its log to two new services in memory, and list the answers
                                     that would change; 1 where one would. OLD and NEW read entra, or entra,-bare-token
      --since WHEN, --limit N        default the last 1000; --tenant NAME, --json
  scim config [flags]                print the settings in effect
  scim schema validate FILE...       check Schema and ResourceType documents, in files or folders
  scim schema compare OLD NEW        print what differs; fails where a difference breaks clients or stored values
  scim --help, scim COMMAND --help, scim --version

Settings, each also an environment variable (--log-level is SCIM_LOG_LEVEL) and a key of the configuration file
${showFlags()}

Exit codes: 0 done, 1 it could not be done, 2 wrong command line or setting
`;
}

/** Prints the version. */
export function version(): ExitCode {
  const document: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const known = typeof document === "object" && document !== null && "version" in document;
  process.stdout.write(`${known ? String(document.version) : "unknown"}\n`);
  return EXIT.ok;
}
