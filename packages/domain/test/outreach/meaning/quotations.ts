const OURS =
  "Hi Pat,\n\nAre you interested? If not, unsubscribe here.\n\n--\nAcme, 1 Main St\nUnsubscribe: https://out.acme.test/u/abc"
const quotedBy = (text: string, prefix = "> "): string =>
  text
    .split("\n")
    .map((line) => prefix + line)
    .join("\n")

/** How programs write below an answer what it answers. */
export const QUOTATIONS: ReadonlyArray<readonly [string, string]> = [
  ["Gmail", `On Tue, Mar 3, 2026 at 9:12 AM Jo Doe <jo@acme.test> wrote:\n\n${quotedBy(OURS)}`],
  [
    "Gmail, wrapped",
    `On Tue, Mar 3, 2026 at 9:12 AM Jo Doe with a long name <\njo@acme.test> wrote:\n\n${quotedBy(OURS)}`
  ],
  ["Gmail, German", `Am Di., 3. März 2026 um 09:12 Uhr schrieb Jo Doe <jo@acme.test>:\n\n${quotedBy(OURS)}`],
  ["Gmail, French", `Le mar. 3 mars 2026 à 09:12, Jo Doe <jo@acme.test> a écrit :\n\n${quotedBy(OURS)}`],
  ["Gmail, Spanish", `El mar, 3 mar 2026 a las 9:12, Jo Doe (<jo@acme.test>) escribió:\n\n${quotedBy(OURS)}`],
  ["Gmail, Italian", `Il giorno mar 3 mar 2026 alle ore 09:12 Jo Doe <jo@acme.test> ha scritto:\n\n${quotedBy(OURS)}`],
  ["Gmail, Dutch", `Op di 3 mrt 2026 om 09:12 schreef Jo Doe <jo@acme.test>:\n\n${quotedBy(OURS)}`],
  ["Gmail, Portuguese", `Em ter., 3 de mar. de 2026 às 09:12, Jo Doe <jo@acme.test> escreveu:\n\n${quotedBy(OURS)}`],
  ["Gmail, Swedish", `Den tis 3 mars 2026 kl 09:12 skrev Jo Doe <jo@acme.test>:\n\n${quotedBy(OURS)}`],
  ["Apple Mail", `> On 3 Mar 2026, at 09:12, Jo Doe <jo@acme.test> wrote:\n> \n${quotedBy(OURS)}`],
  [
    "Orange",
    `> Message du 03/03/26 09:12\n> De : "Jo Doe" <jo@acme.test>\n> A : pat@b.test\n> Copie à : \n> Objet : Hello\n> \n\n${OURS}`
  ],
  [
    "Notes",
    `jo@acme.test wrote on 03/03/2026 09:12:00 AM:\n\n> From: Jo Doe <jo@acme.test>\n> To: pat@b.test\n> Date: 03/03/2026 09:12\n> Subject: Hello\n\n${OURS}`
  ],
  ["a name and a date", `Jo Doe (3 Mar 2026, 09:12):\n\n${quotedBy(OURS)}`],
  ["without marks", `On 3 Mar 2026, at 09:12, Jo Doe <jo@acme.test> wrote:\n\n${OURS}`],
  [
    "Outlook",
    `From: Jo Doe <jo@acme.test>\nSent: Tuesday, March 3, 2026 9:12 AM\nTo: Pat <pat@b.test>\nSubject: Hello\n\n${OURS}`
  ],
  [
    "Outlook, with its rule",
    `________________________________\nFrom: Jo Doe <jo@acme.test>\nSent: Tuesday, March 3, 2026 9:12 AM\nTo: Pat\nSubject: Hello\n\n${OURS}`
  ],
  [
    "Outlook, German",
    `Von: Jo Doe <jo@acme.test>\nGesendet: Dienstag, 3. März 2026 09:12\nAn: Pat <pat@b.test>\nBetreff: Hallo\n\n${OURS}`
  ],
  [
    "Outlook, French",
    `De : Jo Doe <jo@acme.test>\nEnvoyé : mardi 3 mars 2026 09:12\nÀ : Pat\nObjet : Bonjour\n\n${OURS}`
  ],
  [
    "Outlook, Spanish",
    `De: Jo Doe <jo@acme.test>\nEnviado el: martes, 3 de marzo de 2026 9:12\nPara: Pat\nAsunto: Hola\n\n${OURS}`
  ],
  ["older Outlook", `-----Original Message-----\nFrom: Jo Doe\n\n${OURS}`],
  ["older Outlook, German", `-----Ursprüngliche Nachricht-----\nVon: Jo Doe\n\n${OURS}`],
  ["forwarded by Gmail", `---------- Forwarded message ---------\nFrom: Jo Doe <jo@acme.test>\n\n${OURS}`],
  ["forwarded by Apple Mail", `Begin forwarded message:\n\nFrom: Jo Doe\n\n${OURS}`],
  [
    "Gmail, wrapped behind a day",
    `Jo Doe <jo@acme.test> schrieb am Fr., 28.\nApr. 2026 um 11:53 Uhr:\n\n${quotedBy(OURS)}`
  ],
  ["Apple Mail, in three lines", `On Nov 21, 2026,\nat 10:18,\nJo Doe <jo@acme.test> wrote:\n\n${quotedBy(OURS)}`],
  ["Apple Mail, Japanese", `2026/11/24 9:00、Jo Doe <jo@acme.test>のメール:\n\n${OURS}`],
  ["The Bat", `Tuesday, November 24, 2026, 9:00:00 AM, you wrote:\n\n${quotedBy(OURS)}`],
  ["Horde", `Quoting Jo Doe <jo@acme.test>:\n\n${quotedBy(OURS)}`],
  ["Horde, German", `Zitat von Jo Doe <jo@acme.test>:\n\n${OURS}`],
  [
    "Proton, with hyphens",
    `‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐\nOn Tuesday, November 24, 2026 9:00 AM, Jo wrote:\n\n${OURS}`
  ],
  ["GroupWise", `>>> Jo Doe <jo@acme.test> 24.11.2026 09:00 >>>\n${OURS}`],
  ...(
    [
      ["Chinese in Taiwan", "寄件者,寄件日期,收件者,主旨"],
      ["Bulgarian", "От,Изпратено,До,Относно"],
      ["Slovenian", "Od,Poslano,Za,Zadeva"],
      ["Croatian", "Šalje,Poslano,Prima,Predmet"],
      ["Serbian", "Пошиљалац,Послато,Прималац,Наслов"],
      ["Catalan", "De,Enviat,Per a,Assumpte"],
      ["Persian", "از,ارسال شده,به,موضوع"],
      ["Kazakh", "Кімнен,Жіберілді,Кімге,Тақырыбы"]
    ] as const
  ).map(([language, names]): readonly [string, string] => {
    const [from, sent, to, subject] = names.split(",")
    return [
      `Outlook, ${language}, without addresses`,
      `${from}: Jo Doe\n${sent}: 24.11.2026 9:00\n${to}: Pat\n${subject}: Hello\n\n${OURS}`
    ]
  }),
  ["quoted alone", quotedBy(OURS)]
]
