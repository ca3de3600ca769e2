import pino from "pino";
import { expect, test } from "vitest";
import { printed } from "../command-line/printed.ts";
import { eventually } from "../eventually.ts";
import { ENGINES, SECRET_KEYS } from "../over-http/engines.ts";
import { startStreams, STREAMS } from "../security-events/stream-server.ts";
import { startReceiver } from "./receiver.ts";

const WEBHOOKS = "/tenants/default/webhooks";
/** Keys by which secrets are sealed that the others cannot read; tokens are known by both. */
const LATER_KEYS = `9:${Buffer.alloc(32, 9).toString("base64url")},${SECRET_KEYS}`;
const ROTATE = /No secret of the receiver can be read with the keys of the service\. Rotate it/;

test.each(ENGINES)(
  "secrets that other keys have sealed, on $name: told, and good again once rotated",
  async ({ make }) => {
    const receiver = await startReceiver();
    const { environment } = await make();
    const first = await startStreams(environment);
    const stream = await first.stream({ method: "poll" });
    await first.stop();
    const before = await startStreams({ ...environment, SCIM_SECRET_KEYS: LATER_KEYS });
    const { body: webhook } = await before.send("POST", WEBHOOKS, { url: receiver.url });
    const rotate = `${STREAMS}/${String(stream["id"])}/rotate`;
    const { body: later } = await before.send("POST", rotate, { overlapHours: 0 });
    const polled = { ...stream, token: later["token"] ?? "" };
    expect((await before.poll(polled)).status).toBe(200);
    await before.stop();

    const lines: string[] = [];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
    const server = await startStreams(environment, log);
    const id = String(webhook["id"]);
    expect(await server.send("POST", `${WEBHOOKS}/${id}/test`)).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(ROTATE) },
    });
    expect((await server.poll(polled)).status).toBe(401);

    for (const userName of ["ann", "bob", "eve"]) await server.user({ userName });
    const shown = async () => (await server.ask("GET", `${WEBHOOKS}/${id}`)).body;
    await eventually(async () =>
      expect(await shown()).toMatchObject({ waiting: 3, lastProblem: expect.stringMatching(ROTATE) }),
    );
    const told = lines.map((line) => JSON.parse(line)).filter(({ receiver: of }) => of === id);
    expect(told).toMatchObject([
      { level: 50, tenant: "default", err: { message: expect.stringMatching(ROTATE) } },
    ]);

    expect((await server.send("POST", `${WEBHOOKS}/${id}/rotate`)).status).toBe(200);
    expect((await server.send("POST", `${WEBHOOKS}/${id}/test`)).body).toMatchObject({ kind: "delivered" });
    const { body: rotated } = await server.send("POST", rotate);
    expect((await server.poll({ ...stream, token: rotated["token"] ?? "" })).status).toBe(200);
    await receiver.until(4);
    await server.stop();
  },
);

test("scim webhook test says what to do about a secret that other keys have sealed", async () => {
  const receiver = await startReceiver();
  const [sqlite] = ENGINES;
  const environment = {
    ...(await sqlite?.make())?.environment,
    SCIM_DELIVERY_PRIVATE_ADDRESSES: "allow",
    SCIM_DELIVERY_PLAIN_HTTP: "allow",
  };
  const later = { ...environment, SCIM_SECRET_KEYS: LATER_KEYS };
  await printed(["webhook", "create", "--to", receiver.url], later);
  const { stdout } = await printed(["webhook", "list", "--json"], environment);
  const [{ id }] = JSON.parse(stdout).webhooks;
  const failed = printed(["webhook", "test", id], environment);
  await expect(failed).rejects.toMatchObject({
    name: "CommandFailure",
    message: expect.stringMatching(ROTATE),
  });
});
