/** Tables. With `j` and `k` the focus moves along the rows, Enter follows the row's link. */
import {hrefOf} from '../base.js';
import {html, useEffect, useRef} from '../html.js';
import {words} from '../words/index.js';

/** A table that is wider than its place scrolls, so the keyboard must be able to reach it. */
function useScrollable() {
    const box = useRef(null);
    useEffect(() => {
        const sizes = new ResizeObserver(() => {
            const {scrollWidth, clientWidth} = box.current;
            if (scrollWidth > clientWidth) box.current.tabIndex = 0;
            else box.current.removeAttribute('tabindex');
        });
        sizes.observe(box.current);
        sizes.observe(box.current.firstElementChild);
        return () => sizes.disconnect();
    }, []);
    return box;
}

/**
 * `columns`: [{head, cell(row), end, wide}]: `end` aligns numbers to the right, `wide` leaves
 * the column out on narrow screens. `to(row)` is the path that the row opens; its first cell is then
 * a link. With `stack`, each row is a block of its own on narrow screens. `selected` is a Set of keys, with `onSelect(newSet)` each row has a box to tick.
 */
export function Table({caption, columns, rows, keyOf = (row) => row.id, to, selected, onSelect, classOf, stack}) {
    const all = onSelect && rows.length > 0 && rows.every((row) => selected.has(keyOf(row)));
    const tick = (key, on) => {
        const now = new Set(selected);
        if (on) now.add(key);
        else now.delete(key);
        onSelect(now);
    };
    const classes = (column) => [column.end && 'end', column.wide && 'wide'].filter(Boolean).join(' ') || undefined;
    const box = useScrollable();
    return html`
        <div class="table-box" ref=${box}>
        <table class=${[to && 'opens', stack && 'stacks'].filter(Boolean).join(' ') || undefined}>
            <caption class="unseen">${caption}</caption>
            <thead><tr>
                ${onSelect && html`<th class="tick"><label class="hit"><input type="checkbox" checked=${all} aria-label=${words.selectAll}
                    onChange=${(event) => onSelect(new Set(event.target.checked ? rows.map(keyOf) : []))} /></label></th>`}
                ${columns.map((column, at) => html`<th key=${at} scope="col" class=${classes(column)}>${column.head}</th>`)}
            </tr></thead>
            <tbody>
                ${rows.map((row) => {
                    const key = keyOf(row);
                    return html`<tr key=${key} data-row class=${classOf?.(row)}>
                        ${onSelect && html`<td class="tick"><label class="hit"><input type="checkbox" checked=${selected.has(key)} aria-label=${words.select(key)}
                            onChange=${(event) => tick(key, event.target.checked)} /></label></td>`}
                        ${columns.map((column, at) => html`<td key=${at} class=${classes(column)} data-head=${stack ? column.head : undefined}>${
                            at === 0 && to ? html`<a class="row-link" href=${hrefOf(to(row))}>${column.cell(row)}</a>` : column.cell(row)}</td>`)}
                    </tr>`;
                })}
            </tbody>
        </table>
        </div>`;
}
