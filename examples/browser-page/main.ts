/**
 * A page in a browser, on `@scim/client/fetch`: served beside the service, opened in Chromium, and used as a person would.
 * @module
 */
import { deepEqual, equal, match, ok } from "node:assert/strict";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { createScimClient, type ScimClient } from "@scim/client";
import { chromium, type Page } from "playwright-core";
import { startServer } from "../scim-server.ts";
import { servePage } from "./serve-page.ts";

const browser = await chromium.launch({ executablePath: findBrowser() });
const server = await startServer(null);
const page = await servePage(server.baseUrl);
try {
  await using client = createScimClient({ baseUrl: server.baseUrl, auth: server.token });
  for (const userName of ["ada", "alan", "grace"])
    await client.users.create({ userName, title: "<b>Dr</b>" });
  const tab = await browser.newPage();
  const faults: string[] = [];
  const asked = new Set<string>();
  tab.on("pageerror", ({ message }) => faults.push(message));
  tab.on("request", (request) => asked.add(new URL(request.url()).origin));
  await tab.goto(page.origin);

  await refusedToken(tab);
  await search(tab);
  await switchOff(tab, client);

  deepEqual(faults, []);
  deepEqual([...asked], [page.origin]);
  ok(page.scriptSize < 120_000, `The script has ${page.scriptSize} bytes`);
  console.log(`The page works in Chromium ${browser.version()}.`);
} finally {
  await browser.close();
  await page.stop();
  await server.stop();
}

function messageOf(tab: Page, words: RegExp): Promise<void> {
  return tab.locator("#message").filter({ hasText: words }).waitFor();
}

function rowsOf(tab: Page): Promise<readonly string[]> {
  return tab.locator("#users tr").allInnerTexts();
}

/** What went wrong is told with the id under which the log of the service has it. */
async function refusedToken(tab: Page): Promise<void> {
  await tab.fill("#token", "scim_default_wrong");
  await tab.click("text=Show");
  await messageOf(tab, /\(request [\w-]+\)/);
  deepEqual(await rowsOf(tab), []);
}

async function search(tab: Page): Promise<void> {
  await tab.fill("#token", server.token);
  await tab.fill("#prefix", "a");
  await tab.click("text=Show");
  await messageOf(tab, /^2 found/);
  deepEqual(
    (await rowsOf(tab)).map((row) => row.split("\t")),
    ["ada", "alan"].map((name) => [name, "<b>Dr</b>", "Deactivate"]),
  );
}

async function switchOff(tab: Page, client: ScimClient): Promise<void> {
  const ada = await client.users.list({ filter: 'userName eq "ada"' }).first();
  ok(ada);
  await client.users.patch(ada, (p) => p.replace("title", "Countess"));
  const row = tab.locator("#users tr").first();
  await row.getByRole("button").click();
  await messageOf(tab, /Somebody else/);
  match(await row.innerText(), /Countess/);
  await row.getByRole("button").click();
  await messageOf(tab, /^Done/);
  match(await row.innerText(), /Activate/);
  equal((await client.users.get(ada.id)).active, false);
}

/** Chromium of the system, or the one that `CHROMIUM` names. */
function findBrowser(): string {
  const named = process.env["CHROMIUM"];
  if (named !== undefined) return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
  if (found !== undefined) return found;
  throw new Error(
    "This example needs Chromium: install it (apt-get install chromium), or name one in CHROMIUM.",
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
