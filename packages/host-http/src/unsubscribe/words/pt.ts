import type { RecipientWords } from "./RecipientWords.js"

export const pt: RecipientWords = {
  unsubscribe: "Cancelar subscrição",
  unsubscribeLead: "Clique no botão para deixar de receber e-mails deste remetente. O remetente não pode anular isto.",
  unsubscribed: "A sua subscrição foi cancelada",
  unsubscribedLead: "Não receberá mais e-mails deste remetente. Pode fechar esta página.",
  invalid: "Este link não é válido",
  invalidLead:
    "O link pode estar incompleto. Abra-o a partir do próprio e-mail, ou responda ao e-mail e peça que não lhe escrevam mais.",
  later: "Temporariamente indisponível",
  laterLead: "Ainda nada foi feito. Tente de novo dentro de momentos, ou responda ao e-mail.",
  why: "Porque recebi isto?",
  who: "Quem lhe escreve",
  noAddress: "O remetente não indicou um endereço postal.",
  whence: "De onde vem o seu endereço",
  imported: "de uma lista do próprio remetente",
  found: "de uma pesquisa em dados de empresas",
  added: "adicionado a uma campanha",
  stated: "De onde vêm as afirmações sobre si ou a sua empresa",
  sent: "O que lhe foi enviado",
  nothingSent: "Não lhe foi enviada nenhuma mensagem.",
  approved: "Uma pessoa viu estas mensagens e aprovou-as.",
  checked: "O que é verificado antes de cada mensagem",
  checkedWhat:
    "Que não respondeu, não se opôs nem cancelou a subscrição, que o seu endereço funciona, que uma pessoa aprovou a campanha e ninguém a parou, e que não lhe escrevem demasiadas vezes.",
  after: "O que aconteceu depois",
  stopped: "Este remetente já não lhe escreve.",
  rights: "O que pode fazer",
  access: "Pedir uma cópia dos meus dados",
  erasure: "Pedir que apaguem os meus dados",
  erasureNote: "Isto também interrompe todos os e-mails deste remetente.",
  asked: "O seu pedido foi transmitido",
  askedLead: "O remetente foi avisado e tem um mês para lhe responder."
}
