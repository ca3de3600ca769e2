/**
 * Writes `docs/profiles.md` from the switches and profiles of `@scim/core`: `node scripts/profiles-doc.ts`.
 * @module
 */
import { writeFileSync } from "node:fs";
import { PROFILES, SWITCHES, type ProfileFamily } from "../packages/core/src/profiles/profile.ts";
import type { ProfileSwitch } from "../packages/core/src/profiles/switch.ts";

const KINDS: Readonly<Record<ProfileSwitch["kind"], string>> = {
  rewrite: "Rewrites: a value that does not fit becomes the one that the client meant",
  option: "Options of parser, validator and PATCH",
  constraint: "Constraints: uniqueness beyond the schemas",
  answer: "Answers: preferences of clients",
};
const KIND_ORDER: readonly ProfileSwitch["kind"][] = ["rewrite", "option", "constraint", "answer"];

/** What each profile is for. */
const PURPOSES: Readonly<Record<ProfileFamily, string>> = {
  tolerant: "The default: the specification's rules, and every tolerance that a known client needs.",
  strict: "The letter of the specification and the RFC.",
  entra: "Microsoft Entra ID: `tolerant`, with its preferences in answers.",
  okta: "Okta: as `tolerant`, which has all that it needs.",
  "ietf-interop":
    "What draft-zollner-scim-interop-profile-01 demands of a service provider, for tests of clients; ServiceProviderConfig says so by `interopProfileConformant`.",
};

/** The page. */
export function profilesPage(): string {
  return `${[introduction(), profileTable(), ...KIND_ORDER.map(kindSection)].join("\n\n")}\n`;
}

function introduction(): string {
  return `# Profiles and switches

Clients deviate from the RFCs in known ways. Each deviation is one **switch**: named, documented here, and tested.
A **profile** is a set of switches that are on. A connection chooses one profile and may flip single switches. The
log tells which switches a request made use of, with the path of the attribute and never a value;
\`scim connection switches NAME\` tells which a connection has on, and by what.

This page is made from the code by \`scripts/profiles-doc.ts\`.

No switch is needed for these, which every profile accepts: \`op\` and member names in any letter case, one value
for a list of values, \`remove\` with a list of values, \`add\` by a value path that matches nothing, URN and dotted keys
without a path, \`path: null\`, and extension data whose URN is missing in \`schemas\`.`;
}

function profileTable(): string {
  // The keys of a record typed by the families are the families.
  const families = Object.keys(PURPOSES) as readonly ProfileFamily[];
  const rows = Object.values(SWITCHES).map(({ name }) =>
    row([
      `[\`${name}\`](#${name})`,
      ...families.map((family) => (PROFILES[family].switches.has(name) ? "on" : "off")),
    ]),
  );
  const head = row(["Switch", ...families.map((family) => `\`${family}\``)]);
  const table = [head, row(["---", ...families.map(() => "---")]), ...rows].join("\n");
  const purposes = Object.entries(PURPOSES).map(([name, purpose]) => `- \`${name}\`: ${purpose}`);
  return [
    "## Profiles",
    purposes.join("\n"),
    "These names mean the newest release of a profile. With a date, as in `entra@2026-11`, a name means the same for ever: what changes in a profile is released under a new date.",
    table,
    "A profile of one's own is made by `createProfile(name, switches)` of `@scim/core`.",
    "## What another profile would change",
    "Before a connection gets another profile, or a switch is flipped, `scim profile diff OLD NEW --connection NAME` sends each request of the connection's [log](request-log.md) to two new services in memory, which differ in their profile alone, and lists every answer that would change. Nothing is written. Either profile may have switches flipped: `scim profile diff entra@2026-11 entra,require-version --connection hr`. What a request found there is made with every tolerance on, since it was there; what the log does not hold whole is named as not compared, and so is what a new service refuses and the log does not, such as most requests to `/Me`, bulk jobs that change what was there, and pages behind a cursor; and so is a rule of uniqueness that the new profile turns on, such as `group-name-unique`: it looks at more than a request, and is refused while there are duplicates. The exit code is 0 where everything was compared and no answer would change, else 1.",
  ].join("\n\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** What holds for all switches of a kind. */
const NOTES: Partial<Record<ProfileSwitch["kind"], readonly string[]>> = {
  constraint: [
    "Such a rule belongs to the connection that **created** a resource, and the database holds it: every write keeps it, by whichever connection, command or import, and whatever profile that has.",
    "A change of a connection (`PATCH /admin/v1/…/connections/{connection}`, `scim connection change`) that turns a rule on, by a switch or by another profile, is refused with 409 where resources break it. The answer names the first of them by value and id (`duplicates`), and how many have the value of another (`duplicateCount`); nothing has changed. Where none does, values of resources from before are held as well from the moment that the change is answered. It goes through all resources of the type meanwhile, some at a time, beside other writes; one that takes a value twice just then has the change refused, or is answered 409 itself. The same goes for a connection that is made under the name of one whose resources are still there. Turned off, the rule lets every name go, and can be turned on again once nothing breaks it. Programs of earlier releases know of no such rule: turn it on once all processes are of this one.",
    'The connection `default` of tenant `default`, and each that has no profile of its own, follow the settings `profile` and `switches`. A start is not refused: a server looks when it starts, and every hour, holds what is on and broken by nothing, and ends what is off; what somebody began who was killed before the end goes within a quarter of an hour. Where resources break a rule, its log says so with their ids (`"switch":"group-name-unique"`), `scim doctor` warns, and until they are put right each write keeps the rules of its own profile alone, among the values that were written by such profiles.',
    "Resources that [a handler](own-database.md) keeps are for the handler to compare: nothing is looked for when a rule is turned on.",
  ],
};

function kindSection(kind: ProfileSwitch["kind"]): string {
  const members = Object.values(SWITCHES).filter((each) => each.kind === kind);
  return [`## ${KINDS[kind]}`, ...(NOTES[kind] ?? []), ...members.map(switchSection)].join("\n\n");
}

function switchSection({ name, does, otherwise, sentBy, rfc }: ProfileSwitch): string {
  return `### ${name}

${does}

- **Otherwise:** ${otherwise}
- **Sent by:** ${sentBy}
- **RFC:** ${rfc}`;
}

if (import.meta.main) {
  writeFileSync(new URL("../docs/profiles.md", import.meta.url), profilesPage());
}
