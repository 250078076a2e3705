/** Starts the page: who is logged in, then the screen that the address names. */
import './style/index.css';
import {get, post, startPulse} from './api.js';
import {Frame} from './components/frame.js';
import {Empty, Failure} from './components/state_view.js';
import {Page} from './components/page.js';
import {effect, html, render, useEffect} from './html.js';
import {startKeys} from './keys.js';
import {startLive} from './live.js';
import {answered, drawn, forgetAll, prefetch} from './resource.js';
import {readMore} from './later.js';
import {match, navigate, place} from './router.js';
import {screens} from './screens/index.js';
import {Login, loginError} from './screens/login.js';
import {can, session} from './store.js';
import {words} from './words/index.js';

export * from './kit.js';

const FIGURES_MS = 1000; // on a screen that has none
const DRAWN_MS = 30;     // what is drawn is on the screen by then

/** A one-time code in the fragment of the address (`#code=...`) logs in; it does not stay there. */
async function loginByFragment() {
    const code = new URLSearchParams(location.hash.slice(1)).get('code');
    if (!code) return null;
    history.replaceState(history.state, '', location.pathname + location.search);
    try {
        return await post('v1/session', {code});
    } catch (error) {
        loginError.value = error;
        return null; // an earlier login may still hold
    }
}

async function begin() {
    if (place.value.path === '/' && !location.hash) prefetch('v1/status'); // the first figures, one answer earlier
    try {
        session.value = (await loginByFragment()) ?? (await get('v1/session'));
    } catch (error) {
        session.value = error.status === 401 ? null : {failed: error};
    }
}

function Screen() {
    const {path} = place.value;
    const lost = path === '/' && !can('read'); // the figures are not for programs' tokens, their messages are
    useEffect(() => void (lost && navigate('/messages', {replace: true})), [lost]);
    for (const screen of screens) {
        const params = match(screen.path, path);
        if (!params) continue;
        if (!can(screen.role ?? 'read')) return html`<${Page} title=${screen.title}><${Empty} title=${words.errors.needsRole(screen.role ?? 'read')} /><//>`;
        return html`<${screen.View} key=${path} ...${params} />`;
    }
    return html`<${Page} title=${words.notThere}><p class="muted">${words.notThereAdvice}</p><//>`;
}

/** The stream, the other screens and the rest of this one come once the first figures are drawn. */
function useFirstFigures() {
    useEffect(() => {
        const begin = () => {
            drawn.value = true;
        };
        answered.then(() => requestAnimationFrame(() => setTimeout(begin, DRAWN_MS)));
        setTimeout(begin, FIGURES_MS);
    }, []);
}

function Inside() {
    useFirstFigures();
    const goes = drawn.value;
    useEffect(() => {
        if (goes) readMore();
        return goes ? startLive() : undefined;
    }, [goes]);
    useEffect(() => {
        const ends = [startKeys(), startPulse(), forgetAll];
        return () => ends.forEach((end) => end());
    }, []);
    return html`<${Frame}><${Screen} /><//>`;
}

function App() {
    const who = session.value;
    if (who === null) return html`<${Login} />`;
    if (who.failed) return html`<main class="alone"><${Failure} error=${who.failed} retry=${begin} /></main>`;
    return html`<${Inside} />`;
}

effect(() => document.documentElement.classList.toggle('is-in', session.value === undefined || Boolean(session.value?.role)));
// Until it is known who is logged in, the frame of index.html is there.
begin().then(() => {
    const app = document.getElementById('app');
    app.replaceChildren();
    render(html`<${App} />`, app);
});
