import { assert, describe, it } from "@effect/vitest"
import { formFlaws, formText } from "../src/http/FormText.js"

describe("the text of a query or a form", () => {
  it("is taken as it was sent", () => {
    for (const text of ["", "a=b", "a=%F0%9F%98%80&b=c+d", "a", "a=1&a=2"]) assert.deepStrictEqual(formFlaws(text), [])
    assert.strictEqual(formText(Buffer.from("a=ü")), "a=ü")
  })

  it("is refused where it would be read as another text, or can't be stored", () => {
    for (const [text, path] of [
      ["email=a%ED%A0%80@acme.test", "email"],
      ["email=%ff", "email"],
      ["q=%zz", "q"],
      ["q=%00", "q"],
      ["%00=q", ""],
      ["%ff=q", ""]
    ] as const) {
      assert.deepStrictEqual(
        formFlaws(`ok=1&${text}`).map((issue) => issue.path),
        [path]
      )
    }
    assert.isNull(formText(Buffer.from([0x61, 0x3d, 0xff])))
  })
})
