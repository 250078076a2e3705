/** What failed in the last hour, by cause. */
import {get, withQuery} from '../../api.js';
import {Card} from '../../components/page.js';
import {Empty, StateView} from '../../components/state_view.js';
import {Table} from '../../components/table.js';
import {Ago} from '../../components/time.js';
import {count} from '../../format.js';
import {html, useEffect, useState} from '../../html.js';
import {useResource} from '../../resource.js';
import {words} from '../../words/index.js';
import {nowDetails as w} from '../../words/now_details.js';

const HOUR_MS = 3_600_000;
const CAUSES_MAX = 10;
const COUNTED_MAX = 200; // of each state
const states = ['failed', 'undelivered', 'expired'];

const pathOf = (state) => () => withQuery('v1/messages', {state, from: new Date(Date.now() - HOUR_MS).toISOString(), limit: COUNTED_MAX});

/** Rows of one cause each: {code, state, count, newest}, the most frequent first. */
export function byCause(messages) {
    const causes = new Map();
    for (const message of messages) {
        const key = `${message.state} ${message.code}`;
        const cause = causes.get(key) ?? {key, code: message.code, state: message.state, count: 0, newest: message};
        cause.count++;
        if (message.updated_at > cause.newest.updated_at) cause.newest = message;
        causes.set(key, cause);
    }
    return [...causes.values()].sort((a, b) => b.count - a.count).slice(0, CAUSES_MAX);
}

/** What a code means comes from the story of the newest message that has it. */
function useMeaning(id) {
    const [text, setText] = useState(null);
    useEffect(() => {
        let here = true;
        get(`v1/messages/${id}/explain`).then(({story}) => here && setText(story.at(-1)?.what ?? null)).catch(() => {});
        return () => {
            here = false;
        };
    }, [id]);
    return text;
}

function Cause({of}) {
    const meaning = useMeaning(of.newest.id);
    return html`<span>${meaning ?? of.code ?? w.noCode}</span><br /><small class="muted">${words.states[of.state][0]} <code>${of.code ?? ''}</code></small>`;
}

export function Failures() {
    const lists = states.map((state) => useResource(pathOf(state), {key: `${state} in the last hour`, on: [`message.${state}`], every: 60}));
    const waits = lists.find((list) => list.data === undefined);
    const rows = byCause(lists.flatMap((list) => list.data?.messages ?? []));
    const columns = [
        {key: 'cause', head: w.failed1, cell: (row) => html`<${Cause} of=${row} />`},
        {key: 'count', head: w.failedCount, end: true, cell: (row) => count(row.count)},
        {key: 'last', head: w.failedLast, end: true, cell: (row) => html`<${Ago} at=${row.newest.updated_at} />`},
    ];
    return html`
        <${Card} title=${w.failures}>
            <${StateView} of=${waits ?? lists[0]} isEmpty=${() => rows.length === 0} empty=${html`<${Empty} title=${w.noFailures} />`}>${() => html`
                <${Table} caption=${w.failures} columns=${columns} rows=${rows} keyOf=${(row) => row.key} to=${(row) => `/messages/${row.newest.id}`} />`}<//>
        <//>`;
}
