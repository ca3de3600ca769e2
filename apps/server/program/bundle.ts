/**
 * The program `scim` made into a few files: to find and load a thousand small ones takes longer than all else of a start.
 * Packages that `dependencies` of the server names stay packages, so that whoever looks for known faults sees them; all
 * else becomes part of the program, and what is of others has its licence in `licenses.md`.
 * @module
 */
import { chmodSync, cpSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { build, type Plugin } from "vite";

/** The command line, and the programs of threads, which are found by these names beside whatever starts them. */
const ENTRIES = {
  cli: "src/cli.ts",
  "bcrypt-thread": "src/credentials/bcrypt-thread.ts",
  "body-thread": "../../packages/http/src/node/body-thread.ts",
  "entry-thread": "../../packages/store/src/sqlite/entry-thread.ts",
  "import-thread": "../../packages/store/src/sqlite/import-thread.ts",
  "reader-thread": "../../packages/store/src/sqlite/reader-thread.ts",
};

/** What is made of what. */
export interface Bundle {
  /** Folder of the server. */
  readonly server: string;
  /** Folder of the program, within that of the server. `cli.js` is the command line. */
  readonly target: string;
}

/** Makes the files, from the sources of the server and its packages. */
export async function bundleProgram({ server, target }: Bundle): Promise<void> {
  const conditions = ["@scim/source", "node"];
  await build({
    configFile: false,
    root: server,
    logLevel: "warn",
    resolve: { conditions },
    ssr: { noExternal: true, resolve: { conditions } },
    plugins: [filesBesideModules(server, target)],
    build: {
      ssr: true,
      target: "node22",
      outDir: target,
      emptyOutDir: false,
      license: { fileName: "licenses.md" },
      rolldownOptions: {
        input: ENTRIES,
        external: dependenciesOf(server),
        // What looks as if it did nothing may throw, as decodeURIComponent does: nothing that is called is left out.
        treeshake: false,
        output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js", minify: false },
      },
    },
  });
  // So that a link to it, named `scim`, is a command.
  chmodSync(join(target, "cli.js"), 0o755);
}

// Our own file, read as it is.
interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Tells which imports are of packages that the server depends on. */
function dependenciesOf(server: string): (id: string) => boolean {
  const manifest = JSON.parse(readFileSync(join(server, "package.json"), "utf8")) as Manifest;
  const names = Object.keys(manifest.dependencies);
  return (id) => names.some((name) => id === name || id.startsWith(`${name}/`));
}

/**
 * Modules find files by their own address, which is another in the program. Files of the server stay where they are;
 * those of packages, such as migrations, are copied beside the program.
 */
function filesBesideModules(server: string, target: string): Plugin {
  const found = /new URL\("(\.\.\/[^"]+)", import\.meta\.url\)/g;
  return {
    name: "files-beside-modules",
    enforce: "pre",
    transform: (code, id) => {
      if (id.includes("/node_modules/")) return null;
      return code.replaceAll(found, (_, path: string) => {
        const place = resolve(dirname(id), path);
        const end = path.endsWith("/") ? "/" : "";
        if (place.startsWith(server)) return fromProgram(`${relative(target, place)}${end}`);
        const copy = relative(join(server, "../../packages"), place);
        cpSync(place, join(target, copy), { recursive: true });
        return fromProgram(`${copy}${end}`);
      });
    },
  };
}

function fromProgram(path: string): string {
  return `new URL("${path.split(sep).join("/")}", import.meta.url)`;
}
