/** What administrators did. */
import {Card, Empty, More, StateView, Table, Time} from '../../components/index.js';
import {html} from '../../html.js';
import {usePages} from '../../pages.js';
import * as w from '../../words/box.js';

const columns = [
    {head: w.col.at, cell: (row) => html`<${Time} at=${row.at} seconds />`},
    {head: w.col.caller, cell: (row) => row.caller},
    {head: w.col.call, cell: (row) => html`<code>${row.call}</code>`},
    {head: w.col.status, end: true, cell: (row) => row.status},
];

export function AuditList() {
    const calls = usePages('v1/audit', 'audit', {every: 5});
    return html`
        <${Card} title=${w.audit} aside=${w.auditLead}>
            <${StateView} of=${calls} isEmpty=${(data) => data.audit.length === 0} empty=${html`<${Empty} title=${w.noAudit} />`}>${() => html`
                <${Table} stack caption=${w.audit} columns=${columns} rows=${calls.rows} /><${More} of=${calls} />`}<//>
        <//>`;
}
