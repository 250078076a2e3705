// The build puts the texts of a screen in their places; what is no text stays a name.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { inline_words } from './support/page_source.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smsrack-words-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
fs.mkdirSync(path.join(folder, 'words'));
fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
fs.writeFileSync(path.join(folder, 'words/x.js'), `
  export const title = 'It\\'s "here"';
  export const col = {name: 'Name', ages: [1, 2]};
  export const many = (n) => n + ' rows';
`);
const head = "import * as w from './words/x.js';\n";

for (const [what, code, made] of [
  ['a text', 't("p",null,w.title)', 't("p",null,"It\'s \\"here\\"")'],
  ['a text of a group', '{head: w.col.name}', '{head: "Name"}'],
  ['a text in a template', '`${w.title}: ${n}`', '`${"It\'s \\"here\\""}: ${n}`'],
  ['a member of the text', 'w.col.name.length', 'w.col.name.length'],
  ['a function', 'w.many(3)', 'w.many(3)'],
  ['a group', 'Object.entries(w.col)', 'Object.entries(w.col)'],
  ['a list', 'w.col.ages[0]', 'w.col.ages[0]'],
  ['a name that is not there', 'w.missing', 'w.missing'],
  ['the member of another object', 'a.w.title + new.title', 'a.w.title + new.title'],
]) {
  test(`words: ${what}`, async () => assert.equal(await inline_words(path.join(folder, 'screen.js'), head + code), head + made));
}

test('words: a module without them stays as it is', async () => {
  assert.equal(await inline_words(path.join(folder, 'screen.js'), 'w.title'), 'w.title');
});
