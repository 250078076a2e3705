/** Programs that name themselves: who is connected, and what waits for each. */
import {post} from '../../api.js';
import {Action, Ago, Badge, Card, Empty, More, StateView, Table} from '../../components/index.js';
import {count} from '../../format.js';
import {html} from '../../html.js';
import {usePages} from '../../pages.js';
import {can} from '../../store.js';
import {words} from '../../words/index.js';
import * as w from '../../words/programs.js';

function Link({client}) {
    if (client.manual === 'blocked') return html`<${Badge} kind="bad">${w.blocked}<//>`;
    const [word, kind] = w.links[client.link];
    return html`<${Badge} kind=${kind}>${word}<//>`;
}

function Deed({client, reload}) {
    const {name} = client;
    const order = (what) => async () => {
        await post(`v1/clients/${encodeURIComponent(name)}/${what}`, {});
        reload();
    };
    return client.manual === 'blocked'
        ? html`<${Action} kind="small" run=${order('open')} done=${w.didUnblock(name)}>${w.unblock}<//>`
        : html`<${Action} kind="small" run=${order('block')} done=${w.didBlock(name)} ask=${{effect: w.blockAsk(name, client.waiting), detail: w.blockDetail, action: w.block}}>${w.block}<//>`;
}

export function Clients() {
    const clients = usePages('v1/clients', 'clients', {on: ['client.', 'message.'], every: 10, gapMs: 1000, keyOf: (row) => row.name});
    const columns = [
        {head: w.col.name, cell: (row) => html`<strong>${row.name}</strong>`},
        {head: w.col.link, cell: (row) => html`<${Link} client=${row} />`},
        {head: w.col.waiting, end: true, cell: (row) => count(row.waiting)},
        {head: w.col.buffered, end: true, cell: (row) => count(row.buffered)},
        {head: w.col.lost, end: true, wide: true, cell: (row) => count(row.lost)},
        {head: w.col.heard, wide: true, cell: (row) => html`<${Ago} at=${row.heard_at ?? row.seen_at} />`},
        ...(can('admin') ? [{head: words.deed, end: true, cell: (row) => html`<${Deed} client=${row} reload=${clients.reload} />`}] : []),
    ];
    return html`
        <${Card} title=${w.clients}>
            <${StateView} of=${clients} isEmpty=${(data) => data.clients.length === 0} empty=${html`<${Empty} title=${w.noClients}>${w.noClientsHow}<//>`}>${() => html`
                <${Table} stack caption=${w.clients} columns=${columns} rows=${clients.rows} keyOf=${(row) => row.name} /><${More} of=${clients} />`}<//>
        <//>`;
}
