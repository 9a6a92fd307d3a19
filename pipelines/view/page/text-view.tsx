import type {ComponentChildren} from 'preact'
import {useMemo, useState} from 'preact/hooks'
import {parseBlocks, type Block} from '../../../datasets/blocks.ts'
import {bannerOf} from '../../../datasets/quoted-files.ts'
import {CodeView} from './code-view.tsx'
import {visible} from './code-lines.ts'
import {ScrollRegion} from './scroll-region.tsx'

/** Characters shown at first: a row may hold megabytes in one line. */
const atFirst = 60_000

/** A long text with a button for the rest of it. */
function Cut({text, children}: {text: string; children: (text: string) => ComponentChildren}) {
  const [shown, setShown] = useState(atFirst)
  if (text.length <= shown) return <>{children(text)}</>
  return (
    <>
      {children(text.slice(0, shown))}
      <p>
        <button type="button" onClick={() => setShown(shown * 4)}>
          Show more of {text.length.toLocaleString('en')} characters
        </button>
      </p>
    </>
  )
}

/** Markdown as a person reads it: headings, tables and code in colours; words stay as they are written. */
export function TextView({text}: {text: string}) {
  return <Cut text={text}>{(shown) => <Blocks text={shown} />}</Cut>
}

function Blocks({text}: {text: string}) {
  const blocks = useMemo(() => parseBlocks(text), [text])
  return (
    <div class="text">
      {blocks.map((block, at) => (
        <BlockView key={at} block={block} path={bannerOf(blocks[at - 1])} />
      ))}
    </div>
  )
}

function BlockView({block, path}: {block: Block; path: string}) {
  switch (block.kind) {
    case 'code':
      return <CodeView code={block.text} language={block.language} title={path} />
    case 'heading':
      return <p class="heading">{marked(block.text)}</p>
    case 'table':
      return <TableView source={block.source} />
    default:
      return bannerOf(block) === '' ? <p class="prose">{marked(block.source)}</p> : null
  }
}

/** `code` and **words** in their marks. */
export function marked(text: string): ComponentChildren {
  return visible(text)
    .split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/)
    .map((part, at) => {
      if (at % 2 === 0) return part
      return part.startsWith('`') ? <code key={at}>{part.slice(1, -1)}</code> : <b key={at}>{part.slice(2, -2)}</b>
    })
}

function TableView({source}: {source: string}) {
  const lines = source.split('\n')
  if (!lines[0]?.trim().startsWith('|')) return <p class="prose">{visible(source)}</p>
  const [head = [], , ...rows] = lines.map(cellsOf)
  return (
    <ScrollRegion label="table">
      <table>
        <thead>
          <tr>
            {head.map((cell, at) => (
              <th key={at}>{marked(cell)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, at) => (
            <tr key={at}>
              {cells.map((cell, column) => (
                <td key={column}>{marked(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

const cellsOf = (line: string) =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
