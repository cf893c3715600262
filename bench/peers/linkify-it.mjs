// Counts the links that linkify-it finds in the messages of each further file, as often as the second
// argument says. The first argument is the folder with node_modules. For each file it prints the
// nanoseconds of processor time of the fastest pass and the number of links. A form feed and a newline
// separate messages.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const [folder, passes, ...files] = process.argv.slice(2)
const require = createRequire(folder + '/')
const { LinkifyIt } = require('linkify-it')
const linkifyIt = new LinkifyIt({ fuzzyLink: true }).tlds(require('tlds'))

for (const file of files) {
  const messages = readFileSync(file, 'utf8').split('\f\n')
  let best = Infinity
  let links = 0
  for (let i = 0; i < passes; i++) {
    const begin = process.cpuUsage()
    links = 0
    for (const m of messages) links += (linkifyIt.match(m) ?? []).length
    const used = process.cpuUsage(begin)
    best = Math.min(best, used.user + used.system)
  }
  console.log(best * 1000, links)
}
