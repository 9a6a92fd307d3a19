import {execFileSync} from 'node:child_process'
import {mkdirSync, symlinkSync, truncateSync, writeFileSync, chmodSync} from 'node:fs'
import {dirname, join} from 'node:path'

const sentence = '返回值的字节数必须是32字节的整数倍，参数count表示参与计算的元素个数，取值范围为[1, 4096]。'

/** In letters: a number in a name or path can be that of a chip. */
export function nameOf(number: number): string {
  return `Scale${[...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`
}

/** A page that yields samples without code: nothing has to be compiled for them. */
export function goodPage(number: number): string {
  const name = nameOf(number)
  return [
    `# ${name}`,
    '## 功能说明',
    `${name}接口把源操作数的每个元素乘以标量，结果写入目的操作数，源操作数编号为${number}。`,
    '## 函数原型',
    `\`\`\`cpp\n__aicore__ inline void ${name}(LocalTensor<half>& dst, const int32_t&)\n\`\`\``,
    '## 参数说明',
    '| 参数名 | 输入/输出 | 描述 |',
    '| --- | --- | --- |',
    `| dst | 输出 | 目的操作数，地址需要${32 * (1 + (number % 8))}字节对齐。 |`,
    '| count | 输入 | 参与计算的元素个数，单位为元素。 |',
    '',
    '## 约束说明',
    `- ${name}的操作数地址必须32字节对齐。`,
    `- ${sentence}`,
    '',
  ].join('\n')
}

export interface DirtyPage {
  kind: string
  /** The reason of its drop; undefined for what must arrive. */
  reason: string | undefined
  /** Needs an account that permissions hold for. */
  unprivileged?: true
  plant(folder: string): void
}

const page = (kind: string, reason: string | undefined, name: string, content: string | Uint8Array): DirtyPage => ({
  kind,
  reason,
  plant: (folder) => writeFileSync(join(folder, name), content),
})

const good = goodPage(0)
function junk(kind: string, part: string, times: number, reason?: string): DirtyPage {
  return page(kind, reason, `${kind}.md`, `${good}\n\n${part.repeat(times)}\n`)
}
const noise = Uint8Array.from({length: 5000}, (_, n) => (n * 37 + (n >> 3)) % 256)
const latin = '<meta charset="iso-8859-1"><h1>Gr\xf6\xdfe</h1><p>Die Gr\xf6\xdfe der Bl\xf6cke, in Bytes.</p>'
const row = '<tr><td>element</td><td>bytes of it</td></tr>'
const broken = Buffer.concat([Buffer.from(good), Buffer.from([0xff, 0xc0]), Buffer.from(good)])
const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(good, 'utf16le')])
const indents = Array.from({length: 3000}, (_, n) => `${' '.repeat(n)}- x`).join('\n')
const spans = `<table>${`<tr>${'<td rowspan=100 colspan=100>x</td>'.repeat(10)}</tr>`.repeat(300)}</table>`

/** Everything that a folder of pages was seen to hold, or could be made to hold. */
export const dirtyPages: readonly DirtyPage[] = [
  {
    kind: 'name-in-latin-1',
    reason: 'name-not-utf-8',
    plant: (folder) => {
      writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from('gr\xf6\xdfe.md', 'latin1')]), good)
    },
  },
  {
    kind: 'folder-in-latin-1',
    reason: 'name-not-utf-8',
    plant: (folder) => {
      mkdirSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from('d\xff', 'latin1')]))
    },
  },
  page('tables-3000-deep', 'nested-too-deeply', 'tables.html', `<h1>T</h1>${'<table><tr><td>'.repeat(3000)}x`),
  page('divs-20000-deep', 'nested-too-deeply', 'divs.html', `<h1>T</h1>${'<div>'.repeat(20_000)}x`),
  page('tables-in-markdown', 'nested-too-deeply', 'tables.md', `${good}\n${'<table><tr><td>'.repeat(3000)}x`),
  {kind: 'pipe', reason: 'not-a-file', plant: (folder) => void execFileSync('mkfifo', [join(folder, 'pipe.md')])},
  {kind: 'folder-loop', reason: 'symbolic-link', plant: (folder) => symlinkSync('.', join(folder, 'loop'))},
  {kind: 'link-to-itself', reason: 'symbolic-link', plant: (folder) => symlinkSync('self.md', join(folder, 'self.md'))},
  {kind: 'link-out', reason: 'symbolic-link', plant: (folder) => symlinkSync('/etc/hostname', join(folder, 'out.md'))},
  {
    kind: 'half-a-gigabyte',
    reason: 'file-too-large',
    plant: (folder) => {
      writeFileSync(join(folder, 'huge.md'), good)
      truncateSync(join(folder, 'huge.md'), 500_000_000)
    },
  },
  page('empty', 'empty-page', 'empty.md', ''),
  page('binary', 'encoding-unknown', 'binary.md', noise),
  page('nul-bytes', 'encoding-unknown', 'nul.md', good.replaceAll('，', '\0')),
  page('broken-utf-8', 'encoding-unknown', 'broken.md', broken),
  page('latin-1', 'encoding-unknown', 'latin.html', Buffer.from(latin, 'latin1')),
  page('utf-16', undefined, 'utf16.md', utf16),
  page('entity-beyond-unicode', undefined, 'entity.md', `${good}\n&#99999999; &#xD800; &#0;\n`),
  page('name-with-mark-up', undefined, '<img src=x>\n`|.md', good),
  page('spans', undefined, 'spans.md', `${good}\n\n## 参数\n\n${spans}\n`),
  junk('anchors', '<a ', 30_000),
  junk('comments', '<!-- ', 30_000),
  junk('tables', '<table ', 20_000, 'nested-too-deeply'),
  junk('brackets', '[', 50_000),
  page('indents', undefined, 'indents.md', `${good}\n${indents}\n`),
  page('long-table', undefined, 'long-table.html', `<h1>T</h1><table>${row.repeat(4000)}</table>`),
  {
    kind: 'forbidden-page',
    reason: 'unreadable',
    unprivileged: true,
    plant: (folder) => {
      writeFileSync(join(folder, 'forbidden.md'), good)
      chmodSync(join(folder, 'forbidden.md'), 0)
    },
  },
  {
    kind: 'forbidden-folder',
    reason: 'unreadable',
    unprivileged: true,
    plant: (folder) => {
      mkdirSync(join(folder, 'forbidden'))
      writeFileSync(join(folder, 'forbidden/page.md'), good)
      chmodSync(join(folder, 'forbidden'), 0)
    },
  },
]

/** Writes `count` good pages over folders of 100 each. */
export function writeGoodPages(root: string, count: number): void {
  for (let number = 0; number < count; number += 1) {
    const path = join(root, nameOf(Math.floor(number / 100)), `${nameOf(number)}.md`)
    if (number % 100 === 0) mkdirSync(dirname(path), {recursive: true})
    writeFileSync(path, goodPage(number))
  }
}
