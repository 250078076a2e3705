/** Webhooks: is each delivered, what waits, what is dead. */
import {post} from '../../api.js';
import {Action, Ago, Badge, Card, Empty, StateView, Table} from '../../components/index.js';
import {count} from '../../format.js';
import {html} from '../../html.js';
import {useResource} from '../../resource.js';
import {can} from '../../store.js';
import {words} from '../../words/index.js';
import * as w from '../../words/programs.js';

export const hookPath = (name) => `v1/webhooks/${encodeURIComponent(name)}`;

export function HookState({state}) {
    const [word, kind] = w.hookStates[state] ?? [state, 'off'];
    return html`<${Badge} kind=${kind}>${word}<//>`;
}

/** The answer of the receiver to the last try: what went wrong in words, or its status. */
export const lastOf = (hook) => hook.reason ?? (hook.last_status || words.none);

/** Sends the dead events of a webhook again; for two screens. */
export const Replay = ({hook, reload, small}) => hook.dead > 0 && can('admin') && html`
    <${Action} kind=${small ? 'small' : 'primary'} done=${(answer) => w.replayed(answer.events ?? hook.dead)}
        ask=${{effect: w.replayAsk(hook.name, hook.dead), detail: w.replayDetail, action: w.replay, danger: false, size: hook.dead, name: hook.name}}
        run=${async () => {
            const answer = await post(`${hookPath(hook.name)}/replay`, {state: 'dead'});
            reload();
            return answer;
        }}>${w.replay}<//>`;

export function Webhooks() {
    const hooks = useResource('v1/webhooks', {on: ['webhook.', 'message.'], every: 5});
    const columns = [
        {head: w.col.name, cell: (row) => row.name},
        {head: w.col.state, cell: (row) => html`<${HookState} state=${row.state} />`},
        {head: w.col.waiting, end: true, cell: (row) => count(row.waiting)},
        {head: w.col.dead, end: true, cell: (row) => count(row.dead)},
        {head: w.col.oldest, wide: true, cell: (row) => html`<${Ago} at=${row.oldest} />`},
        {head: w.col.last, wide: true, cell: lastOf},
        ...(can('admin') ? [{head: words.deed, end: true, cell: (row) => html`<${Replay} hook=${row} reload=${hooks.reload} small />`}] : []),
    ];
    return html`
        <${Card} title=${w.webhooks}>
            <${StateView} of=${{...hooks, optional: true}} isEmpty=${(data) => data.webhooks.length === 0}
                empty=${html`<${Empty} title=${w.noWebhooks} command=${w.noWebhooksCommand}>${w.noWebhooksHow}<//>`}>${(data) => html`
                <${Table} stack caption=${w.webhooks} columns=${columns} rows=${data.webhooks} keyOf=${(row) => row.name} to=${(row) => `/programs/webhooks/${encodeURIComponent(row.name)}`} />`}<//>
        <//>`;
}
