/** The fleet that the box is in, as it sees it: nothing where it is in none. */
import {Badge, Card, Facts, StateView, Table} from '../../components/index.js';
import {count, decimal, duration} from '../../format.js';
import {html} from '../../html.js';
import {useResource} from '../../resource.js';
import * as w from '../../words/fleet.js';

const signs = {running: 'ok', silent: 'bad', draining: 'warn', dead: 'bad'};
const keptSigns = {cluster: 'ok', one_disk: 'warn', here: 'bad'};

const columns = [
    {head: w.col.name, cell: (row) => html`<strong>${row.name}</strong>${row.self && html` <span class="muted">${w.self}</span>`}`},
    {head: w.col.state, cell: (row) => html`<${Badge} kind=${signs[row.state] ?? 'off'}>${w.states[row.state] ?? row.state}<//>`},
    {head: w.col.site, wide: true, cell: (row) => row.site ?? ''},
    {head: w.col.version, wide: true, cell: (row) => row.version},
    {head: w.col.modems, end: true, cell: (row) => count(row.modems)},
    {head: w.col.rate, end: true, cell: (row) => decimal(row.messages_per_s)},
    {head: w.col.held, end: true, cell: (row) => count(row.held)},
    {head: w.col.firm, end: true, cell: (row) => count(row.firm)},
];

function Boxes() {
    const boxes = useResource('v1/cluster/boxes', {on: ['cluster.'], every: 5});
    return html`<${StateView} of=${{...boxes, optional: true}}>${(data) => html`
        <${Table} stack caption=${w.boxes} columns=${columns} rows=${data.boxes} keyOf=${(row) => row.name} />`}<//>`;
}

export function Fleet() {
    const fleet = useResource('v1/cluster', {on: ['cluster.'], every: 5});
    if (!fleet.data?.joined) return null;
    const {data} = fleet;
    return html`
        <${Card} title=${w.fleet}>
            <${Facts} of=${[
                [w.facts.name, data.name],
                [w.facts.kept, html`<${Badge} kind=${keptSigns[data.kept]}>${w.kept[data.kept]}<//>`],
                [w.facts.away, data.away_s === null ? null : w.away(duration(data.away_s), data.trouble)],
                [w.facts.waiting, count(data.waiting)],
                [w.facts.keptHere, data.kept_here === 0 ? null : count(data.kept_here)],
            ]} />
            <${Boxes} />
        <//>`;
}
