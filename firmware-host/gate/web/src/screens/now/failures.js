/** What failed in the last hour, by cause. */
import {withQuery} from '../../api.js';
import {Card} from '../../components/page.js';
import {Empty, StateView} from '../../components/state_view.js';
import {Table} from '../../components/table.js';
import {Ago} from '../../components/time.js';
import {count} from '../../format.js';
import {html} from '../../html.js';
import {useResource} from '../../resource.js';
import * as w from '../../words/now_details.js';
import {Cause, byCause} from './cause.js';

const HOUR_MS = 3_600_000;
const COUNTED_MAX = 200; // of each state
const states = ['failed', 'undelivered', 'expired'];

const pathOf = (state) => () => withQuery('v1/messages', {state, from: new Date(Date.now() - HOUR_MS).toISOString(), limit: COUNTED_MAX});

export function Failures() {
    const lists = states.map((state) => useResource(pathOf(state), {key: `${state} in the last hour`, on: [`message.${state}`], every: 60}));
    const waits = lists.find((list) => list.data === undefined);
    const rows = byCause(lists.flatMap((list) => list.data?.messages ?? []));
    const columns = [
        {head: w.failed1, cell: (row) => html`<${Cause} of=${row} />`},
        {head: w.failedCount, end: true, cell: (row) => count(row.count)},
        {head: w.failedLast, end: true, cell: (row) => html`<${Ago} at=${row.newest.updated_at} />`},
    ];
    return html`
        <${Card} title=${w.failures}>
            <${StateView} of=${waits ?? lists[0]} isEmpty=${() => rows.length === 0} empty=${html`<${Empty} title=${w.noFailures} />`}>${() => html`
                <${Table} caption=${w.failures} columns=${columns} rows=${rows} keyOf=${(row) => row.key} to=${(row) => `/messages/${row.newest.id}`} />`}<//>
        <//>`;
}
