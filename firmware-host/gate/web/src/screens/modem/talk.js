/** One command to a modem. */
import {post} from '../../api.js';
import {Card, Failure, useAction} from '../../components/index.js';
import {html, useRef, useState} from '../../html.js';
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
