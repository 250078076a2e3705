// The build turns templates into calls: each must be the element that htm itself would make of the template.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compile_templates, htm } from './support/page_source.js';

const html = htm.bind((type, members, ...children) => ({ type, members: members ?? {}, children }));
const names = ['html', 'a', 'b', 'f', 'List'];
const values = [html, 'A', { x: 1, y: 2 }, (value) => value, function List() {}];

const evaluated = (code) => new Function(...names, `return (${code});`)(...values);
const called = (code) => {
  const call = (type, members, ...children) => ({ type, members: members ?? {}, children });
  return new Function(...names, `return (${compile_templates(code, htm)});`)(call, ...values.slice(1));
};

for (const [what, code] of [
  ['an element', 'html`<p>text</p>`'],
  ['one that closes itself', 'html`<input type="text" disabled />`'],
  ['a value between texts', 'html`<p>one ${a} two</p>`'],
  ['a value as attribute', 'html`<p class=${a} title="x">y</p>`'],
  ['a value inside of an attribute', 'html`<p class="one ${a} two">y</p>`'],
  ['spread members, and one after them', 'html`<p ...${b} class="z" />`'],
  ['a component with content', 'html`<${List} of=${b}>text<b>bold</b><//>`'],
  ['a template in a value', 'html`<ul>${[1, 2].map((n) => html`<li key=${n}>${n}</li>`)}</ul>`'],
  ['a template in an attribute', 'html`<${List} head=${html`<b>${a}</b>`} />`'],
  ['several roots', 'html`<p>1</p><p>2</p>`'],
  ['lines and indentation', 'html`\n    <div>\n        <p>1</p>\n        ${a}\n        two words\n    </div>`'],
  ['a plain template in a value', 'html`<p title=${`at ${a}, ${`in ${a}`}`} />`'],
  ['quotes, braces and backslashes', 'html`<p title=\'say "x"\'>{ } $ ${f("a}b")} ${f({ "}": 1 })["}"]}</p>`'],
  ['escapes', 'html`<input pattern="[a-z\\\\-]+" title="\\u00e9" />\\`\\${`'],
  ['a condition', 'html`<p>${a === "A" && html`<b>yes</b>`}${a === "B" ? html`<b>no</b>` : "no"}</p>`'],
  ['a regular expression and a division', 'html`<p>${f("a`b").replace(/[`"\'/]/g, "")} ${4 / 2 / 1}</p>`'],
  ['comments', '/* html`<p>` */ html`<p>${/* ` */ a}</p>` // `'.replace(/ \/\/ `$/, '')],
  ['a name that only ends like it', 'f(((xhtml) => xhtml`x`)((texts) => texts[0]))'],
]) {
  test(`templates: ${what} is made as htm makes it`, () => assert.deepEqual(called(code), evaluated(code)));
}

test('templates: code without one stays as it is', () => {
  const code = "const x = 1; // it's `code`\nconst y = /`/.test('html`') ? `a${x}` : x / 2;\n";
  assert.equal(compile_templates(code, htm), code);
});
