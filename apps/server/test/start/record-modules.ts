/**
 * Told to Node.js by `--import`: writes each module of OpenAPI that is loaded to standard error.
 * @module
 */
import { registerHooks } from "node:module";

registerHooks({
  load: (url, context, next) => {
    if (url.includes("/openapi/")) process.stderr.write(`loaded ${url}\n`);
    return next(url, context);
  },
});
