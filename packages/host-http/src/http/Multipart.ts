import { textFlaw } from "@outbound/domain/kernel/text.js"
import { utf8Text } from "./FormText.js"

export const isMultipart = (contentType: string): boolean => /^multipart\/form-data *;/i.test(contentType)

/** The fields of a form with files, each file as its text; null if it is malformed, or holds what is not UTF-8 text. */
export const multipartForm = async (contentType: string, bytes: Buffer): Promise<URLSearchParams | null> => {
  if (utf8Text(bytes) === null) return null
  const form = new URLSearchParams()
  try {
    const parts = await new Response(new Uint8Array(bytes), { headers: { "content-type": contentType } }).formData()
    for (const [name, value] of parts) {
      const text = typeof value === "string" ? value : await value.text()
      if (textFlaw(name) !== null || textFlaw(text) !== null) return null
      form.append(name, text)
    }
  } catch {
    return null
  }
  return form
}
