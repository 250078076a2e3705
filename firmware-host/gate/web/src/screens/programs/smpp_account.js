/** One SMPP account: its figures and its sessions. */
import {Card, Empty, Facts, Page, StateView, Table, Time} from '../../components/index.js';
import {count} from '../../format.js';
import {html} from '../../html.js';
import {words} from '../../words/index.js';
import * as w from '../../words/programs.js';
import {BoundState, inFlight, Refusal, Unbind, useSmpp} from './smpp_accounts.js';

const columns = [
    {head: w.col.address, cell: (row) => row.address},
    {head: w.col.bind, cell: (row) => (w.binds[row.bind] ?? row.bind) + (row.tls ? w.overTls : '')},
    {head: w.col.since, cell: (row) => html`<${Time} at=${row.since} seconds />`},
    {head: w.col.requests, end: true, wide: true, cell: (row) => count(row.requests)},
    {head: w.col.inFlight, end: true, cell: (row) => count(row.in_flight)},
    {head: w.col.delivering, end: true, cell: (row) => count(row.delivering)},
    {head: w.col.refusal, cell: (row) => html`<${Refusal} of=${[row]} />`},
];

export function SmppAccount({name}) {
    const smpp = useSmpp();
    const account = smpp.data?.accounts.find((one) => one.name === name);
    const f = w.smppFacts;
    return html`
        <${Page} title=${name} back=${{to: '/programs', text: words.titles.programs}} actions=${account && html`<${Unbind} account=${account} reload=${smpp.reload} />`}>
            <${StateView} of=${smpp} isEmpty=${() => !account} empty=${html`<${Empty} title=${words.errors.notFound} />`}>${() => html`
                <${Card}><${Facts} of=${[
                    [f.link, html`<${BoundState} account=${account} />`], [f.sessions, w.ofMost(count(account.bound), count(account.sessions_max))], [f.inFlight, count(inFlight(account))],
                    [f.waiting, count(account.waiting)], [f.delivered, count(account.delivered)], [f.refused, count(account.refused)],
                    [f.throttled, count(account.throttled)], [f.rate, w.rate(account.rate_max)], [f.window, count(account.window)],
                ]} /><//>
                <${Card} title=${w.sessions}>${account.bound === 0
                    ? html`<${Empty} title=${w.noSessions}>${w.noSessionsHow}<//>`
                    : html`<${Table} stack caption=${w.sessions} columns=${columns} rows=${account.sessions} keyOf=${(row) => account.sessions.indexOf(row)} />
                        ${account.bound > account.sessions.length && html`<p class="more muted">${words.shown(count(account.sessions.length), count(account.bound))}</p>`}`}<//>`}<//>
        <//>`;
}
