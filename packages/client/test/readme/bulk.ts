import { createScimClient } from "@scim/client";
import { createInProcessTransport } from "@scim/client/in-process";
import { aService, TOKEN } from "../support/service.ts";

const transport = createInProcessTransport(aService());
const client = createScimClient({ baseUrl: "https://id.example/scim/v2", auth: TOKEN, transport });
const grace = await client.users.create({ userName: "grace" });
const gone = await client.users.create({ userName: "gone" });

const job = client.bulk();
const ada = job.create(client.users, { userName: "ada" });
job.create(client.groups, { displayName: "Pioneers", members: [{ value: ada.reference }] });
job.patch(client.users, grace, { operations: (p) => p.replace("title", "Admiral") }); // job.replace takes { input }
job.delete(client.users, gone);
const outcome = await job.run(); // outcome.of(ada): { kind: "done", id, status, version }, "failed" with its error, or "untried"

export const found = [outcome.done, outcome.of(ada).kind, (await client.users.get(grace.id)).title];
