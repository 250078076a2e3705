/** The newest lines of the service's log. */
import {Badge, Card, Empty, More, StateView, Table, Time} from '../../components/index.js';
import {html} from '../../html.js';
import {usePages} from '../../pages.js';
import * as w from '../../words/box.js';

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
    const lines = usePages('v1/log', 'log', {limit: 200, on: ['modem.', 'service.'], every: 3});
    return html`
        <${Card} title=${w.log} aside=${w.logLead}>
            <${StateView} of=${{...lines, optional: true}} isEmpty=${(data) => data.log.length === 0} empty=${html`<${Empty} title=${w.noLog} />`}>${() => html`
                <${Table} stack caption=${w.log} columns=${columns} rows=${lines.rows} /><${More} of=${lines} />`}<//>
        <//>`;
}
