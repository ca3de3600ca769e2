/**
 * Told to Node.js by `--import`: writes each module of OpenAPI, JWTs, metrics and traces that is loaded to standard error.
 * @module
 */
import { registerHooks } from "node:module";

registerHooks({
  load: (url, context, next) => {
    if (/\/openapi\/|\/node_modules\/(?:jose|prom-client|@opentelemetry)\//.test(url))
      process.stderr.write(`loaded ${url}\n`);
    return next(url, context);
  },
});
