/**
 * `@scim/client/in-process`: a service in the same process, called without a socket. This file is the whole public
 * surface.
 * @module
 */
export {
  createInProcessTransport,
  type InProcessHandler,
  type InProcessRequest,
  type InProcessResponse,
  type InProcessTransportOptions,
} from "./transport/in-process-transport.ts";
