/** Endless lists by cursor: the first page stays live, further pages follow on demand. */
import {get, withQuery} from './api.js';
import {useEffect, useRef, useState} from './html.js';
import {useResource} from './resource.js';

/**
 * Rows of `path`, whose answer has them in the member `member`. Gives {rows, hasMore, more, loadingMore,
 * data, error, reload}; `keyOf` names a row, so that one that moved to a later page is not shown twice.
 */
export function usePages(path, member, {query = {}, limit = 100, on = [], every = 0, gapMs, keyOf = (row) => row.id} = {}) {
    const firstPath = path === null ? null : withQuery(path, {...query, limit});
    const first = useResource(firstPath, {on, every, gapMs});
    const [older, setOlder] = useState({of: firstPath, rows: [], next: undefined});
    const [loadingMore, setLoadingMore] = useState(false);
    const running = useRef(null);
    useEffect(() => () => running.current?.abort(), [firstPath]);

    const shown = useRef({of: null, rows: []}); // what new rows push out of the first page stays in the list
    const newest = first.data?.[member] ?? [];
    let mine = older.of === firstPath ? older : {rows: [], next: undefined};
    const before = shown.current.of === firstPath && mine.next !== undefined ? shown.current.rows : [];
    const known = new Set(before.map(keyOf));
    // More new rows than a page has: there would be a gap, so the list begins again.
    const gap = known.size > 0 && newest.length > 0 && !newest.some((row) => known.has(keyOf(row)));
    if (gap) mine = {rows: [], next: undefined};
    const seen = new Set();
    const rows = [...newest, ...(gap ? [] : before), ...mine.rows].filter((row) => {
        const key = keyOf(row);
        return !seen.has(key) && seen.add(key);
    });
    shown.current = {of: firstPath, rows};
    useEffect(() => {
        if (gap) setOlder({of: firstPath, rows: [], next: undefined});
    }, [gap]);
    const next = mine.next === undefined ? first.data?.next ?? null : mine.next;

    async function more() {
        if (loadingMore || next === null) return;
        setLoadingMore(true);
        const abort = new AbortController();
        running.current = abort;
        try {
            const page = await get(withQuery(path, {...query, limit, cursor: next}), {signal: abort.signal});
            setOlder({of: firstPath, rows: [...shown.current.rows, ...page[member]], next: page.next});
        } catch (error) {
            if (error.name !== 'AbortError') setOlder({...mine, of: firstPath, error});
        } finally {
            setLoadingMore(false);
        }
    }
    return {...first, error: first.error ?? mine.error ?? null, rows, hasMore: next !== null, more, loadingMore};
}
