/**
 * A call of every action of the command line, in an order in which each has something to do.
 * @module
 */
import { join } from "node:path";

/** Finds a text in what an earlier command printed: the members of a document, or of its first line. */
export type Earlier = (called: string, ...path: readonly (string | number)[]) => string;

/** Arguments behind an action: they are given in this order, and each may look at what came before. */
type Given = (earlier: Earlier, folder: string) => readonly string[];

const NONE: Given = () => [];

/** URN of the schema in `thing.json`. */
export const THING = "urn:example:params:scim:schemas:extension:acme:1.0:Thing";

/** Actions that go on until they are stopped. */
export const ENDLESS: ReadonlySet<string> = new Set(["requests tail", "events follow"]);

/** Actions that speak a protocol until they are stopped: their own tests listen to them. */
export const SPEAKERS: ReadonlySet<string> = new Set(["serve", "mcp"]);

/** Every other action, in an order in which each has something to do. */
export const CALLS: Readonly<Record<string, Given>> = {
  config: NONE,
  completion: () => ["bash"],
  "schema validate": (_earlier, folder) => [join(folder, "thing.json")],
  "schema diff": (_earlier, folder) => [join(folder, "thing.json"), join(folder, "less.json")],
  migrate: () => ["--plan"],
  "tenant create": () => ["acme", "--display-name", "Acme Ltd"],
  "tenant list": NONE,
  "tenant show": () => ["acme"],
  "tenant change": () => ["acme", "--display-name", "Acme"],
  "schema add": (_earlier, folder) => [join(folder, "thing.json"), "--tenant=acme"],
  "schema list": () => ["--tenant=acme"],
  "schema remove": () => [THING, "--tenant=acme"],
  "connection create": () => ["okta", "--tenant=acme"],
  "connection list": () => ["--tenant=acme"],
  "connection show": () => ["okta", "--tenant=acme"],
  "connection switches": () => ["okta", "--tenant=acme"],
  "connection change": () => ["okta", "--tenant=acme", "--profile=okta"],
  "connection suspend": () => ["okta", "--tenant=acme"],
  "connection resume": () => ["okta", "--tenant=acme"],
  "token create": () => ["--tenant=acme"],
  "token list": () => ["--tenant=acme"],
  "token revoke": (earlier) => [earlier("token create", "id"), "--tenant=acme"],
  "token import": () => ["--tenant=acme", "--scheme=sha256", `--hash=${"0".repeat(64)}`],
  "client create": () => ["--tenant=acme"],
  "client list": () => ["--tenant=acme"],
  "client secret add": (earlier) => [earlier("client create", "clientId")],
  "client secret revoke": (earlier) => [
    earlier("client create", "clientId"),
    earlier("client secret add", "id"),
  ],
  "client trust add": (earlier) => [
    earlier("client create", "clientId"),
    "--issuer=https://issuer.example",
    "--jwks=https://issuer.example/keys",
    "--audience=us",
    "--subject=them",
  ],
  "client show": (earlier) => [earlier("client create", "clientId")],
  "client trust revoke": (earlier) => [
    earlier("client create", "clientId"),
    earlier("client trust add", "id"),
  ],
  "client suspend": (earlier) => [earlier("client create", "clientId")],
  "client resume": (earlier) => [earlier("client create", "clientId")],
  "client delete": (earlier) => [earlier("client create", "clientId")],
  "admin issuer add": () => [
    "--issuer=https://id.example",
    "--audience=us",
    "--jwks=https://id.example/keys",
  ],
  "admin issuer list": NONE,
  "admin issuer suspend": (earlier) => [earlier("admin issuer add", "id")],
  "admin issuer groups": (earlier) => [earlier("admin issuer add", "id"), "--grant=scim people=support"],
  "admin issuer resume": (earlier) => [earlier("admin issuer add", "id")],
  "admin create": (earlier) => [
    `--issuer=${earlier("admin issuer add", "id")}`,
    "--subject=ann",
    "--name=Ann",
    "--role=support",
  ],
  "admin list": NONE,
  "admin change": (earlier) => [earlier("admin create", "id"), "--role=operator"],
  "admin revoke": (earlier) => [earlier("admin create", "id")],
  "admin issuer delete": (earlier) => [earlier("admin issuer add", "id")],
  "connection delete": () => ["okta", "--tenant=acme"],
  import: (_earlier, folder) => [join(folder, "people.jsonl")],
  export: (_earlier, folder) => [join(folder, "exported.jsonl")],
  sync: (_earlier, folder) => [
    `--source=${join(folder, "people.jsonl")}`,
    "--target=http://127.0.0.1:9/scim/v2",
    `--mapping=${join(folder, "mapping.json")}`,
  ],
  "index add": () => ["--type=User", "--path=nickName"],
  "index list": NONE,
  "index drop": () => ["--type=User", "--path=nickName"],
  "webhook create": () => ["--to=http://127.0.0.1:9/hook"],
  "webhook list": NONE,
  "webhook test": (earlier) => [earlier("webhook create", "id")],
  "webhook rotate": (earlier) => [earlier("webhook create", "id")],
  "webhook pause": (earlier) => [earlier("webhook create", "id")],
  "webhook enable": (earlier) => [earlier("webhook create", "id")],
  "webhook dead": (earlier) => [earlier("webhook create", "id")],
  "webhook replay": (earlier) => [earlier("webhook create", "id")],
  "webhook drop": (earlier) => [earlier("webhook create", "id")],
  "webhook delete": (earlier) => [earlier("webhook create", "id")],
  "stream create": () => ["--audience=them"],
  "stream list": NONE,
  "stream rotate": (earlier) => [earlier("stream create", "id")],
  "stream pause": (earlier) => [earlier("stream create", "id")],
  "stream enable": (earlier) => [earlier("stream create", "id")],
  "stream dead": (earlier) => [earlier("stream create", "id")],
  "stream replay": (earlier) => [earlier("stream create", "id"), "--since=0"],
  "stream drop": (earlier) => [earlier("stream create", "id"), "--positions=1, 2"],
  "stream delete": (earlier) => [earlier("stream create", "id")],
  "stream keys": NONE,
  "stream rotate-key": () => ["--now"],
  "requests list": NONE,
  "requests show": (earlier) => [earlier("requests list", 0, "id")],
  "requests tail": () => ["--since=1h"],
  "case export": (earlier, folder) => [earlier("requests list", 0, "id"), join(folder, "case.json")],
  "case run": (_earlier, folder) => [join(folder, "case.json")],
  "profile list": NONE,
  "profile show": () => ["entra"],
  "profile diff": () => ["tolerant", "strict", "--connection=default"],
  "guard list": NONE,
  "guard release": (earlier) => [earlier("guard list", "held", 0, "id")],
  "guard dismiss": () => ["--connection=default"],
  "events list": NONE,
  "events follow": () => ["--since=0"],
  "deleted list": NONE,
  "deleted show": (earlier) => ["User", earlier("deleted list", "deleted", 0, "id")],
  "deleted restore": (earlier) => ["User", earlier("deleted list", "deleted", 0, "id")],
  erase: (earlier) => [earlier("events list", "events", 0, "id")],
  "audit list": NONE,
  "audit verify": NONE,
  "audit export": (_earlier, folder) => [join(folder, "audit.jsonl")],
  doctor: NONE,
  backup: (_earlier, folder) => [join(folder, "copy.db")],
  // Nobody listens there.
  "schema show": () => ["--url=http://127.0.0.1:9/scim/v2"],
  simulate: () => ["google", "--target=http://127.0.0.1:9/scim/v2"],
  generate: (_earlier, folder) => [`--schemas=${join(folder, "types")}`],
  "tenant suspend": () => ["acme"],
  "tenant resume": () => ["acme"],
  "tenant delete": () => ["nowhere", "--exported"],
};

/**
 * The calls that the trail of administration does not tell of: they read, and nothing of persons; or change the resources of a
 * tenant, whose audit log tells it; or have nothing to do here.
 */
export const CHANGING_NOTHING: ReadonlySet<string> = new Set([
  "config",
  "completion",
  "schema validate",
  "schema diff",
  "migrate",
  "tenant list",
  "tenant show",
  "schema list",
  "connection list",
  "connection show",
  "connection switches",
  "token list",
  "client list",
  "client show",
  "admin issuer list",
  "admin list",
  "import",
  "sync",
  "index list",
  "webhook list",
  "webhook dead",
  "webhook replay",
  "webhook drop",
  "stream list",
  "stream dead",
  "stream drop",
  "stream keys",
  "requests list",
  "requests show",
  "requests tail",
  "case export",
  "case run",
  "profile list",
  "profile show",
  "profile diff",
  "guard list",
  "deleted list",
  "deleted show",
  "audit list",
  "audit verify",
  "audit export",
  "doctor",
  "schema show",
  "simulate",
  "generate",
  "tenant delete",
]);
