/** What failed on one modem in a day, by cause. */
import {withQuery} from '../../api.js';
import {Ago, Card, Empty, StateView, Table} from '../../components/index.js';
import {count} from '../../format.js';
import {html} from '../../html.js';
import {useResource} from '../../resource.js';
import * as w from '../../words/modems.js';
import {Cause, byCause} from '../now/cause.js';

const DAY_MS = 86_400_000;
const READ_MAX = 1000; // newest failures of the whole rack

export function Causes({name}) {
    const path = () => withQuery('v1/messages', {state: 'failed', from: new Date(Date.now() - DAY_MS).toISOString(), limit: READ_MAX});
    const failed = useResource(path, {key: 'failed in a day', on: ['message.failed'], every: 60});
    const rowsOf = (data) => byCause(data.messages.filter((message) => message.modem === name));
    const columns = [
        {head: w.col.cause, cell: (row) => html`<${Cause} of=${row} />`},
        {head: w.col.count, end: true, cell: (row) => count(row.count)},
        {head: w.col.last, end: true, cell: (row) => html`<${Ago} at=${row.newest.updated_at} />`},
    ];
    return html`
        <${Card} title=${w.causes}>
            <${StateView} of=${failed} isEmpty=${(data) => rowsOf(data).length === 0} empty=${html`<${Empty} title=${w.noCauses} />`}>${(data) => html`
                <${Table} caption=${w.causes} columns=${columns} rows=${rowsOf(data)} keyOf=${(row) => row.key} to=${(row) => `/messages/${row.newest.id}`} />`}<//>
        <//>`;
}
