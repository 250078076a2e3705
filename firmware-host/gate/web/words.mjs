// Puts texts in their places: `w.title` of a screen's words becomes the text itself. A screen has hundreds of
// texts, most of them used once, so that their names would be a twentieth of more.js.
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const imports = /^import \* as (\w+) from '([^']*\/words\/[^']*)';$/gm

/** `code`, the source of the module `path`, with the texts of its words in place of their names. */
export async function inlineWords(path, code) {
  for (const [, local, from] of [...code.matchAll(imports)]) {
    const words = await import(pathToFileURL(resolve(dirname(path), from)))
    code = code.replace(new RegExp(`(?<![\\w$.])${local}((?:\\.\\w+)+)`, 'g'), (whole, members) => {
      const value = members.slice(1).split('.').reduce((of, name) => of?.[name], words)
      return typeof value === 'string' ? JSON.stringify(value) : whole
    })
  }
  return code
}
