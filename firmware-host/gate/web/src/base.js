/**
 * Where the page is mounted: the folder of its script, which a proxy may have below a path of its
 * own. It ends with a slash. A <base> would do too, but the content security policy forbids it.
 */
export const base = new URL('.', import.meta.url);

/** The address of a screen, such as `/modems/m0`, for a link. */
export const hrefOf = (path) => base.pathname + path.replace(/^\//, '');

/** The path of a screen in an address of ours, or null if the address is not ours. */
export function pathOf(url) {
    const inside = url.origin === base.origin && url.pathname.startsWith(base.pathname);
    return inside ? '/' + url.pathname.slice(base.pathname.length) : null;
}
