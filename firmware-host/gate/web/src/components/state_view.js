/** The four states of a screen or a part of it: empty, loading, error, too much. */
import {sentence} from '../headline.js';
import {html, useEffect, useState} from '../html.js';
import {words} from '../words/index.js';

/** Its content only after 200 ms, so that quick answers do not flicker. */
export function Later({children, ms = 200}) {
    const [shown, setShown] = useState(false);
    useEffect(() => {
        const timer = setTimeout(() => setShown(true), ms);
        return () => clearTimeout(timer);
    }, []);
    return shown ? children : null;
}

export const Loading = () => html`
    <${Later}><div class="skeleton"><span class="unseen">${words.loading}</span><i /><i /><i /></div><//>`;

/** What went wrong, its code, what to do, and a button to try again. */
export const Failure = ({error, retry}) => html`
    <div class="notice is-bad" role="alert">
        <h2>${error.status === 404 && error.code === 'not_found' ? words.errors.notFound : words.errors.heading}</h2>
        <p>${sentence(error.message)}</p>
        <p class="muted">${error.advice}</p>
        <p class="row">
            ${retry && html`<button type="button" onClick=${retry}>${words.retry}</button>`}
            <small class="muted">${words.errors.code} <code>${error.code ?? 'page'}</code></small>
        </p>
    </div>`;

/** Says what will be here, and which command or click fills it. */
export const Empty = ({title, command, children}) => html`
    <div class="empty">
        <p class="empty-title">${title}</p>
        ${children && html`<p class="muted">${children}</p>`}
        ${command && html`<p><code class="command">${command}</code></p>`}
    </div>`;

/**
 * Shows `children(data)` of a resource (useResource, usePages), or the state in its place. `isEmpty`
 * decides over the data; `empty` is what is shown then. Old data stays while a new read fails: the
 * bar of the frame says that it is old. Only what is `optional` goes when the service no longer has it (404).
 */
export function StateView({of, isEmpty = () => false, empty = null, children}) {
    if (of.optional && of.error?.status === 404) return html`<${Empty} title=${words.errors.notHere}>${sentence(of.error.message)}<//>`;
    if (of.data === undefined) {
        if (!of.error) return html`<${Loading} />`;
        return html`<${Failure} error=${of.error} retry=${of.reload} />`;
    }
    if (isEmpty(of.data)) return empty;
    return children(of.data);
}
