import type { RecipientWords } from "./RecipientWords.js"

export const cs: RecipientWords = {
  unsubscribe: "Odhlásit se",
  unsubscribeLead:
    "Kliknutím na tlačítko přestanete dostávat e-maily od tohoto odesílatele. Odesílatel to nemůže vrátit.",
  unsubscribed: "Jste odhlášeni",
  unsubscribedLead: "Od tohoto odesílatele už nedostanete žádný e-mail. Tuto stránku můžete zavřít.",
  invalid: "Odkaz je neplatný",
  invalidLead:
    "Odkaz může být neúplný. Otevřete ho přímo z e-mailu, nebo na e-mail odpovězte a požádejte, aby vás už nekontaktovali.",
  later: "Dočasně nedostupné",
  laterLead: "Zatím se nic nestalo. Zkuste to za chvíli znovu, nebo na e-mail odpovězte.",
  why: "Proč mi to přišlo?",
  who: "Kdo vám píše",
  noAddress: "Odesílatel neuvedl poštovní adresu.",
  whence: "Odkud je vaše adresa",
  imported: "z vlastního seznamu odesílatele",
  found: "z hledání v údajích o firmách",
  added: "přidána do kampaně",
  stated: "Odkud pocházejí tvrzení o vás nebo vaší firmě",
  sent: "Co vám bylo posláno",
  nothingSent: "Nebyla vám poslána žádná zpráva.",
  approved: "Tyto zprávy viděl a schválil člověk.",
  checked: "Co se kontroluje před každou zprávou",
  checkedWhat:
    "Že jste neodpověděli, nevznesli námitku ani se neodhlásili, že vaše adresa funguje, že kampaň schválil člověk a nikdo ji nezastavil, a že vám nepíšeme příliš často.",
  after: "Co se stalo potom",
  stopped: "Tento odesílatel vám už nepíše.",
  rights: "Co můžete udělat",
  access: "Požádat o kopii mých údajů",
  erasure: "Požádat o smazání mých údajů",
  erasureNote: "Tím se zastaví také všechny e-maily od tohoto odesílatele.",
  asked: "Vaše žádost byla předána",
  askedLead: "Odesílatel byl upozorněn a má měsíc na odpověď."
}
