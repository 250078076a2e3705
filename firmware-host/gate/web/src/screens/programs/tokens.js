/** Tokens, without their secrets: who has one, when it was used last, revocation. */
import {del} from '../../api.js';
import {Action, Ago, Badge, Card, Empty, StateView, Table, Time} from '../../components/index.js';
import {html} from '../../html.js';
import {useResource} from '../../resource.js';
import {session} from '../../store.js';
import {words} from '../../words/index.js';
import * as w from '../../words/programs.js';

function Revoke({token, reload}) {
    if (token.revoked) return html`<${Badge} kind="off">${w.revokedWord}<//>`;
    const own = token.name === session.value?.name;
    const run = async () => {
        await del(`v1/tokens/${encodeURIComponent(token.name)}`);
        reload();
    };
    return html`<${Action} kind="small danger" run=${run} done=${w.revoked(token.name)}
        ask=${{effect: w.revokeAsk(token.name), detail: own ? `${w.ownToken} ${w.revokeDetail}` : w.revokeDetail, action: w.revoke}}>${w.revoke}<//>`;
}

export function Tokens() {
    const tokens = useResource('v1/tokens', {every: 10});
    const columns = [
        {head: w.col.name, cell: (row) => html`<strong>${row.name}</strong>`},
        {head: w.col.role, cell: (row) => (row.masked ? `${row.role}, ${w.masked}` : row.role)},
        {head: w.col.made, wide: true, cell: (row) => html`<${Time} at=${row.made_at} />`},
        {head: w.col.expires, wide: true, cell: (row) => (row.expires_at ? html`<${Time} at=${row.expires_at} />` : w.never)},
        {head: w.col.used, cell: (row) => (row.used_at ? html`<${Ago} at=${row.used_at} />` : w.never)},
        {head: w.col.from, wide: true, cell: (row) => row.used_from ?? words.none},
        {head: words.deed, end: true, cell: (row) => html`<${Revoke} token=${row} reload=${tokens.reload} />`},
    ];
    return html`
        <${Card} title=${w.tokens}>
            <${StateView} of=${{...tokens, optional: true}} isEmpty=${(data) => data.tokens.length === 0} empty=${html`<${Empty} title=${w.noTokens} command=${w.noTokensCommand}>${w.noTokensHow}<//>`}>${(data) => html`
                <${Table} stack caption=${w.tokens} columns=${columns} rows=${data.tokens} keyOf=${(row) => row.name} />`}<//>
        <//>`;
}
