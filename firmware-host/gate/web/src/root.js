// Where the page is mounted: the folder of its script, which a proxy may have below a path of its own. A <base> would do too, but the
// content security policy forbids it.
export const root = new URL('.', import.meta.url)
