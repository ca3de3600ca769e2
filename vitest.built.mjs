/**
 * Loaded before all else of a process or thread: it runs what packages were built to in the place of their sources. No
 * types have to be taken off here, so that this is fast where Node.js keeps nothing of that.
 * @module
 */
import { registerHooks } from "node:module";

/** A source of a package. */
const SOURCE = /^(?<folder>file:.*\/packages\/[a-z]+)\/src\/(?<name>.*)\.ts$/;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const found = nextResolve(specifier, context);
    const { folder, name } = SOURCE.exec(found.url)?.groups ?? {};
    return folder === undefined ? found : { ...found, url: `${folder}/dist/${name}.js`, format: "module" };
  },
});
