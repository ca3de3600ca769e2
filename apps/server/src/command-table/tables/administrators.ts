/**
 * The commands of administrators, and of the issuers by which they sign in.
 * @module
 */
import { ADMIN_ROLES, ADMIN_SUBJECT_CLAIMS, JWT_ALGORITHMS } from "@scim/tenancy";
import type { AdminFlags, NewAdminFlags, NewIssuerFlags } from "../../commands/admin-flags.ts";
import type { ExitCode } from "../../failure.ts";
import { OR_SERVER, needed, text, texts, type FlagTable, type Operand } from "../arguments.ts";
import { action, example, type Call, type Command } from "../command.ts";

const run = async (call: Call<AdminFlags>): Promise<ExitCode> =>
  (await import("../../commands/admin.ts")).adminCommand(call);
const runCreate = async (call: Call<NewAdminFlags>): Promise<ExitCode> =>
  (await import("../../commands/admin.ts")).createAdministrator(call);
const runAddIssuer = async (call: Call<NewIssuerFlags>): Promise<ExitCode> =>
  (await import("../../commands/admin.ts")).addAdminIssuer(call);

const ADMINISTRATOR: Operand = { name: "ID", does: "id of the administrator, as the list has it" };
const ISSUER: Operand = { name: "ID", does: "id of the issuer, as its list has it" };
const ROLE = text("NAME", "owner, operator, support or tenant-admin:TENANT", { offers: ADMIN_ROLES });
const NAMED = {
  name: needed("TEXT", "what people call the administrator"),
  role: { ...ROLE, required: true },
} satisfies FlagTable;

/** `scim admin`. */
export const ADMINISTRATORS: Command = {
  name: "admin",
  does: "administrators, with tokens or by an OpenID provider",
  actions: [
    action({
      name: "create",
      does: "make an administrator with a token, shown once; or one who signs in by an issuer",
      begins: true,
      flags: {
        ...NAMED,
        issuer: text("ID", "the issuer; while such an owner is there, servers refuse SCIM_ADMIN_TOKEN"),
        subject: text("TEXT", "whom the issuer means"),
        expires: text("WHEN", "90d, 12h, 30m or an instant; default a year, by an issuer never"),
        ...OR_SERVER,
      },
      run: runCreate,
    }),
    action({
      name: "list",
      does: "list administrators, and whether SCIM_ADMIN_TOKEN is refused",
      flags: OR_SERVER,
      run,
    }),
    action({
      name: "change",
      does: "change one who signs in by an issuer",
      operands: [ADMINISTRATOR],
      flags: {
        name: text("TEXT", "what people call the administrator"),
        role: ROLE,
        expires: text("WHEN", "90d, 12h, 30m or an instant"),
        ...OR_SERVER,
      },
      run,
    }),
    action({
      name: "revoke",
      does: "take one back; every server refuses it within a second",
      operands: [ADMINISTRATOR],
      flags: OR_SERVER,
      run,
    }),
    action({
      name: "issuer add",
      does: "trust an OpenID provider for administrators; prints its id",
      begins: true,
      flags: {
        issuer: needed("URL", "the issuer, as its JWTs name it"),
        audience: needed("TEXT", "whom the JWTs must be for"),
        jwks: text("URL", "where its public keys are; default as the issuer says itself"),
        claim: text("NAME", "what names people; default sub", { offers: ADMIN_SUBJECT_CLAIMS }),
        algorithm: texts("NAME", "what it signs by; repeatable, default all asymmetric ones", {
          offers: JWT_ALGORITHMS,
        }),
        ...OR_SERVER,
      },
      run: runAddIssuer,
    }),
    action({ name: "issuer list", does: "list the issuers", flags: OR_SERVER, run }),
    action({
      name: "issuer suspend",
      does: "let nobody in by an issuer; acts within a second",
      operands: [ISSUER],
      flags: OR_SERVER,
      run,
    }),
    action({
      name: "issuer resume",
      does: "take a suspension back",
      operands: [ISSUER],
      flags: OR_SERVER,
      run,
    }),
    action({
      name: "issuer groups",
      does: "give roles to groups of an issuer, for those who are not listed; without --grant to none",
      operands: [ISSUER],
      flags: {
        claim: text("NAME", "the claim that holds the groups; default groups"),
        grant: texts("GROUP=ROLE", "role of a group; repeatable, the first that somebody is in counts"),
        ...OR_SERVER,
      },
      run,
    }),
    action({
      name: "issuer delete",
      does: "delete an issuer of which nobody is an administrator any more",
      operands: [ISSUER],
      flags: OR_SERVER,
      run,
    }),
  ],
  examples: [
    example("scim admin create --name Ann --role operator", "prints a token"),
    example("scim admin issuer add --issuer https://id.example --audience https://scim.example/admin"),
    example("scim admin issuer groups 0199… --grant scim-admins=operator --grant acme-it=tenant-admin:acme"),
    example("scim admin create --issuer 0199… --subject 248289761001 --name Ann --role owner"),
  ],
};
