import { IDENTITY_PROVIDERS, simulate } from "@scim/sync";

const { SCIM_BASE_URL = "http://127.0.0.1:8080/scim/v2", SCIM_TOKEN = "" } = process.env;
const report = await simulate(IDENTITY_PROVIDERS.okta, { target: SCIM_BASE_URL, auth: SCIM_TOKEN });
for (const { id, findings } of report.steps) console.log(id, findings.length);
