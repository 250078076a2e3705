/** The conversations with the newest messages. */
import {hrefOf} from '../../base.js';
import {Card, Link} from '../../components/page.js';
import {Empty, StateView} from '../../components/state_view.js';
import {Ago} from '../../components/time.js';
import {Snippet} from '../../components/text.js';
import {html} from '../../html.js';
import {useResource} from '../../resource.js';
import * as w from '../../words/now_details.js';


export function Conversations() {
    const list = useResource('v1/conversations?limit=5', {on: ['message.received', 'message.sent'], gapMs: 1000});
    return html`
        <${Card} title=${w.inbox} aside=${html`<${Link} to="/inbox">${w.allInbox}<//>`}>
            <${StateView} of=${list} isEmpty=${(data) => data.conversations.length === 0} empty=${html`<${Empty} title=${w.noInbox} />`}>${(data) => html`
                <ul class="talks">${data.conversations.map((one) => html`
                    <li key=${one.number} data-row><a href=${hrefOf(`/inbox/${encodeURIComponent(one.number)}`)}>
                        <span class="talk-head"><strong>${one.number}</strong><small class="muted"><${Ago} at=${one.last.at} /></small></span>
                        <span class="talk-text muted">${one.last.direction === 'sent' ? w.you : ''}<${Snippet} text=${one.last.text ?? w.notText} /></span></a></li>`)}</ul>`}<//>
        <//>`;
}
