import type { RecipientWords } from "./RecipientWords.js"

export const pl: RecipientWords = {
  unsubscribe: "Rezygnacja z wiadomości",
  unsubscribeLead:
    "Proszę kliknąć przycisk, aby nie otrzymywać więcej wiadomości od tego nadawcy. Nadawca nie może tego cofnąć.",
  unsubscribed: "Rezygnacja została przyjęta",
  unsubscribedLead: "Nie otrzymają Państwo więcej wiadomości od tego nadawcy. Tę stronę można zamknąć.",
  invalid: "Ten link jest nieprawidłowy",
  invalidLead:
    "Link może być niepełny. Proszę otworzyć go z samej wiadomości albo odpowiedzieć na nią z prośbą o zaprzestanie kontaktu.",
  later: "Chwilowo niedostępne",
  laterLead: "Nic jeszcze nie zrobiono. Proszę spróbować ponownie za chwilę albo odpowiedzieć na wiadomość.",
  why: "Dlaczego to do mnie przyszło?",
  who: "Kto do Państwa pisze",
  noAddress: "Nadawca nie podał adresu pocztowego.",
  whence: "Skąd pochodzi Państwa adres",
  imported: "z własnej listy nadawcy",
  found: "z wyszukiwania w danych o firmach",
  added: "dodany do kampanii",
  stated: "Skąd pochodzą stwierdzenia o Państwu lub Państwa firmie",
  sent: "Co do Państwa wysłano",
  nothingSent: "Nie wysłano do Państwa żadnej wiadomości.",
  approved: "Człowiek obejrzał te wiadomości i je zatwierdził.",
  checked: "Co jest sprawdzane przed każdą wiadomością",
  checkedWhat:
    "Czy nie było odpowiedzi, sprzeciwu ani rezygnacji, czy Państwa adres działa, czy człowiek zatwierdził kampanię i nikt jej nie zatrzymał, oraz czy wiadomości nie przychodzą zbyt często.",
  after: "Co stało się potem",
  stopped: "Ten nadawca już do Państwa nie pisze.",
  rights: "Co mogą Państwo zrobić",
  access: "Prośba o kopię moich danych",
  erasure: "Prośba o usunięcie moich danych",
  erasureNote: "To zatrzymuje też wszystkie wiadomości od tego nadawcy.",
  asked: "Państwa prośba została przekazana",
  askedLead: "Nadawca został powiadomiony i ma miesiąc na odpowiedź."
}
