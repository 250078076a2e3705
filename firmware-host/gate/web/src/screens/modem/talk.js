/** One command to a modem, and what administrators did to it. */
import {post} from '../../api.js';
import {Card, Empty, Failure, More, StateView, Table, Time, useAction} from '../../components/index.js';
import {html, useRef, useState} from '../../html.js';
import {usePages} from '../../pages.js';
import * as w from '../../words/modems.js';

const members = {at: 'command', ussd: 'code'};

export function Talk({path}) {
    const [kind, setKind] = useState('at');
    const [said, setSaid] = useState(null);
    const field = useRef(null);
    const [send, busy] = useAction(async (text) => {
        setSaid(null);
        try {
            setSaid({answer: await post(`${path}/${kind}`, {[members[kind]]: text})});
        } catch (error) {
            setSaid({error});
        }
    }, {done: null});
    const submit = (event) => {
        event.preventDefault();
        if (field.current.value.trim()) send(field.current.value.trim());
    };
    return html`
        <${Card} title=${w.talk}>
            <form class="talk" onSubmit=${submit}>
                <select aria-label=${w.kind} value=${kind} onChange=${(event) => setKind(event.target.value)}>
                    <option value="at">${w.at}</option><option value="ussd">${w.ussd}</option></select>
                <input ref=${field} type="text" autocomplete="off" spellcheck="false" aria-label=${kind === 'at' ? w.at : w.ussd} placeholder=${kind === 'at' ? 'AT+CSQ' : '*100#'} />
                <button type="submit" disabled=${busy}>${w.sendAt}</button>
            </form>
            ${said?.answer && html`<pre class="answer" aria-label=${w.answer}>${[...said.answer.lines, said.answer.final].join('\n')}</pre>`}
            ${said?.error && html`<${Failure} error=${said.error} />`}
            <p class="muted above">${w.talkLead}</p>
        <//>`;
}

/** The service keeps calls of all modems in one list, so rows of others are left out here. */
export function Audit({name}) {
    const calls = usePages('v1/audit', 'audit', {limit: 200, on: ['modem.'], every: 5});
    const mine = calls.rows.filter((row) => row.call.includes(`/v1/modems/${name}/`));
    const columns = [
        {head: w.col.time, cell: (row) => html`<${Time} at=${row.at} seconds />`},
        {head: w.col.caller, cell: (row) => row.caller},
        {head: w.col.call, cell: (row) => row.call.split('/').at(-1)},
        {head: w.col.status, end: true, cell: (row) => row.status},
    ];
    return html`
        <${Card} title=${w.audit}>
            <${StateView} of=${calls} isEmpty=${() => mine.length === 0 && !calls.hasMore} empty=${html`<${Empty} title=${w.auditEmpty} />`}>${() => html`
                <${Table} caption=${w.audit} columns=${columns} rows=${mine} /><${More} of=${calls} />`}<//>
        <//>`;
}
