/** Screens of more.js and more.css, which are read as soon as the first screen is there. */
import {Failure, Loading} from './components/state_view.js';
import {html, signal} from './html.js';
import {words} from './words/index.js';

const {more, style} = document.getElementById('app').dataset;
const address = new URL(more, document.baseURI).href;
const styleAddress = new URL(style, document.baseURI).href;
const state = signal({views: null, failed: false});
let reading = false;

function readStyle() {
    return new Promise((resolve, reject) => {
        const link = Object.assign(document.createElement('link'), {rel: 'stylesheet', href: styleAddress, onload: resolve, onerror: reject});
        document.head.append(link);
    });
}

/** Reads more.js and its style, once. */
export async function readMore() {
    if (reading || state.value.views) return;
    reading = true;
    try {
        const code = import(address);
        await readStyle();
        state.value = {views: await code, failed: false};
    } catch {
        // Most likely the gate was upgraded under the open page, so the file has another name now.
        state.value = {views: null, failed: true};
    }
    reading = false;
}

/** The View of that name. */
export const later = (name) => function Later(properties) {
    const {views, failed} = state.value;
    if (views) return html`<${views[name]} ...${properties} />`;
    if (failed) return html`<${Failure} error=${{message: words.errors.newVersion, advice: words.errors.newVersionAdvice}} retry=${() => location.reload()} />`;
    setTimeout(readMore); // what is drawn now comes first
    return html`<${Loading} />`;
};
