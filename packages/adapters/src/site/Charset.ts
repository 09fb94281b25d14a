import { decodeBuffer } from "encoding-sniffer"

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i

/** The media type of a `Content-Type`, in lower case; empty if absent. */
export const mediaTypeOf = (contentType: string | undefined): string =>
  (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? ""

/** A body's text, decoded by its byte order mark, else its header, else its `<meta>`, else as UTF-8. */
export const decodeText = (body: Buffer, contentType: string | undefined): string => {
  const label = CHARSET.exec(contentType ?? "")?.[1]
  return decodeBuffer(body, {
    ...(label === undefined ? {} : { transportLayerEncodingLabel: label }),
    defaultEncoding: "utf-8"
  })
}
