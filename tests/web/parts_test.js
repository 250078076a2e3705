// Parts of the page that need no browser: files of people, spreadsheets, and how fast a batch goes.
import assert from 'node:assert/strict';
import test from 'node:test';
import { rateOf, sizesOf } from '../../firmware-host/gate/web/src/batch_rate.js';
import { csvOf, parseCsv } from '../../firmware-host/gate/web/src/csv.js';

const cells = (text, most) => parseCsv(text, most).map((row) => row.cells);

for (const [what, text, rows] of [
  ['commas', 'a,b\n1,2\n', [['a', 'b'], ['1', '2']]],
  ['semicolons, as German spreadsheets write them', 'a;b\r\n1;2,5\r\n', [['a', 'b'], ['1', '2,5']]],
  ['tabs', 'a\tb\n1\t2', [['a', 'b'], ['1', '2']]],
  ['quotes with the mark, a line end and a quote inside', 'a,b\n"x, y","one\ntwo ""three"""\n', [['a', 'b'], ['x, y', 'one\ntwo "three"']]],
  ['a mark of octet order', '\ufeffa,b\n', [['a', 'b']]],
  ['empty lines and an empty last cell', 'a,b\n\n1,\n , \n', [['a', 'b'], ['1', '']]],
  ['a quote that never ends', 'a\n"b', [['a'], ['b']]],
  ['a quote inside a cell', 'a\n5" pipe\n', [['a'], ['5" pipe']]],
  ['nothing', '', []],
]) {
  test(`a file of lines: ${what}`, () => assert.deepEqual(cells(text), rows));
}

test('a file of lines: a row knows its line, also behind a cell of several', () => {
  assert.deepEqual(parseCsv('a,b\n"x\ny",1\n\n2,3\n').map((row) => row.line), [1, 2, 5]);
});

test('a file of lines: a bound ends the reading', () => {
  assert.equal(parseCsv('a\n'.repeat(1000), 10).length, 10);
});

test('a spreadsheet takes no cell for a formula, and a number stays one', () => {
  const rows = ['=1+1', '+33612345678', '-cmd|x', '@sum', '\t=1', '-5', 'plain, "quoted"', null].map((a) => ({ a }));
  assert.equal(csvOf(['a'], rows), "a\r\n'=1+1\r\n+33612345678\r\n'-cmd|x\r\n'@sum\r\n\"'\t=1\"\r\n-5\r\n\"plain, \"\"quoted\"\"\"\r\n\r\n");
});

test('what is written is read again', () => {
  const rows = [{ to: '+33612345678', text: 'a "b", c\nd' }, { to: '+33612345679', text: 'žluť €' }];
  assert.deepEqual(cells(csvOf(['to', 'text'], rows)), [['to', 'text'], ...rows.map(({ to, text }) => [to, text])]);
});

const batch = (queued, delivered) => ({ batch: `b${queued + delivered}`, total: queued + delivered, messages: { queued, delivered } });

test('the rate of a batch is that of its last minute; before, it is not known', () => {
  assert.deepEqual(rateOf(batch(100, 0), 1_000_000), { perS: null, endsInS: null });
  assert.deepEqual(rateOf(batch(50, 50), 1_010_000), { perS: 5, endsInS: 10 });
  assert.deepEqual(rateOf(batch(0, 100), 1_020_000), { perS: null, endsInS: null });
});

test('a batch of which nothing leaves has no end', () => {
  rateOf(batch(200, 0), 1_000_000);
  assert.deepEqual(rateOf(batch(200, 0), 1_030_000), { perS: null, endsInS: null });
});

test('what was removed from a batch counts as over', () => {
  assert.deepEqual(sizesOf({ total: 10, messages: { queued: 2, delivered: 3 } }), { left: 2, over: 8, total: 10 });
});
