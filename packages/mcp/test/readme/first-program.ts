import { createScimClient } from "@scim/client";
import { createScimTools, ToolError } from "@scim/mcp";

const { SCIM_BASE_URL = "http://127.0.0.1:8080/scim/v2", SCIM_TOKEN = "" } = process.env;
const client = createScimClient({ baseUrl: SCIM_BASE_URL, auth: SCIM_TOKEN });
const tools = createScimTools({ client, access: { allow: ["scim_*_user", "scim_search_users"] } });

const { id, meta } = await tools.call("scim_create_user", { user_data: { userName: "bjensen" } });
const { totalResults } = await tools.call("scim_search_users", { attribute: "userName", value: "BJensen" });
console.log(totalResults, meta); // 1 { resourceType: "User", version: "…", … }

try {
  await tools.call("scim_delete_user", { user_id: id ?? "", expected_version: "another" });
} catch (error) {
  if (error instanceof ToolError) console.log(error.data.status, error.data.currentVersion); // 412 …
}
await client.close();
