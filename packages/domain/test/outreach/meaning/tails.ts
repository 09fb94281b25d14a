/** What programs, companies and habits put below an answer: it changes nothing of what the answer says. */

const OURS = [
  "Hello Pat,",
  "",
  "we help depots to plan tours. Would you like to see it? If not, say stop and I remove you from the list.",
  "",
  "Jo",
  "",
  "--",
  "Acme Ltd, 1 Main St",
  "Unsubscribe: https://out.acme.test/u/abc"
].join("\n")

const quoted = OURS.split("\n")
  .map((line) => `> ${line}`.trimEnd())
  .join("\n")
const barred = OURS.split("\n")
  .map((line) => `| ${line}`.trimEnd())
  .join("\n")

/** Notices of confidentiality, scanners, printing, registers, privacy and newsletters, in the ways that companies write them. */
export const NOTICES: ReadonlyArray<readonly [name: string, tail: string]> = [
  [
    "en: intended recipient",
    "This e-mail and any files transmitted with it are confidential and intended solely for the use of the individual or entity to whom they are addressed. If you have received this e-mail in error please notify the system manager and remove it from your system. If you are not the named addressee you should not disseminate, distribute or copy this e-mail."
  ],
  [
    "en: do not contact",
    "CONFIDENTIALITY NOTICE: The contents of this message are privileged. If you are not the intended recipient, stop reading, do not forward it, delete it from your mailbox and let the sender know."
  ],
  ["en: scanner", "This email has been scanned for viruses by Gatewatch. Click here to report this email as spam."],
  ["en: printing", "Please consider the environment before printing this email."],
  [
    "en: register",
    "Buyer Logistics Ltd is registered in England and Wales, company number 01234567. Registered office: 2 Dock Road, Hull. VAT No GB 123 4567 89."
  ],
  [
    "en: customers",
    "You are getting this because you are one of our customers. Click here to unsubscribe or to change what we send you."
  ],
  [
    "en: what mail can't promise",
    "PLEASE NOTE: the security of e-mail can't be guaranteed, and calls may be recorded. We do not accept service of documents by e-mail."
  ],
  [
    "en: privacy",
    "What we do with personal data, and how you have it erased, is described in our privacy statement: https://buyer.example/p"
  ],
  ["de: keine Neuigkeiten", "Keine Neuigkeiten mehr? Klicken Sie hier, um sich vom Newsletter abzumelden."],
  ["fr: plus d'actualités", "Vous ne voulez plus de nos actualités ? Désinscrivez-vous ici : https://buyer.example/d"],
  ["nl: geen aanbiedingen", "Geen aanbiedingen meer? Meld je hier af."],
  ["en: newsletter", "You can unsubscribe from our newsletter at any time: https://buyer.example/unsubscribe"],
  [
    "en: views",
    "Any views or opinions expressed are those of the author and do not necessarily represent those of the company, which accepts no liability for the content of this message."
  ],
  [
    "en: monitored",
    "We may monitor incoming and outgoing communications. No warranty is given that this message is free of viruses, and no liability is accepted for any damage."
  ],
  [
    "de: vertraulich",
    "Diese E-Mail enthält vertrauliche und/oder rechtlich geschützte Informationen. Wenn Sie nicht der richtige Adressat sind oder diese E-Mail irrtümlich erhalten haben, informieren Sie bitte sofort den Absender und löschen Sie diese E-Mail. Das unerlaubte Kopieren sowie die unbefugte Weitergabe sind nicht gestattet."
  ],
  [
    "de: register",
    "Käufer GmbH, Hafenstr. 1, 28195 Bremen\nAmtsgericht Bremen, HRB 12345\nGeschäftsführer: Eva Muster, USt-IdNr. DE123456789"
  ],
  ["de: drucken", "Bitte denken Sie an die Umwelt, bevor Sie diese E-Mail ausdrucken."],
  [
    "de: datenschutz",
    "Informationen zur Verarbeitung Ihrer personenbezogenen Daten und zu Ihren Rechten auf Auskunft, Löschung und Widerspruch finden Sie in unserer Datenschutzerklärung: https://kaeufer.example/datenschutz"
  ],
  [
    "fr: confidentiel",
    "Ce message et toutes les pièces jointes sont confidentiels et établis à l'intention exclusive de ses destinataires. Si vous recevez ce message par erreur, merci de le détruire et d'en avertir immédiatement l'expéditeur. Toute diffusion ou publication est interdite."
  ],
  ["fr: imprimer", "Avant d'imprimer cet e-mail, pensez à l'environnement."],
  [
    "fr: donnees",
    "Vous disposez d'un droit d'accès, de rectification et de suppression de vos données personnelles : consultez notre politique de confidentialité."
  ],
  [
    "es: confidencial",
    "Este mensaje y sus archivos adjuntos van dirigidos exclusivamente a su destinatario y pueden contener información confidencial. Si lo ha recibido por error, le rogamos que lo comunique al remitente y lo elimine. Queda prohibida su divulgación."
  ],
  [
    "es: rgpd",
    "En cumplimiento del RGPD le informamos de que sus datos personales forman parte de un fichero de Comprador S.L. Puede ejercer sus derechos de acceso, rectificación y supresión, o darse de baja, escribiendo a datos@comprador.example."
  ],
  [
    "it: riservato",
    "Le informazioni contenute in questa e-mail sono riservate e destinate esclusivamente al destinatario. Se avete ricevuto questo messaggio per errore, vi preghiamo di cancellarlo e di avvisare il mittente. È vietata la diffusione."
  ],
  [
    "it: privacy",
    "Ai sensi del Regolamento UE 2016/679 (GDPR) i dati personali sono trattati secondo la nostra informativa privacy. Potete chiederne in ogni momento la cancellazione."
  ],
  [
    "nl: vertrouwelijk",
    "De inhoud van dit bericht is vertrouwelijk en alleen bestemd voor de geadresseerde. Indien u dit bericht ten onrechte heeft ontvangen, verzoeken wij u het te verwijderen en de afzender te waarschuwen. Verspreiding is niet toegestaan."
  ],
  [
    "pt: confidencial",
    "Esta mensagem e os seus anexos são confidenciais e destinam-se apenas ao destinatário. Se a recebeu por engano, agradecemos que a elimine e informe o remetente. É proibida a sua divulgação."
  ],
  [
    "pl: poufne",
    "Treść tej wiadomości jest poufna i przeznaczona wyłącznie dla adresata. Jeżeli otrzymali Państwo tę wiadomość omyłkowo, prosimy o jej usunięcie i powiadomienie nadawcy. Rozpowszechnianie jest zabronione."
  ],
  [
    "sv: konfidentiellt",
    "Detta meddelande är konfidentiellt och endast avsett för mottagaren. Om du har fått det av misstag ber vi dig att underrätta avsändaren och radera meddelandet. Spridning är förbjuden."
  ],
  [
    "da: fortroligt",
    "Denne e-mail er fortrolig og kun beregnet for modtageren. Hvis du har modtaget den ved en fejl, bedes du underrette afsenderen og slette den. Videregivelse er forbudt."
  ],
  [
    "no: konfidensiell",
    "Denne e-posten er fortrolig og bare ment for mottakeren. Hvis du har mottatt den ved en feil, ber vi deg varsle avsenderen og slette meldingen."
  ],
  [
    "fi: luottamuksellinen",
    "Tämä sähköposti on luottamuksellinen ja tarkoitettu vain vastaanottajalle. Jos olet saanut viestin erehdyksessä, ilmoita siitä lähettäjälle ja poista viesti. Luvaton käyttö on kielletty."
  ],
  [
    "cs: duverne",
    "Tato zpráva je důvěrná a určená pouze příjemci. Pokud jste ji obdrželi omylem, informujte prosím odesílatele a zprávu smažte. Šíření je zakázáno."
  ],
  [
    "ru: конфиденциально",
    "Это сообщение конфиденциально и предназначено только для адресата. Если вы получили его по ошибке, сообщите об этом отправителю и удалите письмо. Распространение запрещено."
  ]
]

export const SIGNATURES: ReadonlyArray<readonly [name: string, tail: string]> = [
  ["delimiter", "-- \nPat Roe\nHead of Stock, Buyer Ltd\n+44 20 7946 0000"],
  ["phone", "Sent from my iPhone"],
  ["outlook", "Get Outlook for Android<https://aka.ms/AAb9ysg>"],
  ["en", "Kind regards,\nPat Roe\nBuyer Ltd | Stop by at our stand | www.buyer.example"],
  ["de", "Mit freundlichen Grüßen\nPat Roe\nLeitung Lager"],
  ["fr", "Bien cordialement,\nPat Roe\nResponsable des stocks"],
  ["es", "Un saludo,\nPat Roe"],
  ["it", "Cordiali saluti\nPat Roe"],
  ["nl", "Met vriendelijke groet,\nPat Roe"],
  ["pt", "Atenciosamente,\nPat Roe"],
  ["pl", "Pozdrawiam,\nPat Roe"],
  ["sv", "Med vänliga hälsningar\nPat Roe"]
]

/** How programs quote, with a date as they write it in 13 languages. */
export const QUOTED: ReadonlyArray<readonly [name: string, tail: string]> = [
  ["en: Gmail", `On Tue, Nov 24, 2026 at 9:00 AM Jo Doe <jo@acme.test> wrote:\n\n${quoted}`],
  ["en: no marks", `On 24 Nov 2026, at 09:00, Jo Doe <jo@acme.test> wrote:\n\n${OURS}`],
  ["en: Outlook", `From: Jo Doe <jo@acme.test>\nSent: 24 November 2026 09:00\nTo: Pat Roe\nSubject: Tours\n\n${OURS}`],
  ["en: Zoho", `---- On Tue, 24 Nov 2026 14:30:00 +0530 jo@acme.test wrote ----\n\n${OURS}`],
  ["en: Android", `-------- Original message --------\nFrom: Jo Doe <jo@acme.test>\n\n${OURS}`],
  ["en: Samsung", `---- Jo Doe wrote ----\n\n${OURS}`],
  ["en: bars", `2026/11/24 Jo Doe <jo@acme.test>\n\n${barred}`],
  ["en: no colon", `On Tue, 24 Nov 2026 09:00:00 +0000 Jo Doe <jo@acme.test> wrote\n\n${OURS}`],
  ["de: Gmail", `Am Di., 24. Nov. 2026 um 09:00 Uhr schrieb Jo Doe <jo@acme.test>:\n\n${quoted}`],
  ["de: Thunderbird", `Am 24.11.26 um 09:00 schrieb Jo Doe:\n${quoted}`],
  [
    "de: Outlook",
    `Von: Jo Doe <jo@acme.test>\nGesendet: Dienstag, 24. November 2026 09:00\nAn: Pat Roe\nBetreff: Touren\n\n${OURS}`
  ],
  ["fr: Gmail", `Le mar. 24 nov. 2026 à 09:00, Jo Doe <jo@acme.test> a écrit :\n\n${quoted}`],
  [
    "fr: Outlook",
    `De : Jo Doe <jo@acme.test>\nEnvoyé le : mardi 24 novembre 2026 09:00\nÀ : Pat Roe\nObjet : Tournées\n\n${OURS}`
  ],
  ["es: Gmail", `El mar, 24 nov 2026 a las 9:00, Jo Doe (<jo@acme.test>) escribió:\n\n${quoted}`],
  ["it: wrapped", `Il giorno mar 24 nov 2026 alle ore 09:00 Jo Doe <jo@acme.test>\nha scritto:\n\n${quoted}`],
  ["nl: Gmail", `Op di 24 nov 2026 om 09:00 schreef Jo Doe <jo@acme.test>:\n\n${quoted}`],
  ["pt: Gmail", `Em ter., 24 de nov. de 2026 às 09:00, Jo Doe <jo@acme.test> escreveu:\n\n${quoted}`],
  ["pl: Gmail", `wt., 24 lis 2026 o 09:00 Jo Doe <jo@acme.test> napisał(a):\n\n${quoted}`],
  ["sv: Gmail", `Den tis 24 nov. 2026 kl 09:00 skrev Jo Doe <jo@acme.test>:\n\n${quoted}`],
  ["da: Outlook", `Fra: Jo Doe <jo@acme.test>\nSendt: 24. november 2026 09:00\nTil: Pat Roe\nEmne: Ture\n\n${OURS}`],
  ["fi: Gmail", `ti 24. marrask. 2026 klo 9.00 Jo Doe (jo@acme.test) kirjoitti:\n\n${quoted}`],
  [
    "cs: Seznam",
    `---------- Původní e-mail ----------\nOd: Jo Doe <jo@acme.test>\nKomu: Pat Roe\nDatum: 24. 11. 2026 9:00:00\nPředmět: Trasy\n\n${OURS}`
  ],
  ["ru: Gmail", `вт, 24 нояб. 2026 г. в 09:00, Jo Doe <jo@acme.test>:\n\n${OURS}`],
  ["ru: Yandex", `24.11.2026, 09:00, "Jo Doe" <jo@acme.test>:\n\n${OURS}`],
  ["tr: Gmail", `Jo Doe <jo@acme.test>, 24 Kas 2026 Sal, 09:00 tarihinde şunu yazdı:\n\n${quoted}`],
  ["hu: Gmail", `Jo Doe <jo@acme.test> ezt írta (időpont: 2026. nov. 24., K, 9:00):\n\n${quoted}`],
  ["el: Gmail", `Στις Τρί 24 Νοε 2026 στις 9:00 π.μ., ο χρήστης Jo Doe <jo@acme.test> έγραψε:\n\n${quoted}`],
  ["vi: Gmail", `Vào 09:00 24 tháng 11, 2026, Jo Doe <jo@acme.test> đã viết:\n\n${OURS}`],
  ["ja: Gmail", `2026年11月24日(火) 9:00 Jo Doe <jo@acme.test>:\n\n${quoted}`],
  ["ko: Gmail", `2026년 11월 24일 (화) 오전 9:00, Jo Doe <jo@acme.test>님이 작성:\n\n${quoted}`],
  ["zh: Gmail", `Jo Doe <jo@acme.test> 于2026年11月24日周二 09:00写道：\n\n${quoted}`],
  // No list has the words of these: their shape tells.
  ["eo: no known word", `Je la 24-a de nov. 2026, 09:00, Jo Doe <jo@acme.test> skribas jene:\n\n${OURS}`],
  [
    "mt: no known word",
    `Mingħand: Jo Doe <jo@acme.test>\nMibgħut: 24 ta' Novembru 2026 09:00\nLil: Pat Roe <pat@b.test>\nSuġġett: Vjaġġi\n\n${OURS}`
  ]
]
