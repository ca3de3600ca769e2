import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build, type BuildResult } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const HERE = fileURLToPath(new URL(".", import.meta.url));

interface Bundle {
  /** Files that are part of it. */
  readonly inputs: readonly string[];
  /** What it imports besides. */
  readonly external: readonly string[];
  readonly text: string;
  /** Bytes, compressed. */
  readonly size: number;
}

/** A bundle as a browser is given it. */
async function bundle(program: string): Promise<Bundle> {
  const result: BuildResult<{ metafile: true; write: false }> = await build({
    stdin: { contents: program, resolveDir: HERE, loader: "ts" },
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    conditions: ["@scim/source"],
    logLevel: "silent",
  });
  const [file] = result.outputFiles;
  if (file === undefined) throw new TypeError("A bundle is a file.");
  const [output] = Object.values(result.metafile.outputs);
  return {
    inputs: Object.keys(result.metafile.inputs),
    external: output?.imports.map(({ path }) => path) ?? [],
    text: file.text,
    size: gzipSync(file.contents).byteLength,
  };
}

describe("a bundle of @scim/client/fetch", () => {
  let all: Bundle;
  let one: Bundle;
  beforeAll(async () => {
    all = await bundle(`export * from "@scim/client/fetch";`);
    one = await bundle(
      `import { createScimClient } from "@scim/client/fetch"; globalThis.client = createScimClient(globalThis.options);`,
    );
  });

  test("holds nothing of Node.js, of undici and of the parser", () => {
    for (const { inputs, external, text } of [all, one]) {
      expect(external).toEqual([]);
      expect(inputs.filter((path) => /chevrotain|undici|src\/node\/|packages\/core/.test(path))).toEqual([]);
      expect(text).not.toMatch(/["'`]node:|\brequire\(|\bprocess\.|\bBuffer\b/);
    }
    expect(inputsOf(all, "packages/filter/")).toEqual(
      ["build.ts", "index.ts", "print.ts", "visit.ts"].toSorted(),
    );
  });

  test("is as small as the README says", () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const stated = Number(/a bundle of it has (\d+) kB/.exec(readme)?.[1]);
    expect(all.size).toBeLessThan(stated * 1000);
    expect(all.size).toBeGreaterThan((stated - 3) * 1000);
    expect(one.size).toBeLessThanOrEqual(all.size);
  });

  test("runs where there is nothing but fetch", async () => {
    const requests: unknown[] = [];
    const answer = { id: "1", userName: "a", schemas: [], meta: { version: "v" } };
    const options = {
      baseUrl: "https://id.example/scim/v2",
      auth: "t",
      transport: {
        send: async (request: unknown) => (
          requests.push(request),
          { status: 200, headers: {}, body: JSON.stringify(answer) }
        ),
        close: async () => undefined,
      },
    };
    // What browsers have, and nothing of Node.js.
    const scope = {
      URL,
      AbortController,
      AbortSignal,
      TextDecoder,
      TextEncoder,
      setTimeout,
      clearTimeout,
      fetch: () => Promise.reject(new Error("unused")),
      options,
      client: null as { users: { get(id: string): Promise<object> } } | null,
    };
    runInNewContext(one.text, scope);
    expect(await scope.client?.users.get("1")).toEqual(answer);
    expect(requests).toHaveLength(1);
  });
});

function inputsOf({ inputs }: Bundle, folder: string): readonly string[] {
  return inputs
    .filter((path) => path.includes(folder))
    .map((path) => path.split("/").at(-1) ?? "")
    .toSorted();
}
