import {accessSync, constants} from 'node:fs'
import {join} from 'node:path'
import puppeteer, {type Browser} from 'puppeteer-core'

export type {Page} from 'puppeteer-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

/** The Chromium of this machine, without its window; it finds no other machine. */
export function openBrowser(): Promise<Browser> {
  const folders = (process.env['PATH'] ?? '').split(':')
  const executablePath = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram)
  if (executablePath === undefined) throw new Error(`The viewer is tested in a browser: install ${names[0]}.`)
  // Within a container there are no user namespaces for its own sandbox; the pages are ours.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1']
  return puppeteer.launch({executablePath, args})
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
