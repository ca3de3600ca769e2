import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { USER } from "../over-http/client.ts";
import { startReceiver, type Arrived, type TestReceiver } from "../webhooks/receiver.ts";
import { startStreams, STREAMS, urisOf } from "./stream-server.ts";

const PROV = "urn:ietf:params:scim:event:prov";

/** Takes tokens as RFC 8935 §2.2 says. */
const accept = (_request: Arrived, response: { writeHead(status: number): { end(): unknown } }): void =>
  void response.writeHead(202).end();

describe("streams that are pushed", () => {
  test("R8935-2.1-01 R8935-2.2-01 R8417-2.3-01 R8417-5.1-01 R9967-5-01: tokens are posted, and verify by the published keys", async () => {
    const [receiver, server] = [await startReceiver(accept), await startStreams()];
    await server.stream({ method: "push", url: receiver.url, authorization: "Bearer theirs" });
    const { id, path } = await server.user({ userName: "anna", active: true });
    await server.patch(path, [{ op: "replace", path: "active", value: false }]);
    await server.call("DELETE", path);
    const arrived = await receiver.until(3);
    expect(arrived[0]?.headers).toMatchObject({
      "content-type": "application/secevent+jwt",
      accept: "application/json",
      authorization: "Bearer theirs",
    });
    const tokens = await Promise.all(arrived.map(async ({ body }) => server.verify(body)));
    expect(tokens.map(urisOf)).toEqual([
      [`${PROV}:create:notice`],
      [`${PROV}:patch:notice`, `${PROV}:deactivate`],
      [`${PROV}:delete`],
    ]);
    expect(tokens[1]?.header).toMatchObject({ alg: "ES256", typ: "secevent+jwt" });
    expect(tokens[1]?.payload).toMatchObject({ sub_id: { format: "scim", uri: `/Users/${id}`, id } });
    expect(tokens[1]?.payload).not.toHaveProperty("sub");
    expect(tokens[1]?.payload).not.toHaveProperty("exp");
    expect(JSON.stringify(tokens)).not.toContain("anna");
  });

  test("the header of one receiver is never sent to another, whose address becomes that of the stream", async () => {
    const [first, second, server] = [
      await startReceiver(accept),
      await startReceiver(accept),
      await startStreams(),
    ];
    const stream = await server.stream({ method: "push", url: first.url, authorization: "Bearer first" });
    const path = `${STREAMS}/${String(stream["id"])}`;
    const change = (body: JsonObject) =>
      server.ask("PATCH", path, { "content-type": "application/json", "if-match": "*" }, body);
    const sentTo = async (receiver: TestReceiver): Promise<string | undefined> => {
      const count = receiver.arrived.length + 1;
      await server.user({ userName: `user-${first.arrived.length}-${second.arrived.length}` });
      return (await receiver.until(count)).at(-1)?.headers.authorization;
    };
    const refused = await change({ url: second.url });
    expect([refused.status, refused.body["detail"]]).toEqual([
      400,
      "The header Authorization is for the receiver at the present address. Send 'authorization' for the new one along, or null for none.",
    ]);
    expect((await change({ authorization: "a\nb: c" })).status).toBe(400);
    // Another place of the same receiver is no other receiver.
    expect((await change({ url: `${first.url}/there`, types: ["User"] })).status).toBe(200);
    expect(await sentTo(first)).toBe("Bearer first");
    const given = await change({ url: second.url, authorization: "Bearer second" });
    expect([given.status, given.text.includes("Bearer")]).toEqual([200, false]);
    expect(await sentTo(second)).toBe("Bearer second");
    expect((await change({ url: first.url, authorization: null })).status).toBe(200);
    expect(await sentTo(first)).toBe(undefined);
    expect((await change({ url: second.url })).status, "there is nothing to keep").toBe(200);
    expect(await sentTo(second)).toBe(undefined);
    const polled = await server.stream({ method: "poll" });
    const other = `${STREAMS}/${String(polled["id"])}`;
    const headers = { "content-type": "application/json", "if-match": "*" };
    expect((await server.ask("PATCH", other, headers, { authorization: "Bearer x" })).status).toBe(400);
  });

  test("tokens verify after the key was rotated, those from before it too", async () => {
    const [receiver, server] = [await startReceiver(accept), await startStreams()];
    await server.stream({ method: "push", url: receiver.url });
    await server.user({ userName: "anna" });
    const [before] = await receiver.until(1);
    const first = await server.verify(before?.body ?? "");
    expect((await server.send("POST", "/signing-keys/rotate", { aheadMinutes: 0 })).status).toBe(201);
    // A process knows of another key within a second.
    await expect
      .poll(
        async () => {
          await server.user({ userName: `user-${receiver.arrived.length}-${Date.now()}` });
          const arrived = await receiver.until(receiver.arrived.length);
          const last = await server.verify(arrived.at(-1)?.body ?? "");
          return last.header.kid === first.header.kid;
        },
        { interval: 300 },
      )
      .toBe(false);
    expect((await server.verify(before?.body ?? "")).header.kid).toBe(first.header.kid);
    const { body } = await server.ask("GET", "/signing-keys");
    expect(body["keys"]).toMatchObject([
      { id: first.header.kid, retires: expect.any(String) },
      { retires: null },
    ]);
    expect(JSON.stringify(body)).not.toContain("sealed");
  });

  test("R9967-2.2-01: full tokens hold the data", async () => {
    const [receiver, server] = [await startReceiver(accept), await startStreams()];
    await server.stream({ method: "push", url: receiver.url, payload: "full", types: ["User"] });
    const { id } = await server.user({ userName: "anna", externalId: "e-1", password: "t0p-secret" });
    const [token] = await receiver.until(1);
    const { payload } = await server.verify(token?.body ?? "");
    expect(payload).toMatchObject({
      sub_id: { externalId: "e-1" },
      events: {
        [`${PROV}:create:full`]: {
          data: { schemas: [USER], id, userName: "anna", meta: { resourceType: "User" } },
          version: expect.stringMatching(/^W\/"/),
        },
      },
    });
    expect(JSON.stringify(payload)).not.toContain("t0p-secret");
  });

  test("R7644-3.5.2-03: of a PATCH of a password alone a full stream is told by the notice", async () => {
    const [receiver, server] = [await startReceiver(accept), await startStreams()];
    await server.stream({ method: "push", url: receiver.url, payload: "full" });
    const { path } = await server.user({ userName: "anna" });
    await server.patch(path, [{ op: "replace", path: "password", value: "t0p-secret" }]);
    const [, token] = await receiver.until(2);
    const { payload } = await server.verify(token?.body ?? "");
    expect(payload["events"]).toMatchObject({ [`${PROV}:patch:notice`]: { attributes: ["password"] } });
    expect(JSON.stringify(payload)).not.toContain("t0p-secret");
  });

  test.each<readonly [string, string, object]>([
    ["R8935-2.3-01 R8935-2.4-01 R8935-2-02", "invalid_audience", { dead: 1, waiting: 0 }],
    ["R8935-2.4-01", "invalid_key", { dead: 0, waiting: 1 }],
    ["an error of no specification", "of our own", { dead: 0, waiting: 1 }],
  ])(
    "%s: a token that is refused with %j is given up or tried again, and is the same then",
    async (_rules, err, counts) => {
      const receiver = await startReceiver((_request, response) => {
        response.writeHead(400, { "content-type": "application/json", "content-language": "en" });
        // Some tell all that they know, such as the trace of an exception.
        response.end(JSON.stringify({ description: "anna is not ours ".repeat(1000), err }));
      });
      const server = await startStreams();
      const stream = await server.stream({ method: "push", url: receiver.url });
      await server.user({ userName: "anna" });
      const path = `${STREAMS}/${String(stream["id"])}`;
      await expect.poll(async () => (await server.ask("GET", path)).body).toMatchObject(counts);
      expect((await server.ask("GET", path)).text).not.toContain("anna is not ours");
      receiver.behave(accept);
      await server.send("POST", `${path}/replay`, { since: 0 });
      const [first, second] = await receiver.until(2);
      expect((await server.verify(second?.body ?? "")).payload.jti, "the same token").toBe(
        (await server.verify(first?.body ?? "")).payload.jti,
      );
    },
  );

  test.each([
    [{}, "'method' is missing"],
    [{ method: "push" }, "has an address"],
    [{ method: "poll", url: "https://them.example" }, "has an address"],
    [{ method: "poll", audience: "" }, "State the audience"],
    [{ method: "poll", audience: "https://them\r\nX: y" }, "State the audience"],
    [{ method: "push", url: "https://them\n.example" }, "neither white space nor control"],
    [{ method: "push", url: "http://10.0.0.1/" }, "must begin with https:"],
    [{ method: "push", url: "https://10.0.0.1/" }, "private network"],
    [{ method: "push", url: "https://them.example", authorization: "a\nb: c" }, "printable ASCII"],
  ])("a stream asked for with %j is refused", async (body, detail) => {
    const { send } = await startStreams({
      SCIM_DELIVERY_PRIVATE_ADDRESSES: "refuse",
      SCIM_DELIVERY_PLAIN_HTTP: "refuse",
    });
    const answer = await send("POST", STREAMS, body);
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining(detail) } });
  });
});

test("R9967-4-01: the configuration lists the events where a stream takes some, and that no request is answered by one", async () => {
  const server = await startStreams();
  const before = await server.call("GET", "/ServiceProviderConfig");
  expect(before.body).not.toHaveProperty("securityEvents");
  await server.stream({ method: "poll" });
  const { body } = await server.call("GET", "/ServiceProviderConfig");
  expect(body["securityEvents"]).toEqual({
    asyncRequest: "none",
    eventUris: [
      `${PROV}:create:notice`,
      `${PROV}:create:full`,
      `${PROV}:patch:notice`,
      `${PROV}:patch:full`,
      `${PROV}:put:notice`,
      `${PROV}:put:full`,
      `${PROV}:delete`,
      `${PROV}:activate`,
      `${PROV}:deactivate`,
    ],
  });
});
