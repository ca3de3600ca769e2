/**
 * The handler where requests and answers are those of `node:http`, or of `node:http2` in the same form.
 * @module
 */
import { type AdapterOptions, publicUrlOf, randomId } from "../adapting/adapter-options.ts";
import type { PrefixedAddress } from "../adapting/mounted-address.ts";
import { errorResponse, statusResponse } from "../errors.ts";
import type { ScimHandler } from "../handler.ts";
import type { HttpRequest } from "../message.ts";
import { noSuchAddress } from "../routes.ts";
import { abortedWith } from "./answer-over.ts";
import {
  belowPrefix,
  bodyOf,
  cutByFramework,
  type NodeRequest,
  type NodeResponse,
  originOf,
} from "./framework-request.ts";
import { sendAnswer } from "./send-answer.ts";
import { sendingTurn } from "./sending-turn.ts";

/** What the adapter is told. */
export interface NodeHandlerOptions<Request extends NodeRequest> extends AdapterOptions<Request> {
  /**
   * Path of the mount: `/scim/v2`, or `/scim/:tenant/v2`. What lies elsewhere goes to `next`, or is answered 404 where
   * there is none. Default: what a framework such as Express has cut off the address, or else the root.
   */
  readonly prefix?: string | undefined;
  /** Network address of the client, as far as proxies are trusted. Default: that of the connection. */
  readonly address?: ((request: Request) => string | undefined) | undefined;
}

/** A listener of `node:http` and `node:http2`, and a middleware of Express, Connect or NestJS. */
export type NodeHandler<Request extends NodeRequest> = (
  request: Request,
  response: NodeResponse,
  next?: (error?: unknown) => void,
) => void;

/**
 * Makes a function for `node:http` and what is built on it: Express, NestJS, Connect. Bodies are read and made at the
 * pace of their readers; a client that goes away aborts the request; an answer that fails half-way cuts the connection.
 * @throws TypeError for a prefix that is no path
 *
 * @example
 * createServer(createNodeHandler(handler, { prefix: "/scim/v2" })).listen(8080);
 * createSecureServer({ key, cert, allowHTTP1: true }, createNodeHandler(handler, { prefix: "/scim/v2" })); // HTTP/2
 * app.use("/scim/v2", createNodeHandler(handler)); // Express, before `express.json()`
 */
export function createNodeHandler<Request extends NodeRequest = NodeRequest>(
  handler: ScimHandler,
  options: NodeHandlerOptions<Request> = {},
): NodeHandler<Request> {
  const { prefix, tenant = null, connection = null, requestId = randomId } = options;
  const { address = ({ socket }) => socket.remoteAddress } = options;
  const publicUrl = publicUrlOf(options.publicUrl, originOf);
  const find = prefix === undefined ? cutByFramework : belowPrefix(prefix);

  const answer = async (request: Request, response: NodeResponse, place: PrefixedAddress): Promise<void> => {
    let signal: AbortSignal | undefined;
    let body: HttpRequest["body"] | undefined;
    const asked: HttpRequest = {
      method: request.method ?? "GET",
      target: place.target,
      headers: request.headers,
      get body() {
        return (body ??= bodyOf(request));
      },
      get baseUrl() {
        return publicUrl(request) + place.path;
      },
      tenant: tenant ?? place.tenant,
      connection,
      get signal() {
        return (signal ??= abortedWith(response));
      },
      id: requestId(request),
      get address() {
        return address(request);
      },
    };
    const answered = await handler.handle(asked);
    await sendingTurn();
    sendAnswer(response, answered);
  };

  return (request, response, next) => {
    const place = find(request);
    if (place !== null)
      answer(request, response, place).catch((error: unknown) => failed(response, error, next));
    else if (next === undefined) sendAnswer(response, errorResponse(noSuchAddress()));
    else next();
  };
}

/** What fails outside of the handler is the application's concern. */
function failed(response: NodeResponse, error: unknown, next: ((error: unknown) => void) | undefined): void {
  if (next === undefined) sendAnswer(response, statusResponse(500, "The service failed to answer."));
  else next(error);
}
