/**
 * Addresses whose percent-encoding is broken.
 * @module
 */

/**
 * An address that can be decoded. Where the path cannot, each of its percent signs stands for itself: it names nothing that
 * there is, and who asks for it is answered as for any other name, after the same checks.
 */
export function decodableUrl(url: string): string {
  const query = url.indexOf("?");
  const end = query === -1 ? url.length : query;
  const path = url.slice(0, end);
  return !path.includes("%") || isDecodable(path) ? url : path.replaceAll("%", "%25") + url.slice(end);
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
