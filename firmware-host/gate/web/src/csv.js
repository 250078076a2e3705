/** Tables of comma-separated values: reading those of people, writing ours. */

const breaks = /["\n\r,;\t]/;

/** A cell that a spreadsheet does not take for a formula. A plain number, also with a plus, is none. */
function cellOf(value) {
    let text = value === null || value === undefined ? '' : String(value);
    if (/^[=+\-@\t\r]/.test(text) && !/^[+-]?[0-9]+$/.test(text)) text = `'${text}`;
    return breaks.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows of objects as text, by these columns. */
export const csvOf = (columns, rows) =>
    [columns, ...rows.map((row) => columns.map((name) => row[name]))].map((cells) => cells.map(cellOf).join(',')).join('\r\n') + '\r\n';

/** Lets the browser save rows as a file. */
export function saveCsv(name, columns, rows) {
    const address = URL.createObjectURL(new Blob([csvOf(columns, rows)], {type: 'text/csv'}));
    const link = document.createElement('a');
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Of comma, semicolon and tab the one that the first line has most often. */
function separatorOf(text) {
    const line = text.slice(0, 4000).split(/\r?\n/, 1)[0].replace(/"[^"]*"/g, '');
    return [',', ';', '\t'].map((mark) => [line.split(mark).length, mark]).sort(([a], [b]) => b - a)[0][1];
}

/**
 * The rows of a text: [{line, cells}], `line` counted from 1. Cells may be in quotes, with line ends and
 * doubled quotes inside. Empty lines are left out. Stops behind `most` rows.
 */
export function parseCsv(text, most = Infinity) {
    if (text.startsWith('\ufeff')) text = text.slice(1);
    const mark = separatorOf(text);
    const rows = [];
    let cells = [];
    let line = 1;
    let begun = 1;
    let at = 0;
    const endRow = () => {
        if (cells.some((cell) => cell.trim() !== '')) rows.push({line: begun, cells: cells.map((cell) => cell.trim())});
        cells = [];
        begun = line;
    };
    while (at < text.length && rows.length < most) {
        let cell = '';
        if (text[at] === '"') {
            for (at++; at < text.length; at++) {
                if (text[at] === '"') {
                    if (text[at + 1] !== '"') break;
                    at++;
                }
                if (text[at] === '\n') line++;
                cell += text[at];
            }
            at++;
        }
        const from = at;
        while (at < text.length && text[at] !== mark && text[at] !== '\n' && text[at] !== '\r') at++;
        cells.push(cell + text.slice(from, at));
        if (text[at] === mark) {
            at++;
            if (at === text.length) cells.push('');
            continue;
        }
        if (text[at] === '\r') at++;
        if (text[at] === '\n') at++;
        line++;
        endRow();
    }
    if (cells.length > 0 && rows.length < most) endRow();
    return rows;
}
