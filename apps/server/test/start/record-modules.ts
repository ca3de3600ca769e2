/**
 * Told to Node.js by `--import`: writes each module that is loaded to standard error.
 * @module
 */
import { registerHooks } from "node:module";

registerHooks({
  load: (url, context, next) => {
    process.stderr.write(`loaded ${url}\n`);
    return next(url, context);
  },
});
