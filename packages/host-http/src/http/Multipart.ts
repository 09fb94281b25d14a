import { decodeTable, NotText } from "../csv/decodeTable.js"
import { repaired, textFlaw } from "@outbound/domain/kernel/text.js"
import { fileNameOf } from "@outbound/domain/kernel/tables/UploadedRow.js"
import { utf8Text } from "./FormText.js"

export const isMultipart = (contentType: string): boolean => /^multipart\/form-data *;/i.test(contentType)

/**
 * The fields of a form with files, or null if it is malformed or its fields hold what is not UTF-8 text. A file is a
 * table: its text, whatever its encoding. `<name>_encoding` says what that was, `<name>_fault` why it is no text, `<name>_name` what the file is called.
 */
export const multipartForm = async (contentType: string, bytes: Buffer): Promise<URLSearchParams | null> => {
  const isUtf8 = utf8Text(bytes) !== null
  const form = new URLSearchParams()
  try {
    const parts = await new Response(new Uint8Array(bytes), { headers: { "content-type": contentType } }).formData()
    for (const [name, value] of parts) {
      if (textFlaw(name) !== null || (!isUtf8 && name.includes("\uFFFD"))) return null
      if (typeof value === "string") {
        if (textFlaw(value) !== null || (!isUtf8 && value.includes("\uFFFD"))) return null
        form.append(name, value)
      } else {
        const fileName = fileNameOf(value.name)
        if (fileName !== null) form.append(`${name}_name`, fileName)
        appendFile(form, name, new Uint8Array(await value.arrayBuffer()))
      }
    }
  } catch {
    return null
  }
  return form
}

const appendFile = (form: URLSearchParams, name: string, bytes: Uint8Array): void => {
  try {
    const { encoding, text } = decodeTable(bytes)
    form.append(name, repaired(text))
    if (bytes.length > 0) form.append(`${name}_encoding`, encoding)
  } catch (cause) {
    if (!(cause instanceof NotText)) throw cause
    form.append(name, "")
    form.append(`${name}_fault`, cause.message)
  }
}
