import {gunzipSync} from 'node:zlib'
import type {Embedded} from '../../pipelines/view/protocol.ts'

/** What a report has in place of a server. */
export function embeddedIn(html: string): Embedded {
  const [, packed = ''] = /id="embedded">([^<]*)</.exec(html) ?? []
  return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()) as Embedded
}
