/**
 * The ServiceProviderConfig schema (RFC 7643 §5 and §8.7.2; RFC 9865 §4; RFC 9967 §4).
 * @module
 */
import { defineSchema } from "../schema.ts";
import { SERVICE_PROVIDER_CONFIG_URN } from "../urns.ts";

const SUPPORTED = {
  name: "supported",
  type: "boolean",
  required: true,
  mutability: "readOnly",
  description: "Whether the service does it.",
} as const;

/**
 * What a service provider can do (RFC 7643 §5), with the `pagination` of RFC 9865 and the
 * `securityEvents` of RFC 9967.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7643#section-5 RFC 7643 §5}
 */
export const SERVICE_PROVIDER_CONFIG_SCHEMA = defineSchema({
  id: SERVICE_PROVIDER_CONFIG_URN,
  name: "Service Provider Configuration",
  description: "What the service can do, and within which limits.",
  attributes: [
    {
      name: "documentationUri",
      type: "reference",
      referenceTypes: ["external"],
      caseExact: true,
      mutability: "readOnly",
      description: "Address of the service's help pages.",
    },
    {
      name: "patch",
      type: "complex",
      required: true,
      mutability: "readOnly",
      description: "Changing parts of a resource with PATCH.",
      subAttributes: [SUPPORTED],
    },
    {
      name: "bulk",
      type: "complex",
      required: true,
      mutability: "readOnly",
      description: "Many operations in one request.",
      subAttributes: [
        SUPPORTED,
        {
          name: "maxOperations",
          type: "integer",
          required: true,
          mutability: "readOnly",
          description: "Greatest number of operations in one request.",
        },
        {
          name: "maxPayloadSize",
          type: "integer",
          required: true,
          mutability: "readOnly",
          description: "Greatest size of a request, in bytes.",
        },
      ],
    },
    {
      name: "filter",
      type: "complex",
      required: true,
      mutability: "readOnly",
      description: "Filters in queries.",
      subAttributes: [
        SUPPORTED,
        {
          name: "maxResults",
          type: "integer",
          required: true,
          mutability: "readOnly",
          description: "Greatest number of resources in one answer.",
        },
      ],
    },
    {
      name: "changePassword",
      type: "complex",
      required: true,
      mutability: "readOnly",
      description: "Setting a user's password.",
      subAttributes: [SUPPORTED],
    },
    {
      name: "sort",
      type: "complex",
      required: true,
      mutability: "readOnly",
      description: "Sorting of query results.",
      subAttributes: [SUPPORTED],
    },
    {
      name: "etag",
      type: "complex",
      required: true,
      mutability: "readOnly",
      description: "Entity tags and conditional requests.",
      subAttributes: [SUPPORTED],
    },
    {
      name: "authenticationSchemes",
      type: "complex",
      multiValued: true,
      required: true,
      mutability: "readOnly",
      description: "Ways in which a client may prove who it is.",
      subAttributes: [
        {
          name: "type",
          type: "string",
          required: true,
          canonicalValues: ["oauth", "oauth2", "oauthbearertoken", "httpbasic", "httpdigest"],
          mutability: "readOnly",
          description: "Keyword of the scheme.",
        },
        {
          name: "name",
          type: "string",
          required: true,
          mutability: "readOnly",
          description: "Name of the scheme, for people.",
        },
        {
          name: "description",
          type: "string",
          required: true,
          mutability: "readOnly",
          description: "What the scheme is.",
        },
        {
          name: "specUri",
          type: "reference",
          referenceTypes: ["external"],
          caseExact: true,
          mutability: "readOnly",
          description: "Address of the scheme's specification.",
        },
        {
          name: "documentationUri",
          type: "reference",
          referenceTypes: ["external"],
          caseExact: true,
          mutability: "readOnly",
          description: "Address of help on using the scheme.",
        },
        {
          name: "primary",
          type: "boolean",
          mutability: "readOnly",
          description: "Whether the scheme is the preferred one.",
        },
      ],
    },
    {
      name: "pagination",
      type: "complex",
      mutability: "readOnly",
      description: "Ways of paging through query results.",
      subAttributes: [
        {
          name: "cursor",
          type: "boolean",
          required: true,
          mutability: "readOnly",
          description: "Whether pages can be asked for by cursor.",
        },
        {
          name: "index",
          type: "boolean",
          required: true,
          mutability: "readOnly",
          description: "Whether pages can be asked for by index.",
        },
        {
          name: "defaultPaginationMethod",
          type: "string",
          canonicalValues: ["cursor", "index"],
          mutability: "readOnly",
          description: "Way of paging where the client names none.",
        },
        {
          name: "defaultPageSize",
          type: "integer",
          mutability: "readOnly",
          description: "Resources on a page where the client names no number.",
        },
        {
          name: "maxPageSize",
          type: "integer",
          mutability: "readOnly",
          description: "Greatest number of resources on a page.",
        },
        {
          name: "cursorTimeout",
          type: "integer",
          mutability: "readOnly",
          description: "Least time for which a cursor can be used, in seconds.",
        },
      ],
    },
    {
      name: "interopProfileConformant",
      type: "boolean",
      mutability: "readOnly",
      description: "Whether the service keeps the SCIM 2.0 interoperability profile.",
    },
    {
      name: "securityEvents",
      type: "complex",
      mutability: "readOnly",
      description: "Security events that the service sends.",
      subAttributes: [
        {
          name: "asyncRequest",
          type: "string",
          canonicalValues: ["none", "long", "request"],
          mutability: "readOnly",
          description: "How the service answers asynchronous requests.",
        },
        {
          name: "eventUris",
          type: "string",
          multiValued: true,
          caseExact: true,
          mutability: "readOnly",
          description: "URIs of the events that can be sent.",
        },
      ],
    },
  ],
});
