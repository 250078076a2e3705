/** SMPP accounts: which is bound, what is in flight and what waits for it. */
import {post} from '../../api.js';
import {Action, Ago, Badge, Card, Empty, More, StateView, Table} from '../../components/index.js';
import {count} from '../../format.js';
import {html, useState} from '../../html.js';
import {useResource} from '../../resource.js';
import {can} from '../../store.js';
import {words} from '../../words/index.js';
import * as w from '../../words/programs.js';

const ROWS = 100;

/** The gate reports every 2 s, and no event says that an account bound. For two screens. */
export const useSmpp = () => ({...useResource('v1/smpp', {every: 2}), optional: true});

export const BoundState = ({account}) => (account.bound > 0 ? html`<${Badge} kind="ok">${w.bound}<//>` : html`<${Badge}>${w.notBound}<//>`);

export const inFlight = (account) => account.sessions.reduce((sum, session) => sum + session.in_flight, 0);

/** The newest refusal of some sessions. */
export function Refusal({of}) {
    const refused = of.filter((session) => session.last_refusal).sort((one, other) => (one.last_refusal_at < other.last_refusal_at ? 1 : -1))[0];
    return refused ? html`<span><code>${refused.last_refusal}</code> <small class="muted"><${Ago} at=${refused.last_refusal_at} /></small></span>` : words.none;
}

/** Ends the sessions of an account; for two screens. */
export const Unbind = ({account: {name, bound}, reload, small}) => bound > 0 && can('admin') && html`
    <${Action} kind=${small ? 'small' : 'danger'} done=${w.didUnbind(name)} ask=${{effect: w.unbindAsk(name, bound), detail: w.unbindDetail, action: w.unbind}}
        run=${async () => {
            await post(`v1/smpp/${encodeURIComponent(name)}/unbind`, {});
            reload();
        }}>${w.unbind}<//>`;

export function SmppAccounts() {
    const smpp = useSmpp();
    const [most, setMost] = useState(ROWS);
    const columns = [
        {head: w.col.name, cell: (row) => row.name},
        {head: w.col.link, cell: (row) => html`<${BoundState} account=${row} />`},
        {head: w.col.sessions, end: true, cell: (row) => w.ofMost(count(row.bound), count(row.sessions_max))},
        {head: w.col.inFlight, end: true, cell: (row) => count(inFlight(row))},
        {head: w.col.waiting, end: true, cell: (row) => count(row.waiting)},
        {head: w.col.refusal, cell: (row) => html`<${Refusal} of=${row.sessions} />`},
        ...(can('admin') ? [{head: words.deed, end: true, cell: (row) => html`<${Unbind} account=${row} reload=${smpp.reload} small />`}] : []),
    ];
    return html`
        <${Card} title=${w.smpp}>
            <${StateView} of=${smpp} isEmpty=${({accounts}) => accounts.length === 0} empty=${html`<${Empty} title=${w.noSmpp} command=${w.noSmppCommand}>${w.noSmppHow}<//>`}>${({accounts}) => {
                const rows = accounts.slice(0, most);
                return html`
                <${Table} stack caption=${w.smpp} columns=${columns} rows=${rows} keyOf=${(row) => row.name} to=${(row) => `/programs/smpp/${encodeURIComponent(row.name)}`} />
                <${More} of=${{rows, hasMore: accounts.length > most, more: () => setMost(most + ROWS)}} total=${accounts.length} />`;
            }}<//>
        <//>`;
}
