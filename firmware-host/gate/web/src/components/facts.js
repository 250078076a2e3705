import {html} from '../html.js';

/** Names and values: [[name, value], ...]. Values of null are left out. */
export const Facts = ({of}) => html`
    <dl class="facts">${of.filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
