/**
 * The commands of tokens and OAuth clients.
 * @module
 */
import { SCOPES } from "@scim/core";
import { ADMIN_ROLES } from "@scim/tenancy";
import type { ClientFlags } from "../../commands/client-flags.ts";
import type { TokenFlags } from "../../commands/token-flags.ts";
import type { ExitCode } from "../../failure.ts";
import {
  ONE_CONNECTION,
  OR_SERVER,
  TENANT,
  needed,
  text,
  texts,
  toggle,
  type FlagTable,
  type Operand,
} from "../arguments.ts";
import { action, example, type Call, type Command } from "../command.ts";

const runToken = async (call: Call<TokenFlags>): Promise<ExitCode> =>
  (await import("../../commands/token.ts")).tokenCommand(call);

const SCOPE = texts(
  "NAME",
  "scope, scim where none is named, or one for a type: scim:read:User; repeatable",
  {
    offers: SCOPES.filter((scope) => !scope.startsWith("admin")),
  },
);

const TOKEN_FLAGS = {
  name: text("TEXT", "what people call it"),
  scope: SCOPE,
  subject: text("ID", "id of the resource that /Me stands for"),
  expires: text("WHEN", "90d, 12h, 30m or an instant; default a year"),
  "never-expires": toggle("good until it is revoked"),
  connection: text("NAME", "connection that it speaks for; default 'default'"),
  ...OR_SERVER,
} satisfies FlagTable;

/** Tokens of administrators are made here, and never brought along. */
const NEW_TOKEN_FLAGS = {
  ...TOKEN_FLAGS,
  tenant: text("NAME", "tenant that is meant; default 'default', and 'admin' for an administrator"),
  role: text("NAME", "of an administrator: owner where none is named, or tenant-admin:TENANT and the like", {
    offers: ADMIN_ROLES,
  }),
} satisfies FlagTable;

/** `scim token`. */
export const TOKENS: Command = {
  name: "token",
  does: "tokens of connections and of administrators",
  actions: [
    action({
      name: "create",
      does: "make a token; its text is shown once",
      begins: true,
      flags: NEW_TOKEN_FLAGS,
      run: runToken,
    }),
    action({
      name: "list",
      does: "list tokens, with the last use of each",
      flags: { connection: ONE_CONNECTION, tenant: TENANT, ...OR_SERVER },
      run: runToken,
    }),
    action({
      name: "revoke",
      does: "revoke a token; every server refuses it within a second",
      operands: [{ name: "ID", does: "id of the token, as the list has it" }],
      flags: { tenant: TENANT, ...OR_SERVER },
      run: runToken,
    }),
    action({
      name: "import",
      does: "take a token over that was made elsewhere, by its hash",
      begins: true,
      flags: {
        scheme: needed("NAME", "how it was hashed", { offers: ["sha256", "hmac-sha256", "bcrypt"] }),
        hash: needed("HASH", "the hash"),
        "key-file": text("FILE", "key of hmac-sha256; or the variable SCIM_TOKEN_KEY", { offers: "file" }),
        ...TOKEN_FLAGS,
        tenant: TENANT,
      },
      run: async (call) => (await import("../../commands/token.ts")).importTokenCommand(call),
    }),
  ],
  examples: [
    example('scim token create --tenant acme --connection okta --name "Okta production"'),
    example("scim token create --scope scim:read:User --expires 90d"),
    example("scim token create --tenant admin --role operator --name Ann"),
    example("scim token create --tenant acme --url https://scim.example", "of a running server"),
    example("scim token list --tenant acme", "which one is not used any more?"),
    example("scim token import --tenant acme --scheme hmac-sha256 --hash 5f2b… --key-file pepper.txt"),
  ],
};

const runClient = async (call: Call<ClientFlags>): Promise<ExitCode> =>
  (await import("../../commands/client.ts")).clientCommand(call);

const CLIENT: Operand = { name: "CLIENT", does: "its client_id, or its id together with --tenant" };
const OF_CLIENT = { connection: ONE_CONNECTION, tenant: TENANT, ...OR_SERVER } satisfies FlagTable;

/** `scim client`. */
export const CLIENTS: Command = {
  name: "client",
  does: "OAuth clients of connections, with their secrets and the issuers they trust",
  actions: [
    action({
      name: "create",
      does: "make a client; prints its client_id",
      begins: true,
      flags: {
        name: text("TEXT", "what people call it"),
        scope: SCOPE,
        lifetime: text("SPAN", "how long its access tokens are good for: 10m to 6h, default 1h"),
        connection: text("NAME", "connection that it speaks for; default 'default'"),
        tenant: TENANT,
        ...OR_SERVER,
      },
      run: runClient,
    }),
    action({ name: "list", does: "list clients", flags: OF_CLIENT, run: runClient }),
    action({
      name: "show",
      does: "show one with its secrets and trusts",
      operands: [CLIENT],
      flags: OF_CLIENT,
      run: runClient,
    }),
    action({
      name: "suspend",
      does: "refuse a client and its access tokens within a second",
      operands: [CLIENT],
      flags: OF_CLIENT,
      run: runClient,
    }),
    action({
      name: "resume",
      does: "take a suspension back",
      operands: [CLIENT],
      flags: OF_CLIENT,
      run: runClient,
    }),
    action({
      name: "delete",
      does: "delete a client with its secrets, trusts and access tokens",
      operands: [CLIENT],
      flags: OF_CLIENT,
      run: runClient,
    }),
    action({
      name: "secret add",
      does: "make a secret, at most for three years; its text is shown once",
      operands: [CLIENT],
      flags: { expires: text("WHEN", "90d, 12h, 30m or an instant; default a year"), ...OF_CLIENT },
      run: runClient,
    }),
    action({
      name: "secret revoke",
      does: "take a secret back",
      operands: [CLIENT, { name: "SECRET", does: "id of the secret, as 'scim client show' has it" }],
      flags: OF_CLIENT,
      run: runClient,
    }),
    action({
      name: "trust add",
      does: "let JWTs of an issuer stand for a client, such as Entra's workload identity",
      operands: [CLIENT],
      flags: {
        issuer: needed("URL", "the issuer, as its JWTs name it"),
        jwks: needed("URL", "where its public keys are"),
        audience: needed("TEXT", "whom the JWTs must be for"),
        subject: needed("TEXT", "whom the JWTs must be of"),
        purpose: text("NAME", "assertion (default): at /oauth2/token; access-token: sent to SCIM itself", {
          offers: ["assertion", "access-token"],
        }),
        claim: text("NAME", "what holds the subject; default sub", {
          offers: ["sub", "client_id", "azp", "appid"],
        }),
        "require-jti": toggle("refuse assertions without jti"),
        ...OF_CLIENT,
      },
      run: async (call) => (await import("../../commands/client.ts")).addClientTrust(call),
    }),
    action({
      name: "trust revoke",
      does: "trust an issuer no more",
      operands: [CLIENT, { name: "TRUST", does: "id of the trust, as 'scim client show' has it" }],
      flags: OF_CLIENT,
      run: runClient,
    }),
  ],
  examples: [
    example('scim client create --tenant acme --connection okta --name "Okta preview"'),
    example(
      "scim client secret add scimclient_acme_0199…",
      "its secret; the token endpoint is /oauth2/token",
    ),
    example("scim client show scimclient_acme_0199…", "which secret is not used any more?"),
    example("scim client secret revoke scimclient_acme_0199… ID"),
  ],
};
