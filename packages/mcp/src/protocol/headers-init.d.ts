/**
 * The types of the SDK take this name of the DOM for granted; those of Node.js do not have it.
 * @module
 */
type HeadersInit = NonNullable<ConstructorParameters<typeof Headers>[0]>;
