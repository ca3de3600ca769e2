/**
 * HTTP of Node.js as values, loaded without what an `import` of it reads: every export, and with them the fetch API,
 * which takes longer to load than all else of HTTP.
 * @module
 */
import process from "node:process";

export const { METHODS, STATUS_CODES, request } = process.getBuiltinModule("node:http");
