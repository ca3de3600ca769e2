/**
 * A resource that is replaced keeps what a service shows on request alone (RFC 7643 §7, RFC 7644 §3.5.1).
 * @module
 */
import { createScimClient, wholeAttributes } from "@scim/client";
import type { JsonObject } from "@scim/schemas";
import { expect, onTestFinished, test } from "vitest";
import { BADGE, devicesOf, text } from "./support/devices.ts";
import { aService, serve, TOKEN } from "./support/service.ts";

const asked = (name: string) => ({ ...text(name), returned: "request" }) as const;
const { type: DEVICE, registry } = devicesOf(
  [
    { ...text("code"), required: true },
    text("title"),
    // What every object has is an attribute like others.
    text("constructor"),
    asked("note"),
    { name: "keys", type: "complex", multiValued: true, subAttributes: [text("value"), asked("mark")] },
  ],
  [text("color"), asked("floor")],
);

const FIRST = {
  code: "c",
  externalId: "x",
  constructor: "b",
  note: "n",
  keys: [{ value: "k", mark: "m" }],
  [BADGE]: { color: "red", floor: "2" },
};

test.each(["reads attributes by their paths", "leaves out what it shows unasked where attributes are named"])(
  "update of a service without PATCH that %s",
  async (what) => {
    const got: string[] = [];
    let isPoor = what.startsWith("leaves out");
    const baseUrl = await serve(aService({ registry }), async (request, response, pass) => {
      if (request.url?.endsWith("/ServiceProviderConfig") === true) {
        response.writeHead(200, { "Content-Type": "application/scim+json" });
        response.end(JSON.stringify({ patch: { supported: false }, etag: { supported: true } }));
        return;
      }
      got.push(request.method ?? "");
      // Some of what is shown unasked, and all of that of the extension, is left out of what is asked for.
      if (isPoor && request.method === "GET")
        request.url = request.url?.replace(/%2Cconstructor/, "").replace(/%2Curn.*?(?=%2Cnote)/, "");
      await pass();
    });
    const client = createScimClient({ baseUrl, auth: TOKEN, retries: { attempts: 1 } });
    onTestFinished(() => client.close());
    const devices = client.resource(DEVICE);
    const { id } = await devices.create(FIRST);
    let seen: JsonObject = {};
    await devices.update(id, (current) => {
      seen = current;
      return { ...current, title: "new" };
    });
    isPoor = false;
    const attributes = wholeAttributes(DEVICE) ?? [];
    expect(await devices.get(id, { attributes })).toMatchObject({ ...FIRST, title: "new" });
    expect(seen).toMatchObject(FIRST);
    expect(got).toEqual(["POST", "GET", "GET", "PUT", "GET"]);
  },
);

test("all attributes are named where some have to be asked for, and none where none has", () => {
  const named = ["externalId", "meta", "code", "title", "constructor", "keys", `${BADGE}:color`];
  expect(wholeAttributes(DEVICE)).toEqual([...named, "note", "keys.mark", `${BADGE}:floor`]);
  const plain = { schema: { ...DEVICE.schema, attributes: [text("code")] }, extensions: [] };
  expect(wholeAttributes(plain)).toBeUndefined();
});
