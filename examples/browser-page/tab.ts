/**
 * A tab of a browser, as far as the page needs one: of Chromium, or where there is none, of a document without a screen.
 * @module
 */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** A page that is open. */
export interface Tab {
  /** What it is open in. */
  readonly browser: string;
  /** Types into a field. */
  fill(id: string, text: string): Promise<void>;
  /** Presses the button of the form. */
  submit(): Promise<void>;
  /** Presses the button of the form for one text in a field, and for another before there is an answer. */
  submitBoth(id: string, texts: readonly [string, string]): Promise<void>;
  /** Goes to the button of the first row by the keyboard, and presses it. */
  pressFirst(): Promise<void>;
  /** Presses it twice, at once. */
  pressFirstTwice(): Promise<void>;
  /** The text of what the keyboard is at. */
  focused(): Promise<string>;
  /** The text of `#message`. */
  message(): Promise<string>;
  /** The texts of the rows, cell by cell. */
  rows(): Promise<readonly (readonly string[])[]>;
  /** Errors of the page that nobody caught. */
  readonly faults: readonly string[];
  /** Origins that the page asked for something; null where this is not known. */
  readonly asked: ReadonlySet<string> | null;
  close(): Promise<void>;
}

/** Opens an address in Chromium, the one of the system or the one that `CHROMIUM` names; without it, in happy-dom. */
export async function openTab(address: string): Promise<Tab> {
  const program = process.env["CHROMIUM"] ?? findBrowser();
  return program === undefined ? openDocument(address) : openChromium(program, address);
}

async function openChromium(executablePath: string, address: string): Promise<Tab> {
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({ executablePath });
  const tab = await browser.newPage();
  const faults: string[] = [];
  const asked = new Set<string>();
  tab.on("pageerror", ({ message }) => faults.push(message));
  tab.on("request", (request) => asked.add(new URL(request.url()).origin));
  await tab.goto(address);
  return {
    browser: `Chromium ${browser.version()}`,
    fill: (id, text) => tab.fill(`#${id}`, text),
    submit: () => tab.click("#search button"),
    submitBoth: (id, texts) =>
      tab.evaluate(`for (const text of ${JSON.stringify(texts)}) {
        document.querySelector("#${id}").value = text;
        document.querySelector("#search").requestSubmit();
      }`),
    pressFirst: () => tab.locator("#users tr").first().getByRole("button").press("Enter"),
    pressFirstTwice: () =>
      tab.evaluate(
        "{ const first = document.querySelector('#users button'); first.click(); first.click(); }",
      ),
    focused: () => tab.evaluate("document.activeElement.textContent"),
    message: () => tab.locator("#message").innerText(),
    rows: async () => (await tab.locator("#users tr").allInnerTexts()).map((row) => row.split("\t")),
    faults,
    asked,
    close: () => browser.close(),
  };
}

/** The same page and the same script, in a document that lays nothing out and heeds no policy. */
async function openDocument(address: string): Promise<Tab> {
  const { Browser } = await import("happy-dom");
  const browser = new Browser({
    settings: { enableJavaScriptEvaluation: true, suppressInsecureJavaScriptEnvironmentWarning: true },
  });
  const tab = browser.newPage();
  await tab.goto(address);
  await tab.waitUntilComplete();
  const { document, window } = tab.mainFrame;
  const faults: string[] = [];
  window.addEventListener("error", (event) => {
    faults.push("message" in event ? String(event.message) : event.type);
  });
  const tell = async (selector: string, type: string): Promise<void> => {
    document.querySelector(selector)?.dispatchEvent(new window.Event(type, { cancelable: true }));
  };
  return {
    browser: "happy-dom: there is no Chromium here",
    fill: async (id, text) => {
      document.querySelector(`#${id}`)?.setAttribute("value", text);
    },
    submit: () => tell("#search", "submit"),
    submitBoth: async (id, texts) => {
      for (const text of texts) {
        document.querySelector(`#${id}`)?.setAttribute("value", text);
        void tell("#search", "submit");
      }
    },
    pressFirst: async () => {
      const first = document.querySelector("#users button");
      if (first instanceof window.HTMLButtonElement) first.focus();
      await tell("#users button", "click");
    },
    pressFirstTwice: async () => {
      await Promise.all([tell("#users button", "click"), tell("#users button", "click")]);
    },
    focused: async () => document.activeElement?.textContent ?? "",
    message: async () => document.querySelector("#message")?.textContent ?? "",
    rows: async () =>
      [...document.querySelectorAll("#users tr")].map((row) =>
        [...row.children].map((cell) => cell.textContent),
      ),
    faults,
    asked: null,
    close: () => browser.close(),
  };
}

/** Chromium or Chrome of the `PATH`. */
function findBrowser(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const names = ["chromium", "chromium-browser", "google-chrome"];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
