import { createScimClient } from "@scim/client";
import { createInProcessTransport } from "@scim/client/in-process";
import { aService, TOKEN } from "../support/service.ts";

const transport = createInProcessTransport(aService());
const client = createScimClient({ baseUrl: "https://id.example/scim/v2", auth: TOKEN, transport });
const emails = [{ value: "a@example.com", type: "work" }];
const user = await client.users.create({ userName: "ada", emails });
const wanted = { ...user, title: "Countess" };

const users = client.users.list({
  filter: (u) => u.userName.sw("a").and(u.emails.where((e) => e.type.eq("work"))),
});

await client.users.patch(user, (p) =>
  p
    .replace("active", false)
    .values("emails", (e) => e.type.eq("work"))
    .set("value", "b@example.com"),
);

const operations = client.users.diff(user, wanted); // the smallest PATCH that makes the one of the other

export const found = [operations, (await users.toArray())[0]?.emails?.[0]?.value];
