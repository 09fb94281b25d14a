import { assert, beforeAll, describe, it } from "@effect/vitest"
import { asksYesOrNo, isOfStatus, mailRefusal, mailWord } from "../../../src/kernel/people/mailRefusals.js"

let others = 0

/** What headings mean is remembered, for so many of them: after these each is read anew, by whatever was here before. */
beforeAll(() => {
  for (const end = others + 2_001; others < end; others++) mailWord(`something ${others}`, "yes")
})

const say = (
  word: ReturnType<typeof mailWord>,
  rows: ReadonlyArray<readonly [heading: string, ...ReadonlyArray<string>]>
) => {
  for (const [heading, ...values] of rows) {
    for (const value of values) assert.strictEqual(mailWord(heading, value), word, `${heading}: ${value}`)
  }
}

describe("a column that says whether people may be mailed", () => {
  it("says no in the words of CRMs and mail systems", () => {
    say("opted_out", [
      ["Email Opt Out", "1", "TRUE", "true", "Yes", "x", "✓", "2024-03-01", "01.03.2024 10:00", "Opted out"],
      ["HasOptedOutOfEmail", "true"],
      ["hs_email_optout", "true"],
      ["Unsubscribed from all email", "true", "Yes"],
      ["Opted out of email: Marketing Information", "true"],
      ["is_unsubscribed", "TRUE"],
      ["unsubscribed_at", "2024-01-01T10:00:00Z", "1700000000"],
      ["UNSUB_TIME", "2024-02-01 10:00:00"],
      ["UNSUB_REASON", "NORMAL"],
      ["UNSUB_CAMPAIGN_TITLE", "May"],
      ["Unsubscribed Mode", "Manual"],
      ["Opted Out Level", "Group"],
      ["OptOut", "T", "U"],
      ["Do not allow Emails", "Do Not Allow"],
      ["doNotEmail", "1"],
      ["Do Not Contact", "yes"],
      ["BLACKLISTED", "yes"],
      ["Person - Marketing status", "Unsubscribed"],
      ["Stage", "Do Not Contact", "Not Interested"],
      ["lead_category", "Do Not Contact"],
      ["lastState", "emailsUnsubscribed"],
      ["Email Marketing Consent", "UNSUBSCRIBED"],
      ["Email Suppressions", '["USER_SUPPRESSED"]'],
      ["ZB Status", "do_not_mail", "abuse", "spamtrap"],
      ["channels.email.subscribeStatus", "unsubscribed"],
      ["Tags", "vip, do-not-contact", "unsubscribed; lead"],
      ["Note", "Unsubscribed"],
      ["Marked email as spam", "true"]
    ])
  })

  it("says no where it asks the other way round", () => {
    say("opted_out", [
      ["Accepts Email Marketing", "no"],
      ["is_subscribed", "false", "0"],
      ["Consent", "withdrawn", "No", "revoked"],
      ["Can be contacted", "nein"]
    ])
    say("allowed", [
      ["is_subscribed", "true"],
      ["Accepts Email Marketing", "yes"],
      ["Consent", "granted"]
    ])
  })

  it("says no in other languages", () => {
    say("opted_out", [
      ["Abgemeldet", "ja", "wahr", "x", "12.03.2024"],
      ["Abgemeldet am", "12.03.2024"],
      ["Werbesperre", "X"],
      [
        "Status",
        "Abgemeldet",
        "désinscrit",
        "Dado de baja",
        "descadastrado",
        "Uitgeschreven",
        "отписан",
        "退订",
        "수신거부"
      ],
      ["Désinscrit", "oui", "VRAI"],
      ["Ne pas contacter", "Oui"],
      ["Dado de baja", "sí"],
      ["Não contatar", "Sim"],
      ["Disiscritto", "sì"],
      ["Niet mailen", "ja"],
      ["Avregistrerad", "ja"],
      ["Frameldt", "ja"],
      ["Wypisany", "tak"],
      ["Odhlášen", "ano"],
      ["Leiratkozott", "igen"],
      ["Отписан", "да"],
      ["配信停止", "はい", "1"],
      ["수신거부", "예"]
    ])
  })

  it("says no by each list's own words, as a heading and as a status", () => {
    for (const no of [
      "Unsubs",
      "Do not bulk email",
      "DNE",
      "Never email",
      "Removal requested",
      "Werbewiderspruch",
      "Nicht anschreiben",
      "Nicht zulassen",
      "Liste noire",
      "Desuscrito",
      "Cancelou inscrição",
      "Lista nera",
      "Kontakta inte",
      "Reservert",
      "Nie wysyłać",
      "Leiratkozás",
      "Aboneliği iptal",
      "Не беспокоить",
      "Απεγγραφή",
      "黑名单"
    ]) {
      say("opted_out", [
        [no, "1"],
        ["Status", no]
      ])
      say("allowed", [[no, "0"]])
    }
    say("opted_out", [
      ["No marketing", "1"],
      ["Kein Kontakt", "ja"],
      ["Note", "退订", "Abgemeldet"],
      ["Status", "Kein Interesse"],
      ["Zgoda", "nie"],
      ["Einwilligung", "nein"],
      ["Receives emails", "no"],
      ["Iscritto", "no"]
    ])
    say("bounced", [
      ["Unzustellbar", "ja"],
      ["Status", "Unzustellbar"]
    ])
    say("allowed", [
      ["Email Opt Out", "nie", "いいえ", "not opted out"],
      ["Status", "Inscrit"]
    ])
  })

  it("is read through accents, apostrophes, widths and invisible letters, and in languages without spaces", () => {
    say("opted_out", [
      ["De\u0301sinscrit", "oui"],
      ["ＯＰＴ ＯＵＴ", "yes"],
      ["Don't email", "yes"],
      ["Don’t e\u00ADmail", "yes"],
      ["会员已退订状态", "1"],
      ["수신동의상태", "수신동의 철회"]
    ])
    // Letters in the middle of another word are no word.
    say(null, [
      ["Redness", "1"],
      ["Subscriber id", "0"]
    ])
  })

  it("is read where a word says that something is not said", () => {
    say(null, [
      ["UNSUB_REASON", "n/a", "--", "[]", "", "  "],
      ["unsub_source", "https://us.test/u"],
      ["Note", "vip, unsubscribed", "dne", "spam", "active"],
      ["Email Opt Out", "declined"],
      ["Unsubscribed", "2"],
      ["Email bounce reason", "Temporary failure", "soft bounce"]
    ])
    say("opted_out", [
      ["UNSUB_REASON", "temporary", "they wrote to us that they want no more of it"],
      ["Unsubscribed", " 1700000000 ", `yes${" ".repeat(300)}x`],
      ["Tags", "one of the best we ever met, do not contact"],
      ["Unsubscribed emails", "2", "3,0"]
    ])
    say("allowed", [["UNSUB_REASON", "active"]])
    // Under a heading that asks nothing, only a short cell is looked at.
    say("opted_out", [["Note", `Do not contact${"!".repeat(16)}`]])
    say(null, [["Note", `Do not contact${"!".repeat(17)}`]])
    say(null, [[`${"x".repeat(300)} unsubscribed`, "yes"]])
  })

  it("is about mail where it is about telephones too, and not where it is about those alone", () => {
    say("opted_out", [
      ["SMS or email opt out", "yes"],
      ["Email and SMS opt out", "yes"]
    ])
    say(null, [
      ["Do not contact by phone", "yes"],
      ["Phone status", "Do not contact"]
    ])
  })

  it("says which columns ask for a yes or no, and which hold statuses", () => {
    const asked = ["Unsubscribed", "UNSUB_REASON", "Name", "Status", "Consent", "Phone status", "SMS opt out"]
    assert.deepStrictEqual(
      asked.map((heading) => [asksYesOrNo(heading), isOfStatus(heading)]),
      [
        [true, false],
        [false, false],
        [false, false],
        [false, true],
        [true, true],
        [false, false],
        [false, false]
      ]
    )
  })

  it("says that mail came back", () => {
    say("bounced", [
      ["Email Bounced", "true"],
      ["Email hard bounce reason", "UNKNOWN_USER"],
      ["Bounce message", "550 no such user"],
      ["Lead Status", "Bounced"],
      ["Status", "cleaned", "Hard bounce"],
      ["lastState", "emailsBounced"],
      ["Marketing emails bounced", "2"],
      ["Bounced message", "no such user"]
    ])
  })

  it("says that they may be mailed, or nothing", () => {
    say("allowed", [
      ["Email Opt Out", "0", "FALSE", "no", "0000-00-00 00:00:00"],
      ["Abgemeldet", "nein"],
      ["Do not allow Emails", "Allow"],
      ["Status", "Subscribed", "active"]
    ])
    say(null, [
      ["Email Opt Out", "", "-", "n/a", "[]", "Reply stop and I won't write again"],
      ["unsubscribe_link", "https://us.test/u", "1"],
      ["opt_out_line", "If not relevant, let me know"],
      ["opt_out_message", "Just say no"],
      ["Do Not Call", "true", "yes"],
      ["SMS opt out", "true"],
      ["SMS Marketing Consent", "UNSUBSCRIBED"],
      ["bounce_rate", "12%", "1"],
      ["Bounce type", "soft"],
      ["Status", "Replied", "New", "No contact"],
      ["Email Marketing Consent", "NEVER_SUBSCRIBED"],
      ["Marketing contact status", "Non-marketing contact"],
      ["Prioridad", "Baja"],
      ["State", "Baja California"],
      ["cleaned_company", "Acme"],
      ["cleaned_headcount", "250"],
      ["Deal stage", "Declined"],
      ["double_opt_in", "no"],
      ["OPTIN_TIME", "2024-01-01"],
      ["Notes", "They unsubscribed from a rival's mail", "Bounced"],
      ["topic", "suppression"],
      ["city", "No"],
      ["first_line", "You opted out of meetings, and I like it"]
    ])
  })

  it("of a row's cells a no counts before a bounce", () => {
    const cells = [
      ["Bounced", "yes"],
      ["Name", "Ann"],
      ["Opt out", "yes"]
    ] as const
    assert.deepStrictEqual(mailRefusal(cells), { heading: "Opt out", value: "yes", word: "opted_out" })
    assert.deepStrictEqual(mailRefusal(cells.slice(0, 2)), { heading: "Bounced", value: "yes", word: "bounced" })
    assert.isNull(mailRefusal([["Opt out", "no"]]))
  })
})
