import { createScimClient, isScimClientError } from "@scim/client";

const { SCIM_BASE_URL = "http://127.0.0.1:8080/scim/v2", SCIM_TOKEN = "" } = process.env;
const client = createScimClient({ baseUrl: SCIM_BASE_URL, auth: SCIM_TOKEN });

const user = await client.users.create({ userName: "bjensen", emails: [{ value: "b@example.com" }] });
await client.users.update(user, (current) => ({ ...current, title: "Dr" }));

for await (const { userName, title } of client.users.list({ filter: "title pr" })) {
  console.log(userName, title); // bjensen Dr
}

try {
  await client.users.delete(user); // on the version that we know, which is not the current one
} catch (error) {
  if (isScimClientError(error)) console.log(error.code); // versionMismatch
}
await client.close();
