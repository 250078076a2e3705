/** What failed in the last hour, by cause. */
import {withQuery} from '../../api.js';
import {Card} from '../../components/page.js';
import {Empty, StateView} from '../../components/state_view.js';
import {html} from '../../html.js';
import {useResource} from '../../resource.js';
import * as w from '../../words/now_details.js';
import {Causes} from './cause.js';

const HOUR_MS = 3_600_000;
const COUNTED_MAX = 200; // of each state
const states = ['failed', 'undelivered', 'expired'];

const pathOf = (state) => () => withQuery('v1/messages', {state, from: new Date(Date.now() - HOUR_MS).toISOString(), limit: COUNTED_MAX});

export function Failures() {
    const lists = states.map((state) => useResource(pathOf(state), {key: `${state} in the last hour`, on: [`message.${state}`], every: 60}));
    const waits = lists.find((list) => list.data === undefined);
    const messages = lists.flatMap((list) => list.data?.messages ?? []);
    return html`
        <${Card} title=${w.failures}>
            <${StateView} of=${waits ?? lists[0]} isEmpty=${() => messages.length === 0} empty=${html`<${Empty} title=${w.noFailures} />`}>${() => html`
                <${Causes} caption=${w.failures} messages=${messages} />`}<//>
        <//>`;
}
