import {useEffect, useState} from 'preact/hooks'

/** What is shown, as the address says it: `#/rows/sft?kind=kernel&row=12`. */
export interface Address {
  page: string
  /** E.g. the configuration whose rows are shown. */
  part: string
  params: URLSearchParams
}

function addressOf(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [page = '', part = ''] = path.split('/').map(decodeURIComponent)
  return {page, part, params: new URLSearchParams(query)}
}

/** Several values are several parameters; '' and undefined are omitted. */
export type Params = Readonly<Record<string, string | number | readonly string[] | undefined>>

export function hashOf(page: string, part = '', params: Params | URLSearchParams = {}): string {
  const query = params instanceof URLSearchParams ? params : new URLSearchParams(pairsOf(params))
  const path = ['', page, part].map(encodeURIComponent).join('/').replace(/\/$/, '')
  return query.size === 0 ? `#${path}` : `#${path}?${query}`
}

function pairsOf(params: Params): string[][] {
  return Object.entries(params).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((one) => (one === '' ? [] : [[name, String(one)]])),
  )
}

/** The same address with these parameters in place of those of their names. */
export function withParams({page, part, params}: Address, changes: Params): string {
  const next = new URLSearchParams(params)
  for (const name of Object.keys(changes)) next.delete(name)
  for (const [name = '', value = ''] of pairsOf(changes)) next.append(name, value)
  return hashOf(page, part, next)
}

/** Goes to an address; steps that nobody goes back to, such as a typed letter, replace the one before. */
export function go(hash: string, {replace = false} = {}): void {
  if (hash === location.hash) return
  if (!replace) location.hash = hash
  else {
    history.replaceState(null, '', hash)
    dispatchEvent(new HashChangeEvent('hashchange'))
  }
}

export function useAddress(): Address {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const follow = () => setHash(location.hash)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return addressOf(hash)
}
