/**
 * A page in a browser, on `@scim/client/fetch`: served beside the service, opened in Chromium, and used as a person would.
 * @module
 */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { createScimClient, type ScimClient } from "@scim/client";
import { startServer } from "../scim-server.ts";
import { servePage } from "./serve-page.ts";
import { openTab, type Tab } from "./tab.ts";

const server = await startServer(null);
const page = await servePage(server.baseUrl);
const service = createScimClient({ baseUrl: server.baseUrl, auth: server.token });
try {
  for (const userName of ["ada", "alan", "grace"])
    await service.users.create({ userName, title: "<b>Dr</b>" });
  const tab = await openTab(page.origin);
  try {
    await refusedToken(tab);
    await search(tab);
    await searchTwice(tab);
    await switchOff(tab, service);
    deepEqual(tab.faults, []);
    if (tab.asked !== null) deepEqual([...tab.asked], [page.origin]);
  } finally {
    await tab.close();
  }
  ok(page.scriptSize < 120_000, `The script has ${page.scriptSize} bytes`);
  console.log(`The page works in ${tab.browser}.`);
} finally {
  await service.close();
  await page.stop();
  await server.stop();
}

/** Waits for what the page says. */
async function says(tab: Tab, words: RegExp): Promise<void> {
  const end = Date.now() + 30_000;
  while (!words.test(await tab.message())) {
    if (Date.now() > end) throw new Error(`The page says: ${await tab.message()}`);
    await pause(20);
  }
}

/** What went wrong is told with the id under which the log of the service has it. */
async function refusedToken(tab: Tab): Promise<void> {
  await tab.fill("token", "no token");
  await tab.submit();
  await says(tab, /A bearer token/);
  await tab.fill("token", "scim_default_wrong");
  await tab.submit();
  await says(tab, /\(request [\w-]+\)/);
  deepEqual(await tab.rows(), []);
}

async function search(tab: Tab): Promise<void> {
  await tab.fill("token", server.token);
  await tab.fill("prefix", "a");
  await tab.submit();
  await says(tab, /^2 found/);
  deepEqual(
    await tab.rows(),
    ["ada", "alan"].map((name) => [name, "<b>Dr</b>", "Deactivate"]),
  );
}

/** What was looked for last is shown, and nothing of the search before. */
async function searchTwice(tab: Tab): Promise<void> {
  await tab.submitBoth("prefix", ["g", "a"]);
  await says(tab, /^\d/);
  deepEqual(
    (await tab.rows()).map(([name]) => name),
    ["ada", "alan"],
  );
}

async function switchOff(tab: Tab, client: ScimClient): Promise<void> {
  const ada = await client.users.list({ filter: 'userName eq "ada"' }).first();
  ok(ada);
  await client.users.patch(ada, (p) => p.replace("title", "Countess"));
  const firstRow = async (): Promise<string> => (await tab.rows())[0]?.join(" ") ?? "";
  await tab.pressFirst();
  await says(tab, /Somebody else/);
  match(await firstRow(), /Countess/);
  await tab.pressFirst();
  await says(tab, /^Done/);
  match(await firstRow(), /Activate/);
  equal(await tab.focused(), "Activate");
  equal((await client.users.get(ada.id)).active, false);
  await tab.pressFirstTwice();
  await says(tab, /^Done/);
  equal((await client.users.get(ada.id)).active, true);
}
