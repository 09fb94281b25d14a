import { assert, describe, it } from "@effect/vitest"
import type { Recipient } from "@outbound/domain/kernel/sequences/Sequence.js"
import { render, renderSubject, templateMistakes } from "@outbound/domain/kernel/sequences/template.js"
import { PLAIN_FOOTER } from "@outbound/domain/kernel/words/notice.js"
import { footer } from "@outbound/domain/outreach/sending/compose.js"
import { personOf, stepsOf } from "@outbound/domain/outreach/sending/vendor/personalise.js"

const NOBODY: Recipient = { email: "a@x.test", firstName: null, lastName: null, companyName: null, custom: {} }
const ANN: Recipient = { ...NOBODY, firstName: "Ann", companyName: "Acme", custom: { city: "Ulm" } }

describe("what stands in a variable's place", () => {
  for (const written of [
    "Hi {{first_name|there}},",
    "Hi {{first_name | there}},",
    "Hi {{ first_name |there }},",
    "Hi {{\u00a0first_name\u00a0|\tthere\u00a0}},",
    "Hi {{\u200bfirst_name\ufeff|there}},"
  ]) {
    it(`spaces around names and fallbacks are layout: ${JSON.stringify(written)}`, () => {
      assert.deepStrictEqual(templateMistakes(written), [])
      assert.strictEqual(render(written, NOBODY), "Hi there,")
      assert.strictEqual(render(written, ANN), "Hi Ann,")
    })
  }

  it("an empty fallback leaves no stray space, and a value its own", () => {
    const cases: ReadonlyArray<readonly [string, string, string]> = [
      ["Hi {{first_name|}}, how are you?", "Hi, how are you?", "Hi Ann, how are you?"],
      ["Hi {{first_name | }}!", "Hi!", "Hi Ann!"],
      ["{{first_name|}} hello", "hello", "Ann hello"],
      ["at {{company_name|}} in {{custom.city|}}.", "at in.", "at Acme in Ulm."],
      ["Hi\n{{first_name|}} x", "Hi\nx", "Hi\nAnn x"],
      ["({{first_name|}})", "()", "(Ann)"]
    ]
    for (const [text, without, withThem] of cases) {
      assert.strictEqual(render(text, NOBODY).replace(/^ /, ""), without)
      assert.strictEqual(render(text, ANN), withThem)
    }
    assert.strictEqual(renderSubject("A question {{first_name|}}", NOBODY), "A question")
  })

  it("a vendor's steps merge to the same text", () => {
    const body = "Hi {{first_name|}}, at {{company_name | your company}} in {{custom.city|}}."
    for (const who of [ANN, NOBODY]) {
      const lead = { ...who, campaignLeadId: "l" } as Parameters<typeof personOf>[0]
      const sequence = [{ subject: "x", body, waitDays: 0 }]
      const [step] = stepsOf(sequence, "Street 1")
      const { bodyValues } = personOf(lead, sequence, { footer: PLAIN_FOOTER, unsubscribeUrl: "https://u.test" })
      const merged = step?.body.map((part) => (typeof part === "string" ? part : bodyValues[part.variable])).join("")
      assert.strictEqual(merged, `${render(body, who)}${footer("Street 1", "https://u.test", PLAIN_FOOTER)}`)
    }
  })

  it("keeps bars, quotation marks and spaces inside a fallback", () => {
    assert.strictEqual(render("{{first_name|you | all}}", NOBODY), "you | all")
    assert.strictEqual(render('{{first_name|the "boss" there}}', NOBODY), 'the "boss" there')
  })
})

/** A text, and the variable that its refusal names; "": it names none. */
const FOREIGN: ReadonlyArray<readonly [text: string, tag: string, variable: string]> = [
  ["Hi {{firstName}},", "{{firstName}}", "{{first_name}}"],
  ["Hi {{contact.first_name}},", "{{contact.first_name}}", "{{first_name}}"],
  ["Hi {{ FIRST_NAME }},", "{{FIRST_NAME}}", "{{first_name}}"],
  ["Hi {{First Name}},", "{{First Name}}", "{{first_name}}"],
  ["at {{lead.Company Name}}", "{{lead.Company Name}}", "{{company_name}}"],
  ["your {{job_title}}", "{{job_title}}", "{{custom.job_title}}"],
  ["Hi {first_name},", "{first_name}", "{{first_name}}"],
  ["Hi {FirstName},", "{FirstName}", "{{first_name}}"],
  ["Hi {name},", "{name}", "{{first_name}}"],
  ["Hi {{first_name},", "a {{ without a variable", "{{name}}"],
  ["Hi {{{first_name}}},", "more than two braces", "{{name}}"],
  ["Hi ${first_name},", "${first_name}", "{{first_name}}"],
  ["Hi #{firstname},", "#{firstname}", "{{first_name}}"],
  ["Hi $first_name,", "$first_name", "{{first_name}}"],
  ["Hi [First Name],", "[First Name]", "{{first_name}}"],
  ["Hi [FIRST_NAME],", "[FIRST_NAME]", "{{first_name}}"],
  ["Hi [Name],", "[Name]", "{{first_name}}"],
  ["Hi [[FIRSTNAME]],", "[[FIRSTNAME]]", "{{first_name}}"],
  ["Yours, [Your Name]", "[Your Name]", ""],
  ["[Your Company]", "[Your Company]", ""],
  ["We [insert what you do here].", "[insert what you do here]", ""],
  ["at [Company Name]", "[Company Name]", "{{company_name}}"],
  ["[Recipient's Name]", "[Recipient's Name]", "{{first_name}}"],
  ["Hi %FIRSTNAME%,", "%FIRSTNAME%", "{{first_name}}"],
  ["Hi %first_name%,", "%first_name%", "{{first_name}}"],
  ["Hi %%First Name%%,", "%%First Name%%", "{{first_name}}"],
  ["Hi %%whatever%%,", "%%whatever%%", ""],
  ["Hi *|FNAME|*,", "*|FNAME|*", "{{first_name}}"],
  ["*|IF:FNAME|* x *|END:IF|*", "*|IF:FNAME|*", ""],
  ["Hi <<First>>,", "<<First>>", "{{first_name}}"],
  ["Hi <<First Name>>,", "<<First Name>>", "{{first_name}}"],
  ["Hi «First_Name»,", "«First_Name»", "{{first_name}}"],
  ["Hi <First Name>,", "<First Name>", "{{first_name}}"],
  ["Hi <FirstName>,", "<FirstName>", "{{first_name}}"],
  ["Hi <%= first_name %>,", "<%= first_name %>", "{{first_name}}"],
  ["{% if first_name %}Hi{% endif %}", "{% if first_name %}", ""],
  ["Hi {!Contact.FirstName},", "{!Contact.FirstName}", "{{first_name}}"],
  ["Hi {$name},", "{$name}", "{{first_name}}"],
  ["Hi ##first_name##,", "##first_name##", "{{first_name}}"],
  ["Hi ~Contact.FirstName~,", "~Contact.FirstName~", "{{first_name}}"],
  ["Hi -FNAME-,", "-FNAME-", "{{first_name}}"],
  ["Hi __first_name__,", "__first_name__", "{{first_name}}"],
  ["Hallo {Vorname},", "{Vorname}", "{{first_name}}"],
  ["Hallo ｛first_name｝,", "{first_name}", "{{first_name}}"],
  ["{Hi|Hello} there", "{Hi|Hello}", "variants"],
  ["A {quick|short|brief} question", "{quick|short|brief}", "variants"],
  ["{Hi {{first_name}}|Hello}, x", "{Hi …|Hello}", "variants"],
  ["{{RANDOM | Hi | Hello}}", "{{RANDOM}}", ""],
  ['Hi {{ first_name | default: "there" }},', "{{first_name|there}}", "directly after the bar"],
  ["Hi {{first_name|default:'there'}},", "{{first_name|there}}", "directly after the bar"],
  ['Hi {{first_name|"there"}},', "{{first_name|there}}", "quotation marks"],
  ["Hi {{first_name|capitalize}},", "{{first_name|there}}", "filters"],
  ["Hi {{first_name||there}},", "{{first_name|there}}", "one bar"],
  ["Hi {{first_name|[Name]}},", "[Name]", "{{first_name}}"],
  // With a fallback, a path, a call or a sign beside the name.
  ["Hi {First Name|fallback=friend},", "{First Name|fallback=friend}", "{{first_name}}"],
  ["Hi *|FNAME:friend|*,", "*|FNAME:friend|*", "{{first_name}}"],
  ["Hi *|FIRST_NAME|Friend|*,", "*|FIRST_NAME|Friend|*", ""],
  ['Hi [[FIRSTNAME OR "friend"]],', '[[FIRSTNAME OR "friend"]]', "{{first_name}}"],
  ['Hi [[data:firstname:"there"]],', '[[data:firstname:"there"]]', "{{first_name}}"],
  ["Hi [firstname,fallback=there],", "[firstname,fallback=there]", "{{first_name}}"],
  ["Hi [Name,fallback=there],", "[Name,fallback=there]", "{{first_name}}"],
  ["Hi [subscriber:firstname | default:reader],", "[subscriber:firstname | default:reader]", "{{first_name}}"],
  ["Hi {contactfield=firstname|Friend},", "{contactfield=firstname|Friend}", "{{first_name}}"],
  ["Hi {$name|default('friend')},", "{$name|default('friend')}", ""],
  ["Hi {!Contact:First Name;Customer},", "{!Contact:First Name;Customer}", "{{first_name}}"],
  ['Hi {!IF(ISBLANK(Contact.FirstName),"there",Contact.FirstName)},', "{!IF(", "{{first_name}}"],
  ["Hi $[FNAME|Customer]$,", "[FNAME|Customer]", "{{first_name}}"],
  ["Hi ${Leads.First Name},", "${Leads.First Name}", "{{first_name}}"],
  ['Hi ${firstName!"there"},', '${firstName!"there"}', "{{first_name}}"],
  ["Hi ${object.name},", "${object.name}", ""],
  ["Hi $contact.firstname,", "$contact.firstname", "{{first_name}}"],
  ["Hi $!firstName,", "$!firstName", "{{first_name}}"],
  ["#if($firstName)Hi#end", "#if($firstName)", ""],
  ["Hi %%=v(@firstName)=%%,", "%%=v(@firstName)=%%", "{{first_name}}"],
  ["%%[ SET @x = 1 ]%%", "%%[ SET @x = 1 ]%%", ""],
  ["Hi %Subscriber:CustomFieldFirstName%,", "%Subscriber:CustomFieldFirstName%", "{{first_name}}"],
  ["Hi %(first_name)s,", "%(first_name)s", "{{first_name}}"],
  ["Hi [%first_name | there%],", "[%first_name | there%]", ""],
  ["Hi @FIRSTNAME@,", "@FIRSTNAME@", "{{first_name}}"],
  ["Hi $First Name$,", "$First Name$", "{{first_name}}"],
  ["Hi @Model.FirstName,", "@Model.FirstName", "{{first_name}}"],
  ["Hi { MERGEFIELD First_Name },", "{ MERGEFIELD First_Name }", "{{first_name}}"],
  ["Hi <?=$contact['first_name']?>,", "<?=$contact['first_name']?>", "{{first_name}}"],
  ["Hi [+firstname+],", "[+firstname+]", "{{first_name}}"],
  ["Hi ((first_name)),", "((first_name))", "{{first_name}}"],
  ["Hi -name-,", "-name-", "{{first_name}}"],
  ["Hi !fname,", "!fname", "{{first_name}}"],
  ["{spin}Hi{variation}Hello{endspin}", "{spin}", ""],
  ["Hi \\{first_name\\},", "{first_name}", "{{first_name}}"],
  ["Hi &laquo;First_Name&raquo;,", "First_Name", "{{first_name}}"],
  // Names of code, and names in other languages.
  ["Hi {attendee_first_name},", "{attendee_first_name}", "{{first_name}}"],
  ["Hi {guest_name},", "{guest_name}", ""],
  ["{SALUTATION} Smith,", "{SALUTATION}", ""],
  ["Hi {customer},", "{customer}", ""],
  ["Привет, {имя}!", "{имя}", "{{first_name}}"],
  ["Hola [nombre],", "[nombre]", "{{first_name}}"],
  ["{お名前}様", "{お名前}", "{{first_name}}"],
  ["[姓名],您好", "[姓名]", "{{first_name}}"],
  ["at [Name of company] in [Industry]", "[Name of company]", ""],
  // Markup in plain text.
  ["<p>Hi {{first_name}},</p>", "<p>", "plain text"],
  ['Hi <span class="eloquaemail">FirstName</span>,', "<span", "plain text"],
  ["Hi{{first_name|}},<br />thanks", "<br />", "plain text"],
  ["Hi there,&nbsp;thanks", "&nbsp;", "plain text"],
  // What other systems put in a fallback's place.
  ['Hi {{first_name | default "there"}},', "{{first_name|there}}", "directly after the bar"],
  ['Hi {{first_name | or: "there"}},', "filters", ""],
  ["Hi {{first_name | ifempty('there')}},", "filters", ""],
  ["Hi {{first_name | strip_html}},", "filters", ""],
  ["Hi {{first_name | proper}},", "filters", ""],
  ["Hi {{first_name | first}},", "filters", ""],
  ["Hi {{first_name | there | capitalize}},", "filters", ""],
  ["Hi {{first_name | company_name}},", "variables", ""],
  ["Hi {{first_name|there|}},", "one bar", "{{first_name|there}}"],
  ["Hi {{first_name|null}},", "{{first_name|there}}", "as it stands"],
  ["Hi {{first_name|YOUR FALLBACK}},", "{{first_name|there}}", "as it stands"],
  ["Hi {{first_name|First Name}},", "a field's name", "{{first_name|there}}"],
  ["Hi {{first_name|firstname}},", "a field's name", "{{first_name|there}}"],
  ["Hi {{first_name|there|friend}},", "a fallback is one text", "{{first_name|there}}"],
  // What stands there until somebody writes the words.
  ["Hi XXX,", "Hi XXX", "as it stands"],
  ["Dear ____,\nthanks", "Dear ____", ""],
  ["Hi ***,", "Hi ***", ""],
  ["Hi first_name,", "Hi first_name", ""],
  ["Hello Firstname!", "Hello Firstname", ""],
  ["Hi (First Name),", "Hi (First Name)", ""],
  ["Hallo Vorname,", "Hallo Vorname", ""],
  ["Sehr geehrte Frau Nachname,", "Nachname", ""],
  ["Hola Nombre,", "Hola Nombre", ""],
  ["○○様、", "○○様", ""],
  ["Book it: [LINK]", "[LINK]", ""],
  ["Yours\n[Signature]", "[Signature]", ""],
  ["Hi [___],", "[___]", ""],
  ["[unsubscribe]", "[unsubscribe]", ""],
  ["{unsubscribe}", "{unsubscribe}", ""],
  ["<<unsubscribe>>", "<<unsubscribe>>", ""],
  ["Yours %signature%", "%signature%", ""],
  ["See [this](http://)", "http://", ""],
  ["Hi ｛｛first_name｝｝,", "｛｛first_name｝｝", ""],
  ["Hi \\{\\{first_name\\}\\},", "\\{\\{first_name\\}\\}", ""],
  ["Lorem ipsum dolor", "Lorem ipsum", ""],
  ["<!-- later --> Hi", "<!--", "plain text"]
]

const ORDINARY: ReadonlyArray<string> = [
  "It costs {about} $5, or {5} a day; prices {see below}.",
  'Send {"first_name": "Ann", "tags": ["a"], "n": {"b": {}}} to us.',
  "function f(a) { return [a, b] } // code",
  "import {name} from './user.js'",
  "GET /users/{name}/orders/{id}",
  "`{first_name}` is what others write, and `[Name]` too",
  "```\n{Hi|Hello} [First Name]\n```",
  "@param {string|number} id, or {string|null}",
  "the set {x | x > 0}, and {a, b}",
  "Up to 50% off, 20% more, 100%% sure, 5%% to 7%%.",
  "See [1], [2] and [our site](https://acme.test). [sic] [...] [x] done [ ] open",
  "[Name](https://acme.test/name) and [link]",
  "They said: “[it] works”. [Update] [Webinar] [EXTERNAL]",
  "<b>bold</b> <name>Ann</name> a < b > c <https://acme.test> <ann@acme.test>",
  "git clone <name>, then `ls <First Name>`",
  "«Bonjour», dit-il. <<Bonjour>> «Le nom»",
  "costs $5 - $10, $name = 5; $first_name->x; C:\\%USERNAME%\\x",
  "a*|b|*c * | x",
  "# First name # Last name, -- first, - name -, ~20~, #hashtag, @name",
  "snake_case_name __init__ first_name and last_name, FIRST_NAME",
  "Fields: first name, last name (First Name), company.",
  "Dear colleagues, {…} – ¯\\_(ツ)_/¯ :-{ ;-}",
  "Hi {{first_name|there}}, {{company_name|your company}} {{custom.first line|}}",
  "Total: {10|20}",
  "“[our] product [is] great”, he said [laughs]. {optional} {EUR 5k} {GmbH} [Series A] [Ticket #1234]",
  "Follow us @acme.city, #firstname, $AAPL; mail jane.first_name@acme.test; use f(first_name), obj.first_name",
  "Hi there,\nhello XXXLutz team, dear Name Partners LLP, XL and XXL shirts. Sign here: ________ and send it back",
  "Dear all,\nDear Customer Success team,\nHola Nombre de Dios,\nHi Vorwerk,\nHi Nom,\nHey Max,",
  "Does your site speak https:// or http:// only? “we […] grow [...]” `[LINK]` `\\{\\{first_name\\}\\}`",
  "「名前」欄 【会社名】 «Le nom» (name) (First come, first served) on a first-name basis",
  "R&D; AT&T; Q&As; <this> x < y > z, {{custom.plan|default plan}} {{custom.nth|first}} {{company_name|your company}}"
]

describe("tags that nobody would fill in", () => {
  for (const [text, tag, says] of FOREIGN) {
    it(`refuses ${JSON.stringify(text)}, and says what to write`, () => {
      const mistakes = templateMistakes(text).join("\n")
      assert.include(mistakes, tag)
      assert.include(mistakes, says)
    })
  }

  for (const text of ORDINARY) {
    it(`leaves ordinary text alone: ${JSON.stringify(text)}`, () => {
      assert.deepStrictEqual(templateMistakes(text), [])
    })
  }

  it("reads the longest text in a moment, whatever it repeats", () => {
    const units = [
      "{",
      "[",
      "<",
      "%",
      "*|",
      "{a|",
      "{%",
      "<<",
      "%%a",
      "${",
      "#a",
      "__",
      "«",
      "-a",
      "{{",
      "`",
      "[insert a ",
      '{{a|"',
      "\u200b",
      "{a.",
      "[a:",
      "%%=",
      "$a(",
      "((a",
      "<p ",
      "&am",
      "{{a|b|",
      "A_",
      "a 'b"
    ]
    for (const unit of units) {
      const text = unit.repeat(20_000 / unit.length)
      const before = performance.now()
      templateMistakes(text)
      assert.isBelow(performance.now() - before, 2_000, unit)
    }
  })
})
