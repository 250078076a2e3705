/** Sent and received per minute for the last hour, from the service and not from the life of this tab. */
import {withQuery} from '../../api.js';
import {Bars} from '../../components/bars.js';
import {Card} from '../../components/page.js';
import {StateView} from '../../components/state_view.js';
import {moment} from '../../format.js';
import {html} from '../../html.js';
import {useResource} from '../../resource.js';
import * as w from '../../words/now_details.js';

const MINUTE_MS = 60_000;
const sum = (values) => values.reduce((all, value) => all + value, 0);

/** The last 60 whole minutes. */
function path() {
    const end = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    return withQuery('v1/history', {step: '1m', from: new Date(end - 60 * MINUTE_MS).toISOString(), to: new Date(end).toISOString()});
}

export function Traffic() {
    const history = useResource(path, {key: 'history of the last hour', every: 10});
    return html`
        <${Card} title=${w.traffic} aside=${w.perMinute}>
            <${StateView} of=${history}>${({from, to, all}) => {
                const text = w.trafficText(moment(to), sum(all.sent), sum(all.received), sum(all.failed));
                return html`
                <${Bars} series=${[{name: w.sent, kind: 'busy', values: all.sent}, {name: w.received, kind: 'ok', values: all.received}, {name: w.failed, kind: 'bad', values: all.failed}]}
                    labels=${(at) => w.minute(moment(new Date(from).getTime() + at * MINUTE_MS), all.sent[at], all.received[at], all.failed[at])}
                    ends=${[w.hourAgo, w.nowEnd]} height=${120} text=${text} />
                <p class="muted">${text}</p>`;
            }}<//>
        <//>`;
}
