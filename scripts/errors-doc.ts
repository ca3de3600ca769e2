/**
 * Writes `docs/errors.md` from the table of error codes of `@scim/schemas`: `node scripts/errors-doc.ts`.
 * @module
 */
import { writeFileSync } from "node:fs";
import { ERROR_CODES, type ErrorCodeRow } from "../packages/schemas/src/errors/codes.ts";

/** The text of the page. */
export function errorsPage(): string {
  const codes = Object.entries<ErrorCodeRow>(ERROR_CODES);
  return `# Errors

<!-- Made by scripts/errors-doc.ts from packages/schemas/src/errors/codes.ts. Change the table, not this page. -->

Every refusal has the body of RFC 7644 §3.12, whatever went wrong:

\`\`\`json
{
  "schemas": ["urn:ietf:params:scim:api:messages:2.0:Error"],
  "status": "400",
  "scimType": "invalidValue",
  "detail": "Attribute 'active' must be true or false."
}
\`\`\`

\`status\` repeats the HTTP status as a text. \`scimType\` is there where the RFC names a keyword. \`detail\` names the
attribute or the place, what is wrong there and what to do; it never shows a value that was sent. A 412 also has
\`expectedVersion\` and \`currentVersion\`, unless the switch [\`plain-answers\`](profiles.md#plain-answers) leaves them out
for clients that refuse what RFC 7644 does not name.

In programs, a \`ScimError\` of \`@scim/schemas\` has the code of this table as \`code\`. Match on it: a code keeps its
meaning for good, while the words of a detail may change.

| code | status | scimType | defined in |
|---|---|---|---|
${codes.map(([code, { status, scimType = "", section }]) => `| [${code}](#${code.toLowerCase()}) | ${status} | ${scimType} | ${section} |`).join("\n")}

${codes.map(([code, row]) => sectionOf(code, row)).join("\n\n")}
`;
}

function sectionOf(code: string, { status, cause, remedy }: ErrorCodeRow): string {
  return `## ${code}

**${status}.** ${cause}

**What to do:** ${remedy}`;
}

if (import.meta.main) {
  writeFileSync(new URL("../docs/errors.md", import.meta.url), errorsPage());
}
