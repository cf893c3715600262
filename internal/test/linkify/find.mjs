// Finds the links of three programs in texts. Each line of standard input is a JSON
// object: {"text": "...", "spans": [[start, end], ...]}, where the spans are what a
// fourth program found. For each line it prints a JSON array with the links of each of
// the four programs: [start, end, host], where the offsets are in bytes of UTF-8 and the
// host is what a browser opens, "" if it opens none.
import { readFileSync } from 'node:fs'
import { domainToASCII } from 'node:url'
import { createRequire } from 'node:module'
import Autolinker from 'autolinker'
import { LinkifyIt } from 'linkify-it'
import * as linkifyjs from 'linkifyjs'

const tlds = createRequire(import.meta.url)('tlds')
const linkifyIt = new LinkifyIt({ fuzzyLink: true, fuzzyIP: true }).tlds(tlds)

const programs = [
  text => (linkifyIt.match(text) ?? []).map(m => [m.index, m.lastIndex, m.url]),
  text => linkifyjs.find(text).map(m => [m.start, m.end, m.href]),
  text => Autolinker.parse(text, { stripPrefix: false, phone: false }).map(m => {
    const start = m.getOffset()
    return [start, start + m.getMatchedText().length, m.getAnchorHref()]
  })
]

// hostOf returns the host that the URL, or the bare host or address, opens.
function hostOf (url) {
  const address = /^(?:mailto:)?[^:/?#@]+@([^?@/]+)/i.exec(url)
  if (address) return domainToASCII(address[1])
  const rest = url.replace(/^(?:[a-z][a-z0-9+.-]*:(?=[/\\])|(?:https?|ftps?|file):)/i, '')
  try {
    return new URL('http://' + rest.replace(/^[/\\]+/, '')).hostname
  } catch {
    return ''
  }
}

for (const line of readFileSync(0, 'utf8').split('\n')) {
  if (line === '') continue
  const { text, spans } = JSON.parse(line)
  const buffer = Buffer.from(text)
  const isASCII = buffer.length === text.length
  const bytes = i => isASCII ? i : Buffer.byteLength(text.slice(0, i))
  const all = programs.map(find => find(text).map(([start, end, url]) => [bytes(start), bytes(end), hostOf(url)]))
  all.push((spans ?? []).map(([start, end]) => [start, end, hostOf(buffer.subarray(start, end).toString())]))
  console.log(JSON.stringify(all))
}
