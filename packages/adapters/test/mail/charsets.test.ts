import { assert, describe, it } from "@effect/vitest"
import { readContent } from "@outbound/adapters/mail/received.js"
import iconv from "iconv-lite"

const message = (head: string, body: Uint8Array | string): Buffer =>
  Buffer.concat([Buffer.from(`From: Pat <pat@b.test>\r\n${head}\r\n\r\n`, "latin1"), Buffer.from(body as Uint8Array)])

const textIn = async (head: string, body: Uint8Array | string): Promise<string> =>
  (await readContent(message(head, body), false)).text.trim()

describe("a text's character set", () => {
  for (const [name, head, octets, text] of [
    ["ISO-2022-JP without a name", "Subject: x", Buffer.from("\x1b$B$3$s$K$A$O\x1b(B"), "こんにちは"],
    [
      "ISO-2022-JP as us-ascii",
      "Content-Type: text/plain; charset=us-ascii",
      Buffer.from("\x1b$B$3$s$K$A$O\x1b(B"),
      "こんにちは"
    ],
    ["UTF-7", "Content-Type: text/plain; charset=utf-7", Buffer.from("gut f+APw-r Sie"), "gut für Sie"],
    [
      "Windows punctuation in Latin 1",
      "Content-Type: text/plain; charset=iso-8859-1",
      Buffer.from("\x93Thursday\x94 \x96 fine", "latin1"),
      "“Thursday” – fine"
    ],
    ["raw octets of Windows 1252 without a name", "Subject: x", Buffer.from("f\xfcr Sie \x80", "latin1"), "für Sie €"],
    ["raw UTF-8 without a name", "Subject: x", Buffer.from("für Sie €"), "für Sie €"],
    ["UTF-8 as Latin 1", "Content-Type: text/plain; charset=iso-8859-1", Buffer.from("für Sie €"), "für Sie €"],
    [
      "Windows 1252 as UTF-8",
      "Content-Type: text/plain; charset=utf-8",
      Buffer.from("f\xfcr Sie", "latin1"),
      "für Sie"
    ],
    ["GBK", "Content-Type: text/plain; charset=gbk", iconv.encode("星期四可以", "gbk"), "星期四可以"],
    ["Shift JIS", "Content-Type: text/plain; charset=Shift_JIS", iconv.encode("木曜日", "shift_jis"), "木曜日"],
    [
      "EUC-KR under its old name",
      "Content-Type: text/plain; charset=ks_c_5601-1987",
      iconv.encode("목요일", "euc-kr"),
      "목요일"
    ],
    ["KOI8-R", "Content-Type: text/plain; charset=koi8-r", iconv.encode("четверг", "koi8-r"), "четверг"],
    ["a code page of DOS", "Content-Type: text/plain; charset=cp850", iconv.encode("für", "cp850"), "für"],
    [
      "UTF-8 as a Chinese set",
      "Content-Type: text/plain; charset=gb2312",
      Buffer.from("请不要再给我发邮件。"),
      "请不要再给我发邮件。"
    ],
    [
      "UTF-8 as KOI8-R",
      "Content-Type: text/plain; charset=koi8-r",
      Buffer.from("Больше не пишите."),
      "Больше не пишите."
    ],
    ...["windows-1251", "koi8-r"].flatMap((set) =>
      ["Subject: x", "Content-Type: text/plain; charset=iso-8859-1"].map(
        (head) =>
          [
            `${set} without its name, ${head}`,
            head,
            iconv.encode("Удалите меня из рассылки.", set),
            "Удалите меня из рассылки."
          ] as const
      )
    ),
    ...["shift_jis", "euc-jp"].map(
      (set) =>
        [
          `${set} without a name`,
          "Subject: x",
          iconv.encode("配信を停止してください。", set),
          "配信を停止してください。"
        ] as const
    ),
    ["GBK without a name", "Subject: x", iconv.encode("请不要再给我发邮件。", "gbk"), "请不要再给我发邮件。"],
    [
      "a set that HTML names in itself",
      "Content-Type: text/html",
      Buffer.concat([Buffer.from('<meta charset="windows-1251"><p>'), iconv.encode("Нет, не нужно", "win1251")]),
      "Нет, не нужно"
    ],
    [
      "Mac Roman under its old name",
      "Content-Type: text/plain; charset=x-mac-roman",
      iconv.encode("café", "macroman"),
      "café"
    ],
    ["an unknown name", "Content-Type: text/plain; charset=x-nonsense", Buffer.from("Thursday für"), "Thursday für"]
  ] as const) {
    it(`is read: ${name}`, async () => {
      assert.strictEqual(await textIn(head, octets), text)
    })
  }

  it("is read in a subject: raw octets, encoded words split within a character, UTF-7, and Windows punctuation", async () => {
    for (const [subject, said] of [
      ["Re: Frage f\xfcr Sie", "Re: Frage für Sie"],
      ["=?utf-8?Q?f=C3?= =?utf-8?Q?=BCr?= Sie", "für Sie"],
      ["=?utf-8?B?ZsO8?= =?utf-8?Q?r_Sie?=", "für Sie"],
      ["=?iso-8859-1?Q?=93Hello=94?=", "“Hello”"],
      [`=?utf-8?B?${Buffer.of(0xc3).toString("base64")}?= =?utf-8?B?${Buffer.of(0xbc).toString("base64")}?=`, "ü"],
      [`=?IBM850?B?${iconv.encode("für", "cp850").toString("base64")}?=`, "für"],
      ["=?utf-7?Q?f+APw-r?=", "für"],
      ["=?utf-8?Q?two words?=", "two words"]
    ] as const) {
      assert.strictEqual((await readContent(message(`Subject: ${subject}`, "x"), false)).subject, said)
    }
  })
})

describe("a message that is put together badly", () => {
  const multipart = (boundary: string, ...lines: ReadonlyArray<string>) =>
    textIn(`MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="${boundary}"`, lines.join("\r\n"))

  it("is read where its delimiter never occurs, or is another than it says", async () => {
    assert.strictEqual(await multipart("never", "Thursday is good."), "Thursday is good.")
    const part = ["--real", "Content-Type: text/plain", "", "Thursday is good.", "--real--"]
    assert.strictEqual(await multipart("never", ...part), "Thursday is good.")
  })

  it("is read where its type is half a type, or none, or wrong about it", async () => {
    assert.strictEqual(await textIn("Content-Type: text", "No thanks."), "No thanks.")
    assert.strictEqual(await textIn("Content-Type:", "No thanks."), "No thanks.")
    assert.strictEqual(await textIn("Content-Type:\r\n text/html", "<p>No thanks.</p>"), "No thanks.")
    const plain = "No thanks, please stop writing to us."
    assert.strictEqual(await textIn("Content-Type: text/plain\r\nContent-Transfer-Encoding: base64", plain), plain)
    const broken = "No thanks, please = \r\nstop."
    const printed = "Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable"
    assert.strictEqual(await textIn(printed, broken), "No thanks, please stop.")
  })

  it("is read where a program attached it, or enriched it", async () => {
    const part =
      "--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nNo thanks.\r\n--b--\r\n"
    assert.strictEqual(await textIn("Content-Type: multipart/mixed; boundary=b", part), "No thanks.")
    assert.strictEqual(await textIn("Content-Type: text/enriched", "<bold>No</bold> thanks."), "No thanks.")
  })

  it("returns a message of ours also as a file", async () => {
    const part =
      "--b\r\nContent-Type: application/octet-stream; name=a.eml\r\n\r\nMessage-ID: <m@acme.test>\r\n--b--\r\n"
    const { parts } = await readContent(message("Content-Type: multipart/mixed; boundary=b", part), false)
    assert.deepStrictEqual(
      parts.map(({ type }) => type),
      ["message/rfc822"]
    )
  })

  it("is read where a part is never closed", async () => {
    assert.strictEqual(
      await multipart("x", "--x", "Content-Type: text/plain", "", "Thursday is good."),
      "Thursday is good."
    )
  })

  it("says what its HTML says, where the text only says to read that", async () => {
    const alternative = (plain: string) =>
      textIn(
        'Content-Type: multipart/alternative; boundary="x"',
        `--x\r\nContent-Type: text/plain\r\n\r\n${plain}\r\n--x\r\nContent-Type: text/html\r\n\r\n<p>Donnerstag passt.</p>\r\n--x--`
      )
    for (const stub of [
      "Your client does not support HTML.",
      "This message needs an HTML capable mail program.",
      "  "
    ]) {
      assert.strictEqual(await alternative(stub), "Donnerstag passt.")
    }
    assert.strictEqual(await alternative("Thursday suits me."), "Thursday suits me.")
  })

  it("has a sender where an empty address comes before the one that counts", async () => {
    const raw = Buffer.from('From: "Buyer " <>, "LTD" <pat@b.test>\r\nSubject: x\r\n\r\nx')
    assert.strictEqual((await readContent(raw, false)).fromEmail, "pat@b.test")
  })
})
