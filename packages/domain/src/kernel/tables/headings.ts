/** Headings of columns, as products and people write them. What a column holds counts more than its heading. */

/** A heading for comparison: without case, accents, spaces and signs. */
export const headingKey = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#]+/gu, "")

/** Words for an email address. A heading that is one of them, alone or with a word for whose it is, names its column. */
export const EMAIL_HEADINGS: ReadonlyArray<string> = [
  "email, e-mail, mail, emails, e-mails, email address, e-mail address, mail address, email addresses, email id, mailid",
  "work email, work e-mail, business email, business e-mail, company email, corporate email, professional email",
  "contact email, primary email, main email, personal email, private email, home email, other email, secondary email",
  "additional email addresses, alternate email, alternative email, work email address, business email address",
  "recipient, recipient email, recipient address, to email, email to, subscriber, subscriber email, unsubscribed email",
  "lead email, prospect email, customer email, client email, user email, member email, person email, candidate email",
  "email 1, email 2, email 3, email address 1, email address 2, email 2 address, email 3 address, email 1 value",
  "e-mail 2 adresse, e-mail 3 adresse, adresse de messagerie 2, adresse de messagerie 3, dirección de correo electrónico 2",
  "dirección de correo electrónico 3, indirizzo posta elettronica, indirizzo posta elettronica 2, e-mailadres 2, e-mailadres 3",
  "endereço de correio electrónico 2, endereço de email, endereço de email 2, indirizzo e-mail 2, adresse e-mail 2",
  "email 2 value, email 3 value, email work, email home, person email work, person email home, person email other",
  "email domain or address, email or domain, emails or domains, email address or domain",
  "blocked email, bounced email, suppressed email, opt out email, invalid email, complained email",
  "e-mail-adresse, mailadresse, e-mail adressen, geschäftliche e-mail, e-mail geschäftlich, e-mail privat, email firma",
  "adresse e-mail, adresse mail, adresse de messagerie, adresse électronique, courriel, adresse courriel, mél",
  "e-mail professionnel, adresse e-mail professionnelle, correo, correo electrónico, dirección de correo",
  "dirección de correo electrónico, dirección de email, correo de trabajo, correo empresarial, indirizzo email",
  "indirizzo e-mail, indirizzo mail, posta elettronica, indirizzo di posta elettronica, email aziendale, posta",
  "endereço de e-mail, endereço de correio eletrónico, endereço de correio eletrônico, correio eletrónico",
  "correio eletrônico, e-mail comercial, e-mail profissional, e-mailadres, mailadres, e-mail adres, zakelijk e-mailadres",
  "e-post, e-postadress, e-postadresse, epostadress, mailadress, sähköposti, sähköpostiosoite, adres e-mail",
  "adres mailowy, adres poczty elektronicznej, e-mailová adresa, emailová adresa, e-mail cím, email cím, e-mailcím",
  "adresă de e-mail, adresa e-mail, adresa de email, e-posta, e-posta adresi, eposta, имейл, электронная почта",
  "адрес электронной почты, эл почта, почта, емейл, е-мейл, електронна пошта, адреса електронної пошти",
  "электронный адрес, ηλεκτρονικό ταχυδρομείο, διεύθυνση email, メール, メールアドレス, eメール, eメールアドレス",
  "邮箱, 电子邮件, 电子邮箱, 邮件地址, 电子邮件地址, 電子郵件, 電子信箱, 이메일, 이메일 주소, 메일, דואל, כתובת מייל, البريد الإلكتروني"
].flatMap((line) => line.split(", "))

const EMAIL_KEYS: ReadonlySet<string> = new Set(EMAIL_HEADINGS.map(headingKey))

/** Whether the heading alone names a column of people's addresses. */
export const namesEmail = (heading: string): boolean => EMAIL_KEYS.has(headingKey(heading))

/** A word of a heading that says whose address it is: a colleague's of whoever brings the list, not the person's. */
const OURS =
  /(?:^|\P{L})(?:owner|owned|rep|sdr|bdr|ae|assigned|assignee|manager|agent|salesperson|sender|sent|from|by|reply|author|creator|created|modified|updated|unsubscribed by|besitzer|inhaber|zuständig\p{L}*|verantwortlich\p{L}*|betreuer\p{L}*|bearbeiter\p{L}*|absender|erstellt|von|propriétaire|proprietaire|responsable|expéditeur|expediteur|créé|par|propietario|remitente|creado|por|proprietario|mittente|responsabile|proprietário|remetente|responsável|eigenaar|afzender|ägare|avsändare|właściciel|nadawca|владелец|ответственный|отправитель)(?:\P{L}|$)/iu

/** Whether the heading names addresses of people who are not meant, as of a record's owner. */
export const namesColleague = (heading: string): boolean => OURS.test(heading.replaceAll(/[_.-]/g, " "))
