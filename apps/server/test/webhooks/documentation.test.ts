import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { newFolder } from "../command-line/program.ts";

const page = readFileSync(new URL("../../../../docs/webhooks.md", import.meta.url), "utf8");
const code = /^```js[^\n]*\n(?<code>.*?)^```$/ms.exec(page)?.groups?.["code"] ?? "";
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const BODY = '{"type":"User.created","data":{"id":"ü"}}';

function signed(secret: string, of: { readonly id?: string; readonly ago?: number } = {}) {
  const { id = "evt_default_1_1-x", ago = 0 } = of;
  const at = new Date(Date.now() - ago * 1000);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": new Webhook(secret).sign(id, at, BODY),
  };
}

const OTHER = signed(`whsec_${Buffer.alloc(32, 8).toString("base64")}`);
const GOOD = signed(SECRET);

test.each([
  ["a good one", GOOD, BODY, true],
  [
    "one of several signatures",
    { ...GOOD, "webhook-signature": `${OTHER["webhook-signature"]} ${GOOD["webhook-signature"]}` },
    BODY,
    true,
  ],
  ["another secret", OTHER, BODY, false],
  ["another body", GOOD, `${BODY} `, false],
  ["another id", { ...GOOD, "webhook-id": "evt_default_2_1-x" }, BODY, false],
  ["an old one", signed(SECRET, { ago: 400 }), BODY, false],
  [
    "another version",
    { ...GOOD, "webhook-signature": GOOD["webhook-signature"].replace("v1,", "v2,") },
    BODY,
    false,
  ],
  ["no signature", { ...GOOD, "webhook-signature": "v1" }, BODY, false],
])("the code of docs/webhooks.md tells whether a request is genuine: %s", (_name, headers, body, genuine) => {
  const file = join(newFolder(), "receiver.mjs");
  const given = [SECRET, headers, body].map((value) => JSON.stringify(value)).join(", ");
  writeFileSync(file, `${code}\nprocess.stdout.write(String(isGenuine(${given})));\n`);
  const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: "utf8" });
  expect(stdout, stderr).toBe(String(genuine));
});

test("the form is that of the published algorithm", () => {
  const [id, timestamp] = [GOOD["webhook-id"], GOOD["webhook-timestamp"]];
  const expected = createHmac("sha256", Buffer.alloc(32, 7))
    .update(`${id}.${timestamp}.${BODY}`)
    .digest("base64");
  expect(GOOD["webhook-signature"]).toBe(`v1,${expected}`);
});
