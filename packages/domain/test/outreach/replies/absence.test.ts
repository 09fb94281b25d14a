import { assert, describe, it } from "@effect/vitest"
import { understand } from "@outbound/domain/outreach/meaning/understood.js"
import { ABSENCES } from "./absences.js"
import { kindOf } from "./letters.js"

const returnsOn = (bodyText: string): string | null =>
  understand({
    classification: "out_of_office",
    fromEmail: "pat@b.test",
    bodyText,
    receivedAtMillis: Date.UTC(2026, 10, 24)
  }).returnsOn

describe("an absence", () => {
  for (const { day, language, subject, text } of ABSENCES) {
    it(`is known by its subject or its words alone (${language})`, () => {
      assert.strictEqual(kindOf({ text, subject, isNew: true }), "absence")
      if (day !== null) assert.strictEqual(returnsOn(text), "2026-12-04")
    })
  }

  it("is known by its words alone, without a mark in the subject", () => {
    for (const { isPlain, text } of ABSENCES) {
      if (isPlain) assert.strictEqual(kindOf({ text, isNew: true }), "absence", text)
    }
  })

  it("is known by the headers of autoresponders, whatever it says", () => {
    for (const headers of [
      { "auto-submitted": "auto-replied" },
      { "auto-submitted": "auto-replied (vacation)" },
      { precedence: "auto_reply" },
      { "x-autoreply": "yes" },
      { "auto-submitted": "auto-generated", "x-auto-response-suppress": "All", subject: "x" }
    ]) {
      assert.strictEqual(kindOf({ text: "Mwen pa la.", headers, subject: "Repons otomatik: Hello" }), "absence")
    }
  })

  it("is known where a program says more of it: who answers, that mail isn't read, its own mark", () => {
    for (const text of [
      "I'm on annual leave this week with limited connectivity. Your message will be picked up on 7 December. For anything pressing, ring our front desk on 0161 555 0100.",
      "Ann is attending a conference through Friday and will reply on her return.",
      "Unser Büro bleibt vom 23.12. bis 06.01. geschlossen. Wir wünschen frohe Feiertage!",
      "Actuellement en déplacement, je ne consulte pas régulièrement mes mails. Je vous répondrai dès mon retour.",
      "Estoy de baja por maternidad. Mi compañera Eva atenderá sus consultas: eva@acme.test",
      "Ik ben met zwangerschapsverlof en vanaf 1 maart weer bereikbaar. Je mail wordt niet gelezen.",
      "Jeg holder ferie og er tilbage mandag d. 7. december. Har du brug for hjælp inden da, så kontakt info@acme.test.",
      "Przebywam na urlopie do 4 grudnia. W pilnych sprawach proszę o kontakt z biurem: biuro@acme.test.",
      "Automatic reply: Re: Five minutes?\n\nThank you for your email. I am on annual leave.\n\nAnn Lee\nAcme Ltd"
    ]) {
      assert.strictEqual(kindOf({ text }), "absence", text)
    }
  })

  it("is a person's answer as soon as one clause says anything else, in any language", () => {
    for (const text of [
      "I'm travelling until Friday. Let us speak next week.",
      "I am on annual leave until 7 December. We already use Xero.",
      "I'm out until Tuesday, can do Wednesday at 10.",
      "Sorry, on sick leave until Monday. Try Bob at bob@acme.test instead, he does procurement.",
      "I am out of the office until 7 December and would rather you stopped writing.",
      "I am on leave until the 4th. Our budget is spent for this year.",
      "Ich bin bis 4.12. im Urlaub, danach gerne.",
      "Ich bin bis 4.12. nicht im Büro, aber für so etwas ist Herr Roe zuständig.",
      "Je suis en vacances jusqu'à lundi, on en parle à mon retour.",
      "Estoy de vacaciones hasta el lunes, hablamos luego.",
      "Sono in ferie fino al 4, comunque non ci serve.",
      "Ik ben op vakantie tot maandag, bel me daarna.",
      "Estou de férias até segunda, falamos depois.",
      "Jag är på semester till måndag, hör av dig då.",
      "Jestem na urlopie do poniedziałku, odezwij się potem.",
      "Jsem na dovolené do pondělí, ozvěte se pak.",
      "Sunt în concediu până luni, vorbim după.",
      "Pazartesiye kadar izindeyim, sonra konuşalım.",
      "Sono in ferie fino al 7 dicembre e abbiamo già un fornitore.",
      "Ik ben afwezig tot 7 december en we hebben al een leverancier.",
      "Jestem na urlopie do 7 grudnia i mamy już dostawcę.",
      "Jsem na dovolené do 7. prosince a nic nepotřebujeme.",
      "I am on leave and not reading sales mail. Stop.",
      "Я в отпуске до 4 декабря, нам это не нужно.",
      "月曜まで休暇中です。来週またご連絡ください。",
      "월요일까지 휴가입니다. 다음 주에 다시 연락 주세요."
    ]) {
      assert.strictEqual(kindOf({ text }), "reply", text)
    }
  })

  it("is a person's answer where it calls us by our name, which no program knows", () => {
    const headers = { to: "Max Seller <max@acme.test>" }
    const text = "Thanks Max. I am out of the office until Monday and will answer on my return."
    assert.strictEqual(kindOf({ text, headers }), "reply")
    assert.strictEqual(kindOf({ text: text.replace(" Max", ""), headers }), "absence")
  })

  it("is none that also answers, asks or quotes", () => {
    for (const text of [
      "I'm on vacation until 4 December. Could you send the prices meanwhile?",
      "Ich bin bis 4. Dezember im Urlaub, rufen Sie danach an. Können Sie ein Angebot schicken?",
      "I am out of the office until Monday.\n\nOn 3 Mar 2026 Jo <jo@acme.test> wrote:\n> Hi"
    ]) {
      assert.strictEqual(kindOf({ text }), "reply", text)
    }
  })
})
