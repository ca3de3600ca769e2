import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { openStore } from "../../src/store/open-store.ts";
import { keepUp } from "../../src/upkeep/event-upkeep.ts";
import { eventually } from "../eventually.ts";
import { ENGINES, SECRET_KEYS } from "../over-http/engines.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newFolder } from "./program.ts";
import { printed } from "./printed.ts";

const DAY_MS = 86_400_000;
const page = readFileSync(new URL("../../../../docs/audit.md", import.meta.url), "utf8");
const code = /^```js no-run\n(?<code>.*?)^```$/ms.exec(page)?.groups?.["code"] ?? "";

type Keys = Readonly<Record<string, string>>;
type FaultsOf = (text: string, tenant: string, keys: Keys) => readonly string[];

const KEYS: Keys = Object.fromEntries(SECRET_KEYS.split(",").map((key) => key.split(":", 2)));

async function documented(): Promise<FaultsOf> {
  const file = join(newFolder(), "verifier.mjs");
  writeFileSync(file, code);
  // The page is to hold that function.
  const { faultsOf } = (await import(pathToFileURL(file).href)) as { readonly faultsOf: FaultsOf };
  return faultsOf;
}

test.each(ENGINES)(
  "the code of docs/audit.md verifies what 'scim audit export' writes, on $name",
  async (engine) => {
    const database = await engine.make();
    const server = await startInProcess(database.environment);
    const { path } = await server.user({ userName: "änna \u2028 \ud83d\ude00" });
    for (const nickName of ["a", "b", "c"])
      await server.patch(path, [{ op: "add", path: "nickName", value: nickName }]);
    await eventually(async () => {
      const [row] = await database.query("SELECT count(*) AS n FROM audit_entries");
      expect(Number(row?.["n"])).toBe(4);
    });
    await server.stop();
    const opened = await openStore(resolveSettings({ flags: {}, environment: database.environment }).values);
    onTestFinished(() => opened.store.close());
    const { auditKeys, store } = opened;
    const upkeepIn = async (days: number, audit: number): Promise<void> => {
      const now = (): number => Date.now() + days * DAY_MS;
      const keptFor = async (kind: string): Promise<number> => (kind === "audit" ? audit : 1000) * DAY_MS;
      await keepUp({ ...store, auditKeys, keptFor, now }, () => false);
    };
    const exported = async (): Promise<string> =>
      (await printed(["audit", "export"], database.environment)).stdout;
    const faultsOf = await documented();

    await upkeepIn(1, 400);
    const text = await exported();
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => Object.keys(JSON.parse(line) as object)[0]),
    ).toContain("checkpoint");
    expect(faultsOf(text, "default", KEYS)).toEqual([]);
    const lines = text.trimEnd().split("\n");
    const without = (index: number): string => lines.filter((_, at) => at !== index).join("\n");
    for (const [of, wanted] of [
      [text.replace('"kind":"patched"', '"kind":"deleted"'), ["entry 2: changed"]],
      [without(1), ["entry 3: others are missing before it", "entry 3: changed"]],
      [without(0), ["entry 2: changed"]],
      [
        lines.filter((line) => !line.includes('"position":4,"subject"')).join("\n"),
        ["entries up to 4 are missing"],
      ],
      [
        text.replaceAll('"signature":"', '"signature":"x'),
        [expect.stringMatching(/^checkpoint \d: not signed with key/)],
      ],
    ] as const) {
      expect(faultsOf(of, "default", KEYS)).toEqual(expect.arrayContaining([...wanted]));
    }
    expect(faultsOf(text, "other", KEYS)).not.toEqual([]);
    expect(faultsOf(text, "default", {})).not.toEqual([]);

    // Two of four are too old.
    await database.query("UPDATE audit_entries SET at = '2020-01-01T00:00:00.000Z' WHERE position <= 2");
    await upkeepIn(2, 400);
    const rest = await exported();
    expect(rest).toContain('"position":3,"subject"');
    expect(rest).not.toContain('"position":2,"subject"');
    expect(faultsOf(rest, "default", KEYS)).toEqual([]);
    expect((await printed(["audit", "verify"], database.environment)).stdout).toContain(
      "stands for what was before",
    );
    const cut = rest.split("\n").filter((line) => !line.includes('"checkpoint":{"position":2'));
    expect(faultsOf(cut.join("\n"), "default", KEYS)).toEqual(["entry 3: changed"]);
    await upkeepIn(500, 400);
    const none = await exported();
    expect(none.trimEnd().split("\n")).toHaveLength(1);
    expect(faultsOf(none, "default", KEYS)).toEqual([]);
  },
);
