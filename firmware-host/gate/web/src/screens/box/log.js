/** The newest lines of the service's log. */
import {Badge, Card, Empty, More, StateView, Table, Time} from '../../components/index.js';
import {html} from '../../html.js';
import {usePages} from '../../pages.js';
import {place, setQuery} from '../../router.js';
import * as w from '../../words/box.js';

const shown = {'': ['error', 'warn', 'info', 'debug', 'trace'], warn: ['error', 'warn'], error: ['error']};

const columns = [
    {head: w.col.at, cell: (row) => html`<${Time} at=${row.at} seconds />`},
    {head: w.col.level, cell: (row) => {
        const [word, kind] = w.levels[row.level] ?? [row.level, 'off'];
        return html`<${Badge} kind=${kind}>${word}<//>`;
    }},
    {head: w.col.event, cell: (row) => html`<code>${row.event}</code>`},
    {head: w.col.fields, cell: (row) => html`<code class="muted">${row.fields}</code>`},
];

export function Log() {
    const level = place.value.query.get('level') ?? '';
    const lines = usePages('v1/log', 'log', {limit: 200, on: ['modem.', 'service.'], every: 3});
    const rows = lines.rows.filter((row) => (shown[level] ?? shown['']).includes(row.level));
    const choice = html`<label>${w.logFilter} <select value=${level} onChange=${(event) => setQuery({level: event.target.value})}>
        ${Object.entries(w.logLevels).map(([value, word]) => html`<option key=${value} value=${value}>${word}</option>`)}</select></label>`;
    return html`
        <${Card} title=${w.log} aside=${choice}>
            <p class="muted">${w.logLead}</p>
            <${StateView} of=${{...lines, optional: true}} isEmpty=${() => rows.length === 0} empty=${html`<${Empty} title=${w.noLog} />`}>${() => html`
                <${Table} stack caption=${w.log} columns=${columns} rows=${rows} /><${More} of=${lines} />`}<//>
        <//>`;
}
