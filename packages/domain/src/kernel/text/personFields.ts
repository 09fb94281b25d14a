/** What lists and mail systems call the names of a person and of their company, by language. Case and signs don't matter. */
export const PERSON_FIELDS = {
  full_name:
    "name, contact name, person name, contact, display name, full name of contact, person, lead name, ansprechpartner, vollständiger name, kontakt, nom complet, contacto, nombre completo, nombre y apellidos, nome completo, nome e cognome, contatto, contato, volledige naam, naam, contactpersoon, fullständigt namn, namn, navn, imię i nazwisko, фио, имя и фамилия, 姓名, 氏名, 名前, お名前, 이름",
  first_name:
    "given name, firstname, forename, first, vorname, prénom, nombre, nombre de pila, nome, primeiro nome, voornaam, förnamn, fornavn, etunimi, imię, jméno, křestní jméno, keresztnév, prenume, имя, ім'я, όνομα, 名, 名字",
  last_name:
    "family name, surname, lastname, last, nachname, familienname, zuname, nom, nom de famille, apellido, apellidos, primer apellido, cognome, sobrenome, apelido, achternaam, efternamn, etternavn, efternavn, sukunimi, nazwisko, příjmení, vezetéknév, nume de familie, soyadı, фамилия, прізвище, επώνυμο, 姓",
  company_name:
    "company, organization, organisation, employer, account, account name, current company, associated company, organization name, organisation name, person organization, firma, firmenname, unternehmen, arbeitgeber, société, entreprise, nom de l'entreprise, organisation actuelle, empresa, nombre de la empresa, compañía, azienda, società, ragione sociale, nome da empresa, companhia, bedrijf, bedrijfsnaam, organisatie, företag, företagsnamn, virksomhed, bedrift, selskap, yritys, nazwa firmy, společnost, cég, companie, şirket, компания, організація, компанія, εταιρεία, 会社, 会社名, 公司, 公司名称, 회사"
} as const
