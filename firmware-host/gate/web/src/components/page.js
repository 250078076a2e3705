/** The parts of every screen: its heading with actions, cards, links. */
import {hrefOf} from '../base.js';
import {html, useEffect} from '../html.js';
import {words} from '../words/index.js';

/** A screen: its heading, what can be done on the right of it, its content. Names the tab, as `tab` where that says more. */
export function Page({title, tab = title, lead, actions, children, back}) {
    useEffect(() => {
        document.title = `${tab} · ${words.product}`;
    }, [tab]);
    return html`
        <div class="page-head">
            <div>${back && html`<${Link} to=${back.to} class="back">‹ ${back.text}<//>`}
                <h1 tabindex="-1">${title}</h1>${lead && html`<p class="lead">${lead}</p>`}</div>
            ${actions && html`<div class="row">${actions}</div>`}
        </div>
        ${children}`;
}

/** A section of a screen in a frame of its own. */
export const Card = ({title, aside, children, class: more}) => html`
    <section class=${`card ${more ?? ''}`}>
        ${title && html`<header class="card-head"><h2>${title}</h2>${aside && html`<div class="muted">${aside}</div>`}</header>`}
        ${children}
    </section>`;

export const Link = ({to, children, class: more, ...others}) => html`<a href=${hrefOf(to)} class=${more} ...${others}>${children}</a>`;
