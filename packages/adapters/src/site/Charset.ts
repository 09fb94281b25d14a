import { decodeBuffer } from "encoding-sniffer"

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i

/** What a `Content-Type` says the media type is, lower case; empty where it says nothing. */
export const mediaTypeOf = (contentType: string | undefined): string =>
  (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""

/** The text of a body, by its byte order mark, its header, its own `<meta>`, or as UTF-8, in this order. */
export const decodeText = (body: Buffer, contentType: string | undefined): string => {
  const label = CHARSET.exec(contentType ?? "")?.[1]
  return decodeBuffer(body, {
    ...(label === undefined ? {} : { transportLayerEncodingLabel: label }),
    defaultEncoding: "utf-8"
  })
}
