/**
 * Writes `docs/configuration.md` from the table of settings: `node --conditions=@scim/source scripts/settings-doc.ts`.
 * @module
 */
import { writeFileSync } from "node:fs";
import { flagOf, variableOf } from "../apps/server/src/settings/setting.ts";
import { SETTING_KEYS, SETTINGS } from "../apps/server/src/settings/table.ts";

/** The page. */
export function settingsPage(): string {
  const rows = SETTING_KEYS.map((key) => {
    const { doc, fallback, unit, bound } = SETTINGS[key];
    const shown = fallback === null ? "" : `\`${fallback}\``;
    return `| \`${key}\` | \`${flagOf(key)}\` | \`${variableOf(key)}\` | ${shown} | ${unit} | ${bound} | ${doc} |`;
  });
  return `# Configuration

<!-- Made by scripts/settings-doc.ts from apps/server/src/settings/table.ts. Change the table, not this page. -->

Every setting has the same name as a key of the configuration file, as a flag of \`scim serve\` and as an
environment variable. A flag goes before the environment, the environment before the file, the file before the
default. \`scim config\` prints the values in effect, where each comes from, and never a secret. A flag or a key that is no
setting is refused; of a variable that looks as if one was meant, each command that reads settings tells on standard error.

A variable that may hold a secret may name a file instead, with \`_FILE\` behind its name: \`SCIM_TOKEN_FILE\`,
\`SCIM_ADMIN_TOKEN_FILE\`, \`SCIM_SECRET_KEYS_FILE\`, \`SCIM_DATABASE_URL_FILE\`. A line end behind the value is left out.

The configuration file is a JSON object with the keys below, each once; \`--config\` or \`SCIM_CONFIG\` names it:

\`\`\`json
{ "port": 9000, "profile": "entra", "filter.maxResults": 500 }
\`\`\`

| key | flag | environment | default | unit | bound | meaning |
|---|---|---|---|---|---|---|
${rows.join("\n")}
`;
}

if (import.meta.main) {
  writeFileSync(new URL("../docs/configuration.md", import.meta.url), settingsPage());
}
