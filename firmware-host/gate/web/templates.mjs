// Turns the templates of the sources, html`<p class=${a}>${b}</p>`, into calls, html('p', { class: a }, b).
// So the page has no parser of templates, and is a tenth smaller.

// Where a value stands in a template. As a part of a text it leaves a mark; spread, a member of its name.
class Hole {
  constructor(code, at) {
    Object.defineProperty(this, 'code', { value: code }) // a spread takes what is enumerable
    Object.defineProperty(this, 'mark', { value: `\u0001${at}\u0002` })
    this[`\u0001${at}`] = true
  }

  toString() {
    return this.mark
  }
}

// What the text of a template is once its escapes are read.
const cooked = (text) => (text.includes('\\') ? new Function(`return \`${text}\``)() : text)

const names = /^[A-Za-z_$][\w$]*$/
const quoted = (text) => JSON.stringify(text)

function textOf(text, holes) {
  if (!text.includes('\u0001')) return quoted(text)
  const parts = text.split(/\u0001(\d+)\u0002/)
  const written = parts.map((part, at) => (at % 2 === 1 ? `\${${holes[part].code}}` : part.replace(/[`\\$]/g, '\\$&')))
  return `\`${written.join('')}\``
}

function valueOf(value, holes) {
  if (value instanceof Hole) return value.code
  if (value === true) return 'true'
  return typeof value === 'string' ? textOf(value, holes) : callOf(value, holes)
}

function memberOf([name, value], holes) {
  if (name.startsWith('\u0001')) return `...${holes[name.slice(1)].code}`
  return `${names.test(name) ? name : quoted(name)}: ${valueOf(value, holes)}`
}

function callOf(element, holes) {
  const members = Object.entries(element.members ?? {}).map((member) => memberOf(member, holes))
  const parts = [
    valueOf(element.type, holes),
    members.length > 0 ? `{ ${members.join(', ')} }` : 'null',
    ...element.children.map((child) => valueOf(child, holes)),
  ]
  return `html(${parts.join(', ')})`
}

// Reads one file. `at` moves on; what is not a template stays as it is.
class Reader {
  constructor(text, htm) {
    this.text = text
    this.htm = htm
    this.at = 0
  }

  // Until `end` outside of brackets, or the end of the file.
  code(end) {
    let out = ''
    for (let depth = 0; this.at < this.text.length; ) {
      const one = this.text[this.at]
      if (depth === 0 && one === end) return out
      if (one === '`') out += /(^|[^\w$.])html$/.test(out) ? this.template(out) : this.plainTemplate()
      else if (one === "'" || one === '"') out += this.skip(/(['"])(?:\\[^]|(?!\1)[^\\])*\1/y)
      else if (one === '/') out += this.slash(out)
      else {
        depth += '([{'.includes(one) ? 1 : ')]}'.includes(one) ? -1 : 0
        out += one
        this.at++
      }
      if (this.cut) {
        out = out.slice(0, this.cut.from) + this.cut.by
        this.cut = null
      }
    }
    return out
  }

  skip(pattern) {
    pattern.lastIndex = this.at
    const [found] = pattern.exec(this.text)
    this.at += found.length
    return found
  }

  // A comment, a regular expression, or a division.
  slash(before) {
    if (this.text[this.at + 1] === '/') return this.skip(/\/\/[^\n]*/y)
    if (this.text[this.at + 1] === '*') return this.skip(/\/\*[^]*?\*\//y)
    if (/(^|[(,=:[!&|?{};]|return|=>)\s*$/.test(before)) return this.skip(/\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+\/\w*/y)
    this.at++
    return '/'
  }

  // The texts of a template and the code between them.
  parts() {
    const texts = ['']
    const codes = []
    for (this.at++; this.text[this.at] !== '`'; ) {
      if (this.text.startsWith('${', this.at)) {
        this.at += 2
        codes.push(this.code('}'))
        texts.push('')
        this.at++
      } else texts[texts.length - 1] += this.skip(/\\[^]|[^\\]/y)
    }
    this.at++
    return { texts, codes }
  }

  plainTemplate() {
    const { texts, codes } = this.parts()
    return `\`${texts.map((text, at) => text + (at < codes.length ? `\${${codes[at]}}` : '')).join('')}\``
  }

  template(before) {
    const { texts, codes } = this.parts()
    const holes = codes.map((code, at) => new Hole(code.trim(), at))
    const made = this.htm.call((type, members, ...children) => ({ type, members, children }), texts.map(cooked), ...holes)
    const roots = [made].flat().map((root) => valueOf(root, holes))
    this.cut = { from: before.length - 'html'.length, by: roots.length === 1 ? roots[0] : `[${roots.join(', ')}]` }
    return ''
  }
}

/** The source with its templates as calls. */
export const compileTemplates = (text, htm) => new Reader(text, htm).code(null)
