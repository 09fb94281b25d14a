import { assert, describe, it } from "@effect/vitest"
import { mailRefusal, mailWord } from "../../../src/kernel/people/mailRefusals.js"

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

  it("says that mail came back", () => {
    say("bounced", [
      ["Email Bounced", "true"],
      ["Email hard bounce reason", "UNKNOWN_USER"],
      ["Bounce message", "550 no such user"],
      ["Lead Status", "Bounced"],
      ["Status", "cleaned", "Hard bounce"],
      ["lastState", "emailsBounced"],
      ["Marketing emails bounced", "2"]
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
