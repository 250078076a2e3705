/** What administrators did: all of it, or what `fits(row)`. */
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

export function AuditList({fits = () => true}) {
    const calls = usePages('v1/audit', 'audit', {every: 5});
    const rows = calls.rows.filter(fits);
    return html`
        <${Card} title=${w.audit} aside=${w.auditLead}>
            <${StateView} of=${calls} isEmpty=${() => rows.length === 0 && !calls.hasMore} empty=${html`<${Empty} title=${w.noAudit} />`}>${() => html`
                <${Table} stack caption=${w.audit} columns=${columns} rows=${rows} /><${More} of=${calls} />`}<//>
        <//>`;
}
