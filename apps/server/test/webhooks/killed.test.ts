import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { newFolder, serve } from "../command-line/program.ts";
import { USER } from "../over-http/client.ts";
import { exchange, textMember } from "../over-http/exchange.ts";
import { newToken } from "../over-http/server.ts";
import { eventOf, startReceiver } from "./receiver.ts";

const USERS = 12;

test("every event is delivered at least once, and the events of a user in order, though the server is killed meanwhile", async () => {
  const [token, admin] = [newToken(), newToken("admin")];
  const where = {
    folder: newFolder(),
    environment: {
      SCIM_TOKEN: token,
      SCIM_ADMIN_TOKEN: admin,
      SCIM_DELIVERY_PRIVATE_ADDRESSES: "allow",
      SCIM_DELIVERY_PLAIN_HTTP: "allow",
      // The lease of the server that was killed is over soon.
      SCIM_DELIVERY_TIMEOUT: "500",
    },
  };
  const receiver = await startReceiver((_request, response) => {
    // Slow enough that the server is killed with requests under way.
    void delay(40).then(() => response.writeHead(204).end());
  });
  let server = await serve(where);
  const administer = (method: string, body?: object) =>
    exchange(server.origin, {
      method,
      path: "/admin/v1/tenants/default/webhooks",
      headers: { authorization: `Bearer ${admin}`, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
  expect((await administer("POST", { url: receiver.url })).status).toBe(201);

  const call = (method: string, path: string, body: object) =>
    exchange(server.origin, {
      method,
      path: `/scim/v2${path}`,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/scim+json" },
      body: JSON.stringify(body),
    });
  const ids = await Promise.all(
    Array.from({ length: USERS }, async (_, at) => {
      const { body } = await call("POST", "/Users", { schemas: [USER], userName: `user-${at}` });
      const id = textMember(body, "id");
      await call("PUT", `/Users/${id}`, { schemas: [USER], userName: `renamed-${at}` });
      return id;
    }),
  );
  const expected = ids.flatMap((id) => [`${id} created`, `${id} replaced`]);

  await receiver.until(3);
  server.child.kill("SIGKILL");
  await server.ended;
  server = await serve(where);
  const told = (): Set<string> =>
    new Set(receiver.arrived.map((one) => `${eventOf(one).data.id} ${String(eventOf(one).data["kind"])}`));
  await expect.poll(() => told().size).toBe(expected.length);
  expect(told()).toEqual(new Set(expected));
  for (const id of ids) {
    const positions = receiver.arrived.map(eventOf).filter(({ data }) => data.id === id);
    const first = positions.findIndex(({ data }) => data["kind"] === "replaced");
    expect(
      positions.slice(0, first).some(({ data }) => data["kind"] === "created"),
      id,
    ).toBe(true);
  }
  await expect
    .poll(async () => (await administer("GET")).body)
    .toMatchObject({ webhooks: [{ position: expected.length, waiting: 0, dead: 0 }] });
});
