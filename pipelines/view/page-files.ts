import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {ownExtension, ownRoot} from '../../engine/own-package.ts'

/** The built page, by the names of its files; [] in a checkout that was not built. */
export function pageFiles(): {name: string; text: string}[] {
  const folder = join(ownRoot, ownExtension === '.js' ? '' : 'dist', 'pipelines/view/page')
  if (!existsSync(folder)) return []
  return ['index.html', 'page.js', 'page.css', 'rows-worker.js'].map((name) => ({
    ...{name, text: readFileSync(join(folder, name), 'utf8')},
  }))
}
