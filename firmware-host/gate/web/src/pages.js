/** Endless lists by cursor: the first page stays live, further pages follow on demand. */
import {get, withQuery} from './api.js';
import {useEffect, useRef, useState} from './html.js';
import {useResource} from './resource.js';

/**
 * Rows of `path`, whose answer has them in the member `member`. Gives {rows, hasMore, more, loadingMore,
 * data, error, reload}; `keyOf` names a row, so that one that moved to a later page is not shown twice.
 */
export function usePages(path, member, {query = {}, limit = 100, on = [], every = 0, keyOf = (row) => row.id} = {}) {
    const firstPath = path === null ? null : withQuery(path, {...query, limit});
    const first = useResource(firstPath, {on, every});
    const [older, setOlder] = useState({of: firstPath, rows: [], next: undefined});
    const [loadingMore, setLoadingMore] = useState(false);
    const running = useRef(null);
    useEffect(() => () => running.current?.abort(), [firstPath]);

    const mine = older.of === firstPath ? older : {rows: [], next: undefined};
    const seen = new Set();
    const rows = [...(first.data?.[member] ?? []), ...mine.rows].filter((row) => {
        const key = keyOf(row);
        return !seen.has(key) && seen.add(key);
    });
    const next = mine.next === undefined ? first.data?.next ?? null : mine.next;

    async function more() {
        if (loadingMore || next === null) return;
        setLoadingMore(true);
        const abort = new AbortController();
        running.current = abort;
        try {
            const page = await get(withQuery(path, {...query, limit, cursor: next}), {signal: abort.signal});
            setOlder({of: firstPath, rows: [...mine.rows, ...page[member]], next: page.next});
        } catch (error) {
            if (error.name !== 'AbortError') setOlder({...mine, of: firstPath, error});
        } finally {
            setLoadingMore(false);
        }
    }
    return {...first, error: first.error ?? mine.error ?? null, rows, hasMore: next !== null, more, loadingMore};
}
